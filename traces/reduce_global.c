/* reduce_global.c - a reduction in place in global memory; what shared memory and unrolling save.
 *
 * After Cheng, Grossman and McKercher, "Professional CUDA C Programming", chapter 5: the steps of a
 * block are unrolled, the last warp works in lockstep through a volatile pointer. The published
 * runs take 2^24 ints in 131072 blocks of 128 threads. Mended from the printed listings: the
 * thresholds of the steps (512 threads and more, and so on), sums that belong to shared memory but
 * were taken from global memory, and the bound of the unrolled load. Threads beyond n must not
 * return before a barrier, so n is a multiple of what the blocks take.
 */
#include <stdio.h>

#include "gallery.h"

#define DIM 128

/* All steps of a block of blockSize threads, on its elements in global or in shared memory. */
static __device__ __forceinline__ void reduceSteps(int *data, unsigned int tid,
                                                   const unsigned int blockSize)
{
    if (blockSize >= 1024 && tid < 512)
        data[tid] += data[tid + 512];
    __syncthreads();
    if (blockSize >= 512 && tid < 256)
        data[tid] += data[tid + 256];
    __syncthreads();
    if (blockSize >= 256 && tid < 128)
        data[tid] += data[tid + 128];
    __syncthreads();
    if (blockSize >= 128 && tid < 64)
        data[tid] += data[tid + 64];
    __syncthreads();

    if (tid < 32) {
        volatile int *vdata = data;
        vdata[tid] += vdata[tid + 32];
        vdata[tid] += vdata[tid + 16];
        vdata[tid] += vdata[tid + 8];
        vdata[tid] += vdata[tid + 4];
        vdata[tid] += vdata[tid + 2];
        vdata[tid] += vdata[tid + 1];
    }
}

__global__ void reduceGmem(int *g_idata, int *g_odata, unsigned int n)
{
    unsigned int tid = threadIdx.x;
    int *idata = g_idata + blockIdx.x * blockDim.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n)
        return;

    reduceSteps(idata, tid, blockDim.x);
    if (tid == 0)
        g_odata[blockIdx.x] = idata[0];
}
KERNEL_LAUNCHER(reduceGmem, int *, int *, unsigned int)

__global__ void reduceSmem(int *g_idata, int *g_odata, unsigned int n)
{
    __shared__ int smem[DIM];

    unsigned int tid = threadIdx.x;
    int *idata = g_idata + blockIdx.x * blockDim.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n)
        return;
    smem[tid] = idata[tid];
    __syncthreads();

    reduceSteps(smem, tid, DIM);
    if (tid == 0)
        g_odata[blockIdx.x] = smem[0];
}
KERNEL_LAUNCHER(reduceSmem, int *, int *, unsigned int)

__global__ void reduceSmemDyn(int *g_idata, int *g_odata, unsigned int n)
{
    SHARED_DYNAMIC(int, smem);

    unsigned int tid = threadIdx.x;
    int *idata = g_idata + blockIdx.x * blockDim.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= n)
        return;
    smem[tid] = idata[tid];
    __syncthreads();

    reduceSteps(smem, tid, blockDim.x);
    if (tid == 0)
        g_odata[blockIdx.x] = smem[0];
}
KERNEL_LAUNCHER(reduceSmemDyn, int *, int *, unsigned int)

__global__ void reduceSmemUnroll(int *g_idata, int *g_odata, unsigned int n)
{
    __shared__ int smem[DIM];

    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    int tmpSum = 0;
    if (idx + 3 * blockDim.x < n) {
        int a1 = g_idata[idx];
        int a2 = g_idata[idx + blockDim.x];
        int a3 = g_idata[idx + 2 * blockDim.x];
        int a4 = g_idata[idx + 3 * blockDim.x];
        tmpSum = a1 + a2 + a3 + a4;
    }
    smem[tid] = tmpSum;
    __syncthreads();

    reduceSteps(smem, tid, DIM);
    if (tid == 0)
        g_odata[blockIdx.x] = smem[0];
}
KERNEL_LAUNCHER(reduceSmemUnroll, int *, int *, unsigned int)

__global__ void reduceSmemUnrollDyn(int *g_idata, int *g_odata, unsigned int n)
{
    SHARED_DYNAMIC(int, smem);

    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    int tmpSum = 0;
    if (idx + 3 * blockDim.x < n) {
        int a1 = g_idata[idx];
        int a2 = g_idata[idx + blockDim.x];
        int a3 = g_idata[idx + 2 * blockDim.x];
        int a4 = g_idata[idx + 3 * blockDim.x];
        tmpSum = a1 + a2 + a3 + a4;
    }
    smem[tid] = tmpSum;
    __syncthreads();

    reduceSteps(smem, tid, blockDim.x);
    if (tid == 0)
        g_odata[blockIdx.x] = smem[0];
}
KERNEL_LAUNCHER(reduceSmemUnrollDyn, int *, int *, unsigned int)

