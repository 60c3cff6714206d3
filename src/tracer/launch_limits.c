/* launch_limits.c - launches that no GPU, or not the simulated one, can carry out.
 */
#include "stream/limits.h"
#include "tracer/engine.h"
#include "tracer/grid/cluster_launch.h"
#include "tracer/runtime/runtime.h"

static bool block_is_possible(const struct cudaDeviceProp *device)
{
    const dim3 block = engine_indices.block_dim;
    uint64_t lanes = (uint64_t)block.x * block.y * block.z;
    unsigned most = (unsigned)device->maxThreadsPerBlock;
    if (lanes > 0 && lanes <= most && block.x <= (unsigned)device->maxThreadsDim[0] &&
        block.y <= (unsigned)device->maxThreadsDim[1] &&
        (block.z <= (unsigned)device->maxThreadsDim[2] || !engine.program))
        return true;
    runtime_refuse(cudaErrorInvalidConfiguration,
                   "%s: a block of %u x %u x %u threads: 1 to %u threads are possible",
                   engine.kernel, block.x, block.y, block.z, most);
    return false;
}

static bool grid_is_possible(const struct cudaDeviceProp *device)
{
    const dim3 grid = engine_indices.grid_dim;
    uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    const int *most = device->maxGridSize;
    if (blocks > 0 && blocks <= UINT32_MAX && grid.x <= (unsigned)most[0] &&
        grid.y <= (unsigned)most[1] && grid.z <= (unsigned)most[2])
        return true;
    runtime_refuse(cudaErrorInvalidConfiguration,
                   "%s: a grid of %u x %u x %u blocks: 1 to %d x %d x %d are possible",
                   engine.kernel, grid.x, grid.y, grid.z, most[0], most[1], most[2]);
    return false;
}

static bool shared_is_possible(size_t most)
{
    if (engine.dynamic_shared_bytes <= most)
        return true;
    runtime_refuse(cudaErrorInvalidValue,
                   "%s: %llu bytes of dynamic shared memory: 0 to %zu are possible", engine.kernel,
                   (unsigned long long)engine.dynamic_shared_bytes, most);
    return false;
}

/* As many as cudaOccupancyMaxActiveBlocksPerMultiprocessor says, on each SM. */
static bool is_all_resident(const struct cudaDeviceProp *device)
{
    const dim3 grid = engine_indices.grid_dim, block = engine_indices.block_dim;
    const uint64_t blocks = (uint64_t)grid.x * grid.y * grid.z;
    int each = 0;
    if (!engine.is_cooperative)
        return true;
    if (!device->cooperativeLaunch) {
        runtime_refuse(cudaErrorNotSupported,
                       "%s: cooperative launches are for GPUs from sm_60 on: choose another with "
                       "--gpu",
                       engine.kernel);
        return false;
    }
    wl_occupancy_blocks(&each, (int)(block.x * block.y * block.z), engine.dynamic_shared_bytes);
    if (blocks <= (uint64_t)each * (unsigned)device->multiProcessorCount)
        return true;
    runtime_refuse(cudaErrorCooperativeLaunchTooLarge,
                   "%s: a cooperative launch of %llu blocks: at most %d on each of %d SMs are "
                   "resident at once",
                   engine.kernel, (unsigned long long)blocks, each, device->multiProcessorCount);
    return false;
}

bool launch_is_possible(const struct cudaDeviceProp *device, size_t dynamic_shared_max)
{
    return block_is_possible(device) && grid_is_possible(device) &&
           shared_is_possible(dynamic_shared_max) && cluster_is_possible(device) &&
           is_all_resident(device);
}

bool launch_arrays_are_possible(const struct launch_info *launch)
{
    if (launch->array_count > CODEC_ARRAYS_MAX)
        tracer_fail("%s: %zu arrays are allocated; allowed: %d at a time; free those that are no "
                    "longer used",
                    launch->kernel, launch->array_count, CODEC_ARRAYS_MAX);
    else if (launch->managed_count > MANAGED_ARRAYS_MAX)
        tracer_fail("%s: %zu managed arrays are allocated; allowed: %d at a time; free those that "
                    "are no longer "
                    "used, or take cudaMalloc",
                    launch->kernel, launch->managed_count, MANAGED_ARRAYS_MAX);
    return !engine.failed;
}
