/* timing.c - how many blocks and warps does it take to fill a GPU?
 *
 * timedReduction, the CUDA SDK's clock sample, times itself. All blocks find the minimum of the same
 * 512 floats, which rise, so that no comparison stores; each block notes the clock when it starts and
 * when it ends. Here clock() counts the thread's own memory accesses: the stores are the hardware's,
 * their values are no times.
 *
 * latencyHiding does nothing but wait for memory: each load's index is what the load before it brought.
 * Every thread walks down a column of its own through a table with a row for each load, so that warps
 * stay coalesced and nothing is read twice. The two half-warps of a warp have changed places: each is
 * coalesced by itself, and the tracer knows indices from memory by their not being a plain function of
 * the lane.
 */
#include <time.h> /* before cuda.h, which makes clock a macro */

#include "gallery.h"

#define NUM_THREADS 256

__global__ void timedReduction(const float *input, float *output, clock_t *timer)
{
    SHARED_DYNAMIC(float, shared);

    const int tid = threadIdx.x;
    const int bid = blockIdx.x;

    if (tid == 0)
        timer[bid] = clock();

    shared[tid] = input[tid];
    shared[tid + blockDim.x] = input[tid + blockDim.x];

    for (int d = blockDim.x; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            float f0 = shared[tid];
            float f1 = shared[tid + d];
            if (f1 < f0) {
                shared[tid] = f1;
            }
        }
    }

    if (tid == 0)
        output[bid] = shared[0];
    __syncthreads();

    if (tid == 0)
        timer[bid + gridDim.x] = clock();
}
KERNEL_LAUNCHER(timedReduction, const float *, float *, clock_t *)

__global__ void latencyHiding(const int *next, int *output, int loads)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    int k = tid ^ 16;
    for (int i = 0; i < loads; i++)
        k = next[k];
    output[tid] = k;
}
KERNEL_LAUNCHER(latencyHiding, const int *, int *, int)

static void run_timedReduction(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), n = 2 * NUM_THREADS;
    GALLERY_INPUT(float, input, n);
    GALLERY_OUTPUT(float, output, blocks);
    GALLERY_OUTPUT(clock_t, timer, 2 * blocks);
    for (int i = 0; i < n; i++)
        input_host[i] = (float)(i + 1); /* a minimum of 1: an output never written would read 0 */
    cudaMemcpy(input, input_host, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(timer, 0xff, 2 * blocks * sizeof(clock_t));

    launch_timedReduction(make_dim3(blocks, 1, 1), make_dim3(NUM_THREADS, 1, 1), n * sizeof(float),
                          input, output, timer);
    for (int i = 0; i < blocks; i++)
        output_host[i] = input_host[0];
    GALLERY_CHECK(output, blocks);

    /* What the times are is not known; that each was written is. */
    cudaMemcpy(timer_host, timer, 2 * blocks * sizeof(clock_t), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * blocks; i++)
        if (timer_host[i] == (clock_t)-1)
            timer_host[i] = 0;
    GALLERY_CHECK(timer, 2 * blocks);
    GALLERY_FREE(timer);
    GALLERY_FREE(output);
    GALLERY_FREE(input);
}

#define TABLE_MAX (1 << 25)

static void run_latencyHiding(const struct gallery_args *args)
{
    const int block = gallery_int(args, "block"), blocks = gallery_int(args, "blocks");
    const int loads = gallery_int(args, "loads");
    const int threads = blocks * block;
    if (!gallery_require(threads <= TABLE_MAX / loads,
                         "block * blocks * loads, the indices in memory, must be at most 33554432"))
        return;
    GALLERY_INPUT(int, next, threads *loads);
    GALLERY_OUTPUT(int, output, threads);
    for (int i = 0; i < threads * loads; i++)
        next_host[i] = i + threads; /* the same column, one row down */
    cudaMemcpy(next, next_host, (size_t)threads * loads * sizeof(int), cudaMemcpyHostToDevice);
    launch_latencyHiding(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), 0, next, output, loads);
    for (int i = 0; i < threads; i++)
        output_host[i] = (i ^ 16) + loads * threads;
    GALLERY_CHECK(output, threads);
    GALLERY_FREE(output);
    GALLERY_FREE(next);
}

static const struct gallery_kernel kernels[] = {
    {"timedReduction",
     "finds a minimum in each block and stores the block's start and end clock",
     "A block's work is the same whatever the grid, and all blocks load the same 2 KB. While there "
     "are no more blocks than SMs, one more block costs nothing; beyond that blocks share an SM, "
     "at first hiding each other's latency and then taking turns.",
     run_timedReduction,
     {{"blocks", 64, 1, 64, 1, "blocks of 256 threads"}}},
    {"latencyHiding",
     "loads an index, loads at that index, and so on: every load waits for the one before",
     "A load takes the 400 to 600 cycles of the programming guides on sm_1x. Twice the warps an SM "
     "do twice the work in the same time, until bandwidth or issue is full; then time grows with "
     "them. The guides' least, six warps an SM in two blocks, hides arithmetic and barriers, not "
     "yet memory.",
     run_latencyHiding,
     {{"block", 128, 32, 512, 32, "threads a block"},
      {"blocks", 30, 1, 1024, 1, "blocks; as many as SMs give each SM one"},
      {"loads", 64, 1, 256, 1, "loads a thread, one after the other"}}},
};
GALLERY_TOPIC(timing, "How many blocks and warps fill a GPU", kernels);
