/* reduce.c - the seven steps of the parallel reduction: a sum for each block, in shared memory.
 *
 * After Harris, "Optimizing Parallel Reduction in CUDA" (2007), and the SDK's reduction sample, for
 * int. Where the sample has a template parameter blockSize, these kernels take an argument: the
 * branches on it are the same for all lanes and touch no memory. The last warp of reduce4 to
 * reduce6 works without barriers; its pointer is volatile, so that its lanes stay in step. reduce6
 * adds up in a register: nvcc does that too when the source says sdata[tid] +=, and gcc would not.
 * Each block leaves its sum in g_odata; adding those up is another launch and not part of the
 * lesson.
 */
#include <stdio.h>

#include "gallery.h"

__global__ void reduce0(int *g_idata, int *g_odata)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce0, int *, int *)

__global__ void reduce1(int *g_idata, int *g_odata)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        unsigned int index = 2 * s * tid;
        if (index < blockDim.x) {
            sdata[index] += sdata[index + s];
        }
        __syncthreads();
    }

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce1, int *, int *)

__global__ void reduce2(int *g_idata, int *g_odata)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = g_idata[i];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce2, int *, int *)

__global__ void reduce3(int *g_idata, int *g_odata)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce3, int *, int *)

/* The last 64 elements, by one warp in lockstep. */
static __device__ __forceinline__ void warpReduce(volatile int *sdata, unsigned int tid)
{
    sdata[tid] += sdata[tid + 32];
    sdata[tid] += sdata[tid + 16];
    sdata[tid] += sdata[tid + 8];
    sdata[tid] += sdata[tid + 4];
    sdata[tid] += sdata[tid + 2];
    sdata[tid] += sdata[tid + 1];
}

__global__ void reduce4(int *g_idata, int *g_odata)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) {
            sdata[tid] += sdata[tid + s];
        }
        __syncthreads();
    }
    if (tid < 32)
        warpReduce(sdata, tid);

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce4, int *, int *)

/* A whole block, without a loop. */
static __device__ __forceinline__ void blockReduce(int *sdata, unsigned int tid,
                                                   const unsigned int blockSize)
{
    if (blockSize >= 1024) {
        if (tid < 512)
            sdata[tid] += sdata[tid + 512];
        __syncthreads();
    }
    if (blockSize >= 512) {
        if (tid < 256)
            sdata[tid] += sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] += sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] += sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32)
        warpReduce(sdata, tid);
}

__global__ void reduce5(int *g_idata, int *g_odata, const unsigned int blockSize)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    sdata[tid] = g_idata[i] + g_idata[i + blockSize];
    __syncthreads();

    blockReduce(sdata, tid, blockSize);

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce5, int *, int *, unsigned int)

__global__ void reduce6(int *g_idata, int *g_odata, unsigned int n, const unsigned int blockSize)
{
    SHARED_DYNAMIC(int, sdata);

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    int sum = 0;

    while (i < n) {
        sum += g_idata[i] + g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = sum;
    __syncthreads();

    blockReduce(sdata, tid, blockSize);

    if (tid == 0)
        g_odata[blockIdx.x] = sdata[0];
}
KERNEL_LAUNCHER(reduce6, int *, int *, unsigned int, unsigned int)

typedef void reduce_launch(dim3 grid, dim3 block, size_t shared, int *g_idata, int *g_odata);

static void launch_blockSize_reduce5(dim3 grid, dim3 block, size_t shared, int *g_idata,
                                     int *g_odata)
{
    launch_reduce5(grid, block, shared, g_idata, g_odata, block.x);
}

/* Runs of `chunk` elements go to the blocks in turn. */
static void sums_on_host(int *sums, const int *data, int n, int chunk, int blocks)
{
    for (int i = 0; i < n; i++)
        sums[i / chunk % blocks] += data[i];
}

static int shape_is_possible(int n, int block, int chunk)
{
    char message[160];
    snprintf(message, sizeof message,
             "n = %d, block = %d: block must be a power of two and n a multiple of %d x block", n,
             block, chunk / block);
    return gallery_require((block & (block - 1)) == 0 && n % chunk == 0, message);
}

/* Kernels whose threads load `loads` elements each. */
static void reduce_run(const struct gallery_args *args, reduce_launch *launch, int loads)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int chunk = block * loads, blocks = n / chunk;
    if (!shape_is_possible(n, block, chunk))
        return;
    GALLERY_INPUT(int, g_idata, n);
    GALLERY_OUTPUT(int, g_odata, blocks);
    launch(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), block * sizeof(int), g_idata, g_odata);
    sums_on_host(g_odata_host, g_idata_host, n, chunk, blocks);
    GALLERY_CHECK(g_odata, blocks);
    GALLERY_FREE(g_odata);
    GALLERY_FREE(g_idata);
}