typedef void reduce_launch(dim3 grid, dim3 block, size_t shared, int *g_idata, int *g_odata,
                           unsigned int n);

/* Blocks of `block` threads, each on `chunk` elements. */
static void reduce_run(const struct gallery_args *args, reduce_launch *launch, int block, int chunk,
                       size_t dynamic_bytes)
{
    const int n = gallery_int(args, "n"), blocks = n / chunk;
    char message[160];
    snprintf(message, sizeof message,
             "n = %d, block = %d: block must be a power of two and n a multiple of %d x block", n,
             block, chunk / block);
    if (!gallery_require((block & (block - 1)) == 0 && n % chunk == 0, message))
        return;
    GALLERY_INPUT(int, g_idata, n);
    GALLERY_OUTPUT(int, g_odata, blocks);
    launch(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), dynamic_bytes, g_idata, g_odata, n);
    for (int i = 0; i < n; i++)
        g_odata_host[i / chunk] += g_idata_host[i];
    GALLERY_CHECK(g_odata, blocks);
    GALLERY_FREE(g_odata);
    GALLERY_FREE(g_idata);
}

static void run_reduceGmem(const struct gallery_args *args)
{
    const int block = gallery_int(args, "block");
    reduce_run(args, launch_reduceGmem, block, block, 0);
}

static void run_reduceSmem(const struct gallery_args *args)
{
    reduce_run(args, launch_reduceSmem, DIM, DIM, 0);
}

static void run_reduceSmemDyn(const struct gallery_args *args)
{
    const int block = gallery_int(args, "block");
    reduce_run(args, launch_reduceSmemDyn, block, block, block * sizeof(int));
}

static void run_reduceSmemUnroll(const struct gallery_args *args)
{
    reduce_run(args, launch_reduceSmemUnroll, DIM, 4 * DIM, 0);
}

static void run_reduceSmemUnrollDyn(const struct gallery_args *args)
{
    const int block = gallery_int(args, "block");
    reduce_run(args, launch_reduceSmemUnrollDyn, block, 4 * block, block * sizeof(int));
}

static const struct gallery_kernel kernels[] = {
    {"reduceGmem",
     "sums each block's elements in place in global memory",
     "Every step loads and stores global memory: 68 sectors in and 33 out for a block of 128 ints "
     "that fill 16. In the last steps half of the lanes make sums that nobody needs, and offsets "
     "of 4, 2 and 1 touch a fifth sector.",
     run_reduceGmem,
     {{"n", 1 << 20, 64, 1 << 24, 64, "elements; a multiple of block"},
      {"block", 128, 64, 1024, 64, "threads a block; a power of two"}}},
    {"reduceSmem",
     "sums each block's elements in a shared array of 128 ints",
     "Each element is loaded from global memory once, 16 sectors a block, and one is stored; the "
     "steps are shared accesses without conflicts.",
     run_reduceSmem,
     {{"n", 1 << 20, 128, 1 << 24, 128, "elements"}}},
    {"reduceSmemDyn",
     "reduceSmem with the shared array sized at launch",
     "The accesses are those of reduceSmem: where the array's size comes from costs nothing.",
     run_reduceSmemDyn,
     {{"n", 1 << 20, 64, 1 << 24, 64, "elements; a multiple of block"},
      {"block", 128, 64, 1024, 64, "threads a block; a power of two"}}},
    {"reduceSmemUnroll",
     "reduceSmem with four blocks' elements added on load",
     "The same loads in a quarter of the blocks: a quarter of the stores and of the shared "
     "accesses, and four independent loads in flight for each thread.",
     run_reduceSmemUnroll,
     {{"n", 1 << 20, 512, 1 << 24, 512, "elements"}}},
    {"reduceSmemUnrollDyn",
     "reduceSmemUnroll with the shared array sized at launch",
     "The accesses are those of reduceSmemUnroll: where the array's size comes from costs nothing.",
     run_reduceSmemUnrollDyn,
     {{"n", 1 << 20, 256, 1 << 24, 256, "elements; a multiple of 4 x block"},
      {"block", 128, 64, 1024, 64, "threads a block; a power of two"}}},
};
GALLERY_TOPIC(reduce_global, "Reduction: global memory, shared memory, four blocks at once",
              kernels);
