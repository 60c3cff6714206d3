/* managed.c - managed (unified) memory: pages that move when a kernel first touches them.
 *
 * The host fills `input`, so its pages are on the host; nobody touches `output` before the kernel.
 */
#include "gallery.h"

#define STRIDE_64K 65536

/* One thread an element: neighbouring warps want the same page, so few pages are wanted at once. */
__global__ void stream_thread(const float *input, float *output, int n)
{
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    if (tid < n)
        output[tid] = input[tid];
}
KERNEL_LAUNCHER(stream_thread, const float *, float *, int)

/* One warp for 64 KB: every warp touches pages of its own. */
__global__ void stream_warp(const float *input, float *output, int n)
{
    const int elements = STRIDE_64K / (int)sizeof(float);
    int lane_id = threadIdx.x & 31;
    int warp_id = (threadIdx.x + blockIdx.x * blockDim.x) >> 5;
    for (int rep = 0; rep < elements / 32; rep++) {
        int i = warp_id * elements + rep * 32 + lane_id;
        if (i < n)
            output[i] = input[i];
    }
}
KERNEL_LAUNCHER(stream_warp, const float *, float *, int)

/* Arrays of managed memory; `name_host` is ordinary memory, for the expected result. */
#define MANAGED_OUTPUT(type, name, n)                                                              \
    type *name = NULL, *name##_host = (type *)gallery_host((size_t)(n) * sizeof(type));            \
    cudaMallocManaged(&name, (size_t)(n) * sizeof(type))
#define MANAGED_INPUT(type, name, n)                                                               \
    MANAGED_OUTPUT(type, name, n);                                                                 \
    gallery_fill_##type(name##_host, (size_t)(n), #name);                                          \
    for (int name##_i = 0; name##_i < (n); name##_i++)                                             \
    name[name##_i] = name##_host[name##_i]

static void prefetch_to_gpu(const void *p, size_t bytes)
{
    int device = -1;
    cudaGetDevice(&device);
#if defined(CUDART_VERSION) && CUDART_VERSION >= 13000
    struct cudaMemLocation location = {cudaMemLocationTypeDevice, device};
    cudaMemPrefetchAsync(p, bytes, location, 0, 0);
#else
    cudaMemPrefetchAsync(p, bytes, device, 0);
#endif
}

enum how { HOW_THREAD, HOW_WARP, HOW_PREFETCH };

static void run_stream(const struct gallery_args *args, enum how how)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const size_t bytes = (size_t)n * sizeof(float);
    const int strides = (int)((bytes + STRIDE_64K - 1) / STRIDE_64K);
    const int threads = how == HOW_WARP ? strides * 32 : n;
    const dim3 grid = make_dim3((threads + block - 1) / block, 1, 1);
    MANAGED_INPUT(float, input, n);
    MANAGED_OUTPUT(float, output, n);
    if (how == HOW_PREFETCH) {
        prefetch_to_gpu(input, bytes);
        prefetch_to_gpu(output, bytes);
    }
    if (how == HOW_WARP)
        launch_stream_warp(grid, make_dim3(block, 1, 1), 0, input, output, n);
    else
        launch_stream_thread(grid, make_dim3(block, 1, 1), 0, input, output, n);
    cudaDeviceSynchronize();
    memcpy(output_host, input_host, bytes);
    GALLERY_CHECK(output, n);
    GALLERY_FREE(output);
    GALLERY_FREE(input);
}

static void run_stream_thread(const struct gallery_args *args)
{
    run_stream(args, HOW_THREAD);
}

static void run_stream_warp(const struct gallery_args *args)
{
    run_stream(args, HOW_WARP);
}

static void run_stream_prefetch(const struct gallery_args *args)
{
    run_stream(args, HOW_PREFETCH);
}

#define STREAM_PARAMS                                                                              \
    {                                                                                              \
        {"n", 1 << 20, 1, 1 << 26, 1, "elements to copy"},                                         \
        {                                                                                          \
            "block", 256, 32, 1024, 32, "threads a block"                                          \
        }                                                                                          \
    }

static const struct gallery_kernel kernels[] = {
    {"stream_thread", "copies n floats between managed arrays, one element a thread",
     "The first access to each page faults, and the SMs wait while the driver moves it. Blocks "
     "that "
     "run together want the same few pages, so the driver sees little of what comes next: some "
     "twenty groups of faults for 8 MB on a GTX 1080 Ti. The transfers grow (64 KB, then as much "
     "again as is "
     "there, up to 1 MB) as the driver sees that neighbours are wanted. Before sm_60 all pages "
     "move "
     "at the launch.",
     run_stream_thread, STREAM_PARAMS},
    {"stream_warp", "copies n floats between managed arrays, one warp for 64 KB",
     "Every warp faults on 64 KB of its own, so the driver sees nearly all faults at once: a few "
     "groups instead of 24, but each fault's page and the 60 KB that come along are copied apart: "
     "128 transfers of 32 KB on average.",
     run_stream_warp, STREAM_PARAMS},
    {"stream_prefetch", "stream_thread, after cudaMemPrefetchAsync of both arrays",
     "Told in advance, the driver moves 2 MB at a time, and the kernel runs without a fault: two "
     "transfers for 4 MB. Pages that nobody has written are not moved at all.",
     run_stream_prefetch, STREAM_PARAMS},
};
GALLERY_TOPIC(managed, "Managed (unified) memory", kernels);
