/* timing.c - a kernel that times itself with clock(): how many blocks does it take to fill a GPU?
 *
 * The CUDA SDK's clock sample. All blocks find the minimum of the same 512 floats, which rise, so
 * that no comparison stores; each block notes the clock when it starts and when it ends. Here
 * clock() counts the thread's own memory accesses: the stores are the hardware's, their values are
 * no times.
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

static const struct gallery_kernel kernels[] = {
    {"timedReduction",
     "finds a minimum in each block and stores the block's start and end clock",
     "A block's work is the same whatever the grid, and all blocks load the same 2 KB. While there "
     "are no more blocks than SMs, one more block costs nothing; beyond that blocks share an SM, "
     "at first hiding each other's latency and then taking turns.",
     run_timedReduction,
     {{"blocks", 64, 1, 64, 1, "blocks of 256 threads"}}},
};
GALLERY_TOPIC(timing, "Timing a kernel from inside", kernels);
