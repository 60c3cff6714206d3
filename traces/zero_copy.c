/* zero_copy.c - zero-copy memory: pinned host memory that kernels access over PCIe. */
#include "gallery.h"

__global__ void sumArraysZeroCopy(const float *A, const float *B, float *C, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        C[i] = A[i] + B[i];
}
KERNEL_LAUNCHER(sumArraysZeroCopy, const float *, const float *, float *, int)

__global__ void zeroCopyStride(float *odata, const float *idata, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        odata[i] = idata[i * stride];
}
KERNEL_LAUNCHER(zeroCopyStride, float *, const float *, int, int)

/* Each thread sums `reads` elements, which its neighbours in other blocks read as well. */
__global__ void sumWindow(float *odata, const float *idata, int reads, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < reads; k++)
        sum += idata[(i + k * blockDim.x) % n];
    odata[i] = sum;
}
KERNEL_LAUNCHER(sumWindow, float *, const float *, int, int)

/* Pinned arrays; `name_host` is ordinary memory with the same or the expected values. */
#define ZERO_COPY_OUTPUT(type, name, n)                                                            \
    type *name = NULL, *name##_host = (type *)gallery_host((size_t)(n) * sizeof(type));            \
    cudaHostAlloc(&name, (size_t)(n) * sizeof(type), cudaHostAllocMapped)
#define ZERO_COPY_INPUT(type, name, n)                                                             \
    ZERO_COPY_OUTPUT(type, name, n);                                                               \
    gallery_fill_##type(name##_host, (size_t)(n), #name);                                          \
    memcpy(name, name##_host, (size_t)(n) * sizeof(type))
#define ZERO_COPY_FREE(name)                                                                       \
    do {                                                                                           \
        cudaFreeHost(name);                                                                        \
        free(name##_host);                                                                         \
    } while (0)

static void run_sumArraysZeroCopy(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const dim3 grid = make_dim3((n + block - 1) / block, 1, 1);
    float *d_A = NULL, *d_B = NULL;
    ZERO_COPY_INPUT(float, h_A, n);
    ZERO_COPY_INPUT(float, h_B, n);
    GALLERY_OUTPUT(float, d_C, n);
    cudaHostGetDevicePointer(&d_A, h_A, 0);
    cudaHostGetDevicePointer(&d_B, h_B, 0);
    launch_sumArraysZeroCopy(grid, make_dim3(block, 1, 1), 0, d_A, d_B, d_C, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        d_C_host[i] = h_A_host[i] + h_B_host[i];
    GALLERY_CHECK(d_C, n);
    GALLERY_FREE(d_C);
    ZERO_COPY_FREE(h_B);
    ZERO_COPY_FREE(h_A);
}

static void run_zeroCopyStride(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int stride = gallery_int(args, "stride");
    ZERO_COPY_INPUT(float, idata, n *stride);
    GALLERY_OUTPUT(float, odata, n);
    launch_zeroCopyStride(make_dim3((n + block - 1) / block, 1, 1), make_dim3(block, 1, 1), 0,
                          odata, idata, stride, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        odata_host[i] = idata_host[i * stride];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    ZERO_COPY_FREE(idata);
}

static void run_zeroCopyBoth(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    ZERO_COPY_INPUT(float, idata, n);
    ZERO_COPY_OUTPUT(float, odata, n);
    launch_zeroCopyStride(make_dim3((n + block - 1) / block, 1, 1), make_dim3(block, 1, 1), 0,
                          odata, idata, 1, n);
    cudaDeviceSynchronize();
    memcpy(odata_host, idata_host, (size_t)n * sizeof(float));
    GALLERY_CHECK(odata, n);
    ZERO_COPY_FREE(odata);
    ZERO_COPY_FREE(idata);
}

/* sumWindow on the host's array, or on a copy of it that the GPU makes first. */
static void run_window(const struct gallery_args *args, int copy_first)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int reads = gallery_int(args, "reads");
    const dim3 grid = make_dim3(n / block, 1, 1), threads = make_dim3(block, 1, 1);
    if (!gallery_whole_blocks(n, block))
        return;
    ZERO_COPY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, copy, n);
    GALLERY_OUTPUT(float, odata, n);
    if (copy_first)
        launch_zeroCopyStride(grid, threads, 0, copy, idata, 1, n);
    launch_sumWindow(grid, threads, 0, odata, copy_first ? copy : idata, reads, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        for (int k = 0; k < reads; k++)
            odata_host[i] += idata_host[(i + k * block) % n];
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(copy);
    ZERO_COPY_FREE(idata);
}

static void run_zeroCopyAgain(const struct gallery_args *args)
{
    run_window(args, 0);
}

static void run_copyFirst(const struct gallery_args *args)
{
    run_window(args, 1);
}

#define N_PARAM "n", 1 << 20, 1024, 1 << 24, 1, "elements"
#define BLOCK_PARAM "block", 256, 32, 1024, 32, "threads a block"
#define READS_PARAM "reads", 4, 1, 64, 1, "times that each element is read"

static const struct gallery_kernel kernels[] = {
    {"sumArraysZeroCopy",
     "adds two vectors in pinned host memory; the sum stays on the GPU",
     "Every load crosses PCIe: 8 GB/s on PCIe 2.0 x16, 16 on 3.0, against hundreds from the GPU's "
     "own DRAM. For data that is read once and coalesced that is no worse than a copy, and "
     "overlaps with the kernel.",
     run_sumArraysZeroCopy,
     {{N_PARAM}, {BLOCK_PARAM}}},
    {"zeroCopyBoth",
     "copies n floats from pinned host memory to pinned host memory",
     "PCIe carries both ways at once: loads and stores together reach twice the figure of one way, "
     "32 GB/s on PCIe 3.0 x16.",
     run_zeroCopyBoth,
     {{N_PARAM}, {BLOCK_PARAM}}},
    {"zeroCopyStride",
     "copies every stride-th element of an array in pinned host memory to the GPU",
     "Nothing is cached on the way: a sector of 32 bytes crosses PCIe for every lane that has it "
     "to "
     "itself, so a stride of 8 moves eight times the bytes that are used. Coalescing matters more "
     "here than anywhere else.",
     run_zeroCopyStride,
     {{"n", 1 << 18, 1024, 1 << 22, 1, "elements to copy"},
      {BLOCK_PARAM},
      {"stride", 8, 1, 32, 1, "distance of two lanes' elements"}}},
    {"zeroCopyAgain",
     "sums `reads` elements a thread straight from pinned host memory",
     "Each time an element is read it crosses PCIe again. Compare copyFirst: from the second read "
     "on a copy in the GPU's memory is faster.",
     run_zeroCopyAgain,
     {{N_PARAM}, {BLOCK_PARAM}, {READS_PARAM}}},
    {"copyFirst",
     "zeroCopyAgain, after a kernel has copied the array to the GPU's memory",
     "The array crosses PCIe once, coalesced; all reads after that are the GPU's own.",
     run_copyFirst,
     {{N_PARAM}, {BLOCK_PARAM}, {READS_PARAM}}},
};
GALLERY_TOPIC(zero_copy, "Zero-copy memory", kernels);
