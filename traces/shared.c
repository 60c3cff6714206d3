/* shared.c - the bank examples of the teaching texts, one element a lane: a stride in floats, and
 * elements smaller than a bank.
 *
 * Global memory is read and written coalesced in 4-byte words throughout, so that what the banks
 * show is the whole story. Each lane reads back the element that it wrote: the barrier keeps the
 * compiler from carrying the value in a register, here as under nvcc.
 */
#include "gallery.h"

#define BLOCK_SIZE 256

__global__ void sharedStride(float *odata, const float *idata, int BaseIndex, int s)
{
    SHARED_DYNAMIC(float, shared);
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    shared[BaseIndex + s * tid] = idata[i];
    __syncthreads();
    float data = shared[BaseIndex + s * tid];
    odata[i] = data;
}
KERNEL_LAUNCHER(sharedStride, float *, const float *, int, int)

__global__ void sharedChar(int *odata, const int *idata)
{
    __shared__ char s[BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = (char)idata[i];
    __syncthreads();
    char data = s[threadIdx.x];
    odata[i] = data;
}
KERNEL_LAUNCHER(sharedChar, int *, const int *)

__global__ void sharedCharPadded(int *odata, const int *idata)
{
    __shared__ char s[4 * BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x * 4] = (char)idata[i];
    __syncthreads();
    char data = s[threadIdx.x * 4];
    odata[i] = data;
}
KERNEL_LAUNCHER(sharedCharPadded, int *, const int *)

__global__ void sharedShort(int *odata, const int *idata)
{
    __shared__ short s[BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = (short)idata[i];
    __syncthreads();
    short data = s[threadIdx.x];
    odata[i] = data;
}
KERNEL_LAUNCHER(sharedShort, int *, const int *)

__global__ void sharedShortPadded(int *odata, const int *idata)
{
    __shared__ short s[2 * BLOCK_SIZE];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x * 2] = (short)idata[i];
    __syncthreads();
    short data = s[threadIdx.x * 2];
    odata[i] = data;
}
KERNEL_LAUNCHER(sharedShortPadded, int *, const int *)

static void run_sharedStride(const struct gallery_args *args)
{
    const int block = gallery_int(args, "block"), n = gallery_int(args, "blocks") * block;
    const int base = gallery_int(args, "base"), stride = gallery_int(args, "stride");
    GALLERY_INPUT(float, idata, n);
    GALLERY_OUTPUT(float, odata, n);
    launch_sharedStride(make_dim3(n / block, 1, 1), make_dim3(block, 1, 1),
                        (base + stride * (block - 1) + 1) * sizeof(float), odata, idata, base,
                        stride);
    memcpy(odata_host, idata_host, n * sizeof(float));
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

/* The four kernels of small elements differ in the kernel alone: out comes what went in. */
static void run_small(const struct gallery_args *args,
                      void (*launch)(dim3 grid, dim3 block, size_t shared, int *, const int *))
{
    const int blocks = gallery_int(args, "blocks"), n = blocks * BLOCK_SIZE;
    GALLERY_INPUT(int, idata, n);
    GALLERY_OUTPUT(int, odata, n);
    launch(make_dim3(blocks, 1, 1), make_dim3(BLOCK_SIZE, 1, 1), 0, odata, idata);
    memcpy(odata_host, idata_host, n * sizeof(int));
    GALLERY_CHECK(odata, n);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_sharedChar(const struct gallery_args *args)
{
    run_small(args, launch_sharedChar);
}

static void run_sharedCharPadded(const struct gallery_args *args)
{
    run_small(args, launch_sharedCharPadded);
}

static void run_sharedShort(const struct gallery_args *args)
{
    run_small(args, launch_sharedShort);
}

static void run_sharedShortPadded(const struct gallery_args *args)
{
    run_small(args, launch_sharedShortPadded);
}

#define BLOCKS "blocks", 256, 1, 65535, 1, "blocks of 256 threads"

static const struct gallery_kernel kernels[] = {
    {"sharedStride",
     "every lane writes and reads one float of shared memory, `stride` words from its neighbour's",
     "A stride of s words costs gcd(16, s) passes a half-warp on sm_1x and gcd(32, s) passes a "
     "warp from Fermi on, so every odd stride is free. Kepler halves that for powers of two, "
     "so that stride 2 is free too, while the base keeps its pairs of words in one aligned "
     "64-word segment; elsewhere the base changes nothing.",
     run_sharedStride,
     {{"blocks", 256, 1, 65535, 1, "blocks to launch"},
      {"block", 64, 32, 256, 32, "threads a block"},
      {"base", 0, 0, 32, 1, "BaseIndex: the word that thread 0 accesses"},
      {"stride", 2, 1, 32, 1, "s: words from one thread's element to the next one's"}}},
    {"sharedChar",
     "every lane writes and reads one char of shared memory, side by side",
     "Four lanes share each 4-byte word. sm_1x has one broadcast word a step and needs four "
     "steps a half-warp; from Fermi on lanes in one word never conflict and the warp takes one "
     "pass.",
     run_sharedChar,
     {{BLOCKS}}},
    {"sharedCharPadded",
     "as sharedChar, with three unused bytes after each char",
     "Every lane has a bank of its own, so sm_1x is free of conflicts at four times the space; "
     "from Fermi on the padding gains nothing.",
     run_sharedCharPadded,
     {{BLOCKS}}},
    {"sharedShort",
     "every lane writes and reads one short of shared memory, side by side",
     "Two lanes share each 4-byte word: two steps a half-warp on sm_1x, one pass a warp from "
     "Fermi on.",
     run_sharedShort,
     {{BLOCKS}}},
    {"sharedShortPadded",
     "as sharedShort, with one unused short after each",
     "Every lane has a bank of its own, so sm_1x is free of conflicts at twice the space; from "
     "Fermi on the padding gains nothing.",
     run_sharedShortPadded,
     {{BLOCKS}}},
};
GALLERY_TOPIC(shared, "Shared memory: strides and small elements", kernels);