static void run_reduce0(const struct gallery_args *args)
{
    reduce_run(args, launch_reduce0, 1);
}

static void run_reduce1(const struct gallery_args *args)
{
    reduce_run(args, launch_reduce1, 1);
}

static void run_reduce2(const struct gallery_args *args)
{
    reduce_run(args, launch_reduce2, 1);
}

static void run_reduce3(const struct gallery_args *args)
{
    reduce_run(args, launch_reduce3, 2);
}

static void run_reduce4(const struct gallery_args *args)
{
    reduce_run(args, launch_reduce4, 2);
}

static void run_reduce5(const struct gallery_args *args)
{
    reduce_run(args, launch_blockSize_reduce5, 2);
}

static void run_reduce6(const struct gallery_args *args)
{
    const int n = gallery_int(args, "n"), block = gallery_int(args, "block");
    const int blocks = gallery_int(args, "blocks");
    if (!shape_is_possible(n, block, 2 * block))
        return;
    GALLERY_INPUT(int, g_idata, n);
    GALLERY_OUTPUT(int, g_odata, blocks);
    launch_reduce6(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), block * sizeof(int), g_idata,
                   g_odata, n, block);
    sums_on_host(g_odata_host, g_idata_host, n, 2 * block, blocks);
    GALLERY_CHECK(g_odata, blocks);
    GALLERY_FREE(g_odata);
    GALLERY_FREE(g_idata);
}

static const struct gallery_kernel kernels[] = {
    {"reduce0",
     "sums each block's elements in pairs, the active threads found by a modulo",
     "In step s one thread in 2s works: every warp stays busy with ever fewer active lanes. Bank "
     "conflicts there are none, as a warp's words lie within 32 consecutive ones: what is wasted "
     "is lanes and modulo operations, not passes.",
     run_reduce0,
     {{"n", 3072, 32, 1 << 26, 32, "elements; a multiple of block"},
      {"block", 512, 32, 1024, 32, "threads a block; a power of two"}}},
    {"reduce1",
     "reduce0 with the work on consecutive threads and a strided index",
     "Warps are now full or idle, but lane t works on word 2s*t: 2-way bank conflicts in the first "
     "step, then 4-, 8- and 16-way, until too few lanes are left to meet in one bank.",
     run_reduce1,
     {{"n", 3072, 32, 1 << 26, 32, "elements; a multiple of block"},
      {"block", 512, 32, 1024, 32, "threads a block; a power of two"}}},
    {"reduce2",
     "sums each block's elements, the upper half onto the lower half in each step",
     "Consecutive lanes work on consecutive words: no bank conflict in any step on any generation. "
     "Half of the threads do nothing but load one element.",
     run_reduce2,
     {{"n", 3072, 32, 1 << 26, 32, "elements; a multiple of block"},
      {"block", 512, 32, 1024, 32, "threads a block; a power of two"}}},
    {"reduce3",
     "reduce2 with a first addition on load: two elements a thread",
     "Half as many blocks for the same elements: global loads stay the same and coalesce, shared "
     "accesses and barriers for each element are halved.",
     run_reduce3,
     {{"n", 6144, 64, 1 << 26, 64, "elements; a multiple of 2 x block"},
      {"block", 512, 32, 1024, 32, "threads a block; a power of two"}}},
    {"reduce4",
     "reduce3 with the last warp unrolled and without barriers",
     "The last six steps have no barrier and no branch: all 32 lanes run them, although only half "
     "of their sums count from one step to the next. Correct only where lanes run in lockstep, "
     "which CUDA has not promised since sm_70.",
     run_reduce4,
     {{"n", 6144, 128, 1 << 26, 128, "elements; a multiple of 2 x block"},
      {"block", 512, 64, 1024, 64, "threads a block; a power of two"}}},
    {"reduce5",
     "reduce4 with all steps unrolled for the block size",
     "The accesses are those of reduce4, one for one; what is saved are the loop's instructions.",
     run_reduce5,
     {{"n", 6144, 128, 1 << 26, 128, "elements; a multiple of 2 x block"},
      {"block", 512, 64, 1024, 64, "threads a block; a power of two"}}},
    {"reduce6",
     "reduce5 with a fixed number of blocks, each thread adding many elements on load",
     "Nearly all accesses are now coalesced global loads, so that the kernel runs at the speed of "
     "memory; shared memory is used once a block, however large n is.",
     run_reduce6,
     {{"n", 24576, 128, 1 << 26, 128, "elements; a multiple of 2 x block"},
      {"block", 512, 64, 1024, 64, "threads a block; a power of two"},
      {"blocks", 6, 1, 65535, 1, "blocks of the grid"}}},
};
GALLERY_TOPIC(reduce, "Parallel reduction in shared memory, seven steps", kernels);
