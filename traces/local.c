/* local.c - local memory: arrays of a thread that cannot live in registers.
 *
 * A compiler keeps such an array in registers when it knows every index and has registers enough.
 * Here functions that are not inlined work on the array, so that it is in memory under every
 * compiler. Hardware interleaves local memory by 4-byte words over the lanes of a warp: element k
 * of 32 lanes is 128 contiguous bytes.
 */
#include "gallery.h"

#define BINS 16
#define VALUES 64

__device__ __noinline__ static void clearCounts(int *count, int bins)
{
    for (int b = 0; b < bins; b++)
        count[b] = 0;
}

__device__ __noinline__ static void countValues(int *count, const int *idata, int each, int bins)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < each; k++)
        count[idata[k * threads + i] % bins]++;
}

__device__ __noinline__ static void writeCounts(int *odata, const int *count, int bins)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int b = 0; b < bins; b++)
        odata[b * threads + i] = count[b];
}

__global__ void localDynamic(int *odata, const int *idata, int each, int bins)
{
    int count[BINS];
    clearCounts(count, bins);
    countValues(count, idata, each, bins);
    writeCounts(odata, count, bins);
}
KERNEL_LAUNCHER(localDynamic, int *, const int *, int, int)

__device__ __noinline__ static void loadValues(float *value, const float *idata, int values)
{
    int threads = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < values; k++)
        value[k] = idata[k * threads + i];
}

__device__ __noinline__ static float foldValues(const float *value, int values)
{
    float sum = 0;
    for (int k = 0; k < values; k++)
        sum += value[k] * (k + 1);
    return sum;
}

__global__ void localSpill(float *odata, const float *idata, int values)
{
    float value[VALUES];
    loadValues(value, idata, values);
    odata[blockIdx.x * blockDim.x + threadIdx.x] = foldValues(value, values);
}
KERNEL_LAUNCHER(localSpill, float *, const float *, int)

static void run_localDynamic(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), block = gallery_int(args, "block");
    const int each = gallery_int(args, "each"), bins = gallery_int(args, "bins");
    const int threads = blocks * block, inputs = threads * each, outputs = threads * bins;
    GALLERY_INPUT(int, idata, inputs);
    GALLERY_OUTPUT(int, odata, outputs);
    launch_localDynamic(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), 0, odata, idata, each,
                        bins);
    for (int i = 0; i < inputs; i++)
        odata_host[idata_host[i] % bins * threads + i % threads]++;
    GALLERY_CHECK(odata, outputs);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

static void run_localSpill(const struct gallery_args *args)
{
    const int blocks = gallery_int(args, "blocks"), block = gallery_int(args, "block");
    const int values = gallery_int(args, "values");
    const int threads = blocks * block, inputs = threads * values;
    GALLERY_INPUT(float, idata, inputs);
    GALLERY_OUTPUT(float, odata, threads);
    launch_localSpill(make_dim3(blocks, 1, 1), make_dim3(block, 1, 1), 0, odata, idata, values);
    for (int i = 0; i < inputs; i++)
        odata_host[i % threads] += idata_host[i] * (i / threads + 1);
    GALLERY_CHECK(odata, threads);
    GALLERY_FREE(odata);
    GALLERY_FREE(idata);
}

#define BLOCKS "blocks", 64, 1, 1024, 1, "blocks to launch"
#define BLOCK "block", 128, 32, 1024, 32, "threads a block"

static const struct gallery_kernel kernels[] = {
    {"localDynamic",
     "each thread counts values in an array of its own, indexed by the values",
     "The index is data, so the array is in local memory. When all lanes count one value "
     "(bins=1) an access is 128 contiguous bytes; with b values in play the same 128 bytes are "
     "spread over up to b times as many. sm_1x goes to device memory each time; from Fermi on "
     "L1 has the array.",
     run_localDynamic,
     {{BLOCKS},
      {BLOCK},
      {"each", 16, 1, 64, 1, "values a thread counts"},
      {"bins", 16, 1, BINS, 1, "counters a thread: elements of its local array in use"}}},
    {"localSpill",
     "each thread stores `values` values in local memory and reloads them, as spilled registers "
     "are",
     "Modelled as an array whose elements all lanes access together, as spill code does: every "
     "access is 128 contiguous bytes, and the cost is the traffic itself, twice what the "
     "kernel loads from global memory. sm_1x sends it to device memory, later parts to L1.",
     run_localSpill,
     {{BLOCKS}, {BLOCK}, {"values", 32, 1, VALUES, 1, "values a thread keeps"}}},
};
GALLERY_TOPIC(local, "Local memory", kernels);
