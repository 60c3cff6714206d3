/* runtime_occupancy.c - how many blocks an SM holds, and what a program sets of caches and banks.
 *
 * A kernel's registers are not known (the machine code is a CPU's): 32 a thread, which a kernel of a
 * book seldom passes. Static shared memory is known only once a kernel has run: it is not counted.
 */
#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"

enum { REGISTERS_PER_THREAD = 32 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int round_up(int value, int unit)
{
    return unit > 0 ? (value + unit - 1) / unit * unit : value;
}

/* As src/sim/rules/occupancy.c has it: a block gets its registers as a whole on sm_1x, a warp since then, from a file
 * that is split in warp_unit parts. */
static int blocks_by_registers(const struct runtime_limits *limits, int warps)
{
    const int unit = limits->register_unit, each = REGISTERS_PER_THREAD * WARP_LANES;
    const int all = limits->properties.regsPerMultiprocessor;
    if (limits->register_per_block)
        return all / round_up(each * round_up(warps, limits->warp_unit), unit);
    const int sm_warps = all / round_up(each, unit);
    return (sm_warps - sm_warps % limits->warp_unit) / warps;
}

static int blocks_by_shared(const struct runtime_limits *limits, size_t dynamic_bytes)
{
    const struct cudaDeviceProp *p = &limits->properties;
    int block = round_up((int)(dynamic_bytes + p->reservedSharedMemPerBlock), limits->shared_unit);
    return block ? (int)p->sharedMemPerMultiprocessor / block : p->maxBlocksPerMultiProcessor;
}

cudaError_t wl_occupancy_blocks(int *blocks, int threads, size_t dynamic_shared_bytes)
{
    const struct runtime_limits *limits = runtime_limits();
    const struct cudaDeviceProp *p = &limits->properties;
    *blocks = 0;
    if (threads <= 0)
        return runtime_answer(cudaErrorInvalidValue);
    if (threads > p->maxThreadsPerBlock || dynamic_shared_bytes > limits->dynamic_shared_max)
        return cudaSuccess;
    int warps = (threads + WARP_LANES - 1) / WARP_LANES;
    *blocks =
        least(p->maxBlocksPerMultiProcessor, p->maxThreadsPerMultiProcessor / WARP_LANES / warps);
    *blocks = least(*blocks, blocks_by_registers(limits, warps));
    *blocks = least(*blocks, blocks_by_shared(limits, dynamic_shared_bytes));
    return cudaSuccess;
}

/* The largest block of those that keep the most threads on an SM. */
cudaError_t wl_occupancy_block_size(int *grid_size, int *block_size, int block_size_limit)
{
    const struct cudaDeviceProp *p = &runtime_limits()->properties;
    int limit = block_size_limit > 0 ? least(block_size_limit, p->maxThreadsPerBlock)
                                     : p->maxThreadsPerBlock;
    int best_threads = 0;
    *grid_size = *block_size = 0;
    for (int threads = round_up(limit, WARP_LANES); threads > 0; threads -= WARP_LANES) {
        int tried = least(threads, limit), blocks;
        wl_occupancy_blocks(&blocks, tried, 0);
        if (blocks * tried <= best_threads)
            continue;
        best_threads = blocks * tried;
        *block_size = tried;
        *grid_size = blocks * p->multiProcessorCount;
    }
    return cudaSuccess;
}

cudaError_t wl_function_attributes(struct cudaFuncAttributes *attributes)
{
    const struct cudaDeviceProp *p = &runtime_limits()->properties;
    int version = p->major * 10 + p->minor;
    *attributes = (struct cudaFuncAttributes){
        .maxThreadsPerBlock = p->maxThreadsPerBlock,
        .numRegs = REGISTERS_PER_THREAD,
        .ptxVersion = version,
        .binaryVersion = version,
        .maxDynamicSharedSizeBytes = (int)runtime_limits()->dynamic_shared_max,
        .preferredShmemCarveout = cudaSharedmemCarveoutDefault,
    };
    return runtime_state();
}

/* For all kernels at once: a launch does not tell which function it is of. */
cudaError_t wl_function_set_attribute(enum cudaFuncAttribute attribute, int value)
{
    struct runtime_limits *limits = runtime_limits();
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout ||
        attribute == cudaFuncAttributeClusterSchedulingPolicyPreference)
        return cudaSuccess;
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) {
        limits->non_portable_clusters |= value != 0;
        return cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
        (size_t)value > limits->properties.sharedMemPerBlockOptin)
        return runtime_refuse(cudaErrorInvalidValue,
                              "cudaFuncSetAttribute: attribute %d cannot be %d: a block has up to "
                              "%zu bytes of shared memory",
                              (int)attribute, value, limits->properties.sharedMemPerBlockOptin);
    if ((size_t)value > limits->dynamic_shared_max)
        limits->dynamic_shared_max = (size_t)value;
    return cudaSuccess;
}

static enum cudaSharedMemConfig bank_config;
static enum cudaFuncCache cache_config;

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    bank_config = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    *config =
        bank_config == cudaSharedMemBankSizeDefault ? cudaSharedMemBankSizeFourByte : bank_config;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    cache_config = config;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
    *config = cache_config;
    return cudaSuccess;
}
