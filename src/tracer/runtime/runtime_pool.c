/* runtime_pool.c - the one pool of memory, whose allocations are cudaMalloc's; copies between devices, of which there is
 * one.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda_graphs.h"

struct CUmemPoolHandle_st {
    int reuse[3]; /* cudaMemPoolReuse..., as they are set when CUDA starts */
    uint64_t release_threshold;
};
static struct CUmemPoolHandle_st the_pool = {.reuse = {1, 1, 1}};

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    *pool = device == 0 ? &the_pool : NULL;
    return runtime_answer(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    return runtime_answer(device == 0 && pool == &the_pool ? cudaSuccess : cudaErrorInvalidValue);
}

static bool is_reuse(enum cudaMemPoolAttr attribute)
{
    return attribute >= cudaMemPoolReuseFollowEventDependencies &&
           attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    if (pool != &the_pool)
        return runtime_answer(cudaErrorInvalidValue);
    if (is_reuse(attribute))
        memcpy(&pool->reuse[attribute - 1], value, sizeof(int));
    else if (attribute == cudaMemPoolAttrReleaseThreshold)
        memcpy(&pool->release_threshold, value, sizeof pool->release_threshold);
    else if (attribute != cudaMemPoolAttrReservedMemHigh && attribute != cudaMemPoolAttrUsedMemHigh)
        return runtime_answer(cudaErrorInvalidValue);
    return runtime_state();
}

/* What is in use is all of the device's memory that is. */
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
    const uint64_t used = device_arena.live_bytes;
    if (pool != &the_pool || attribute < cudaMemPoolReuseFollowEventDependencies ||
        attribute > cudaMemPoolAttrUsedMemHigh)
        return runtime_answer(cudaErrorInvalidValue);
    if (is_reuse(attribute))
        memcpy(value, &pool->reuse[attribute - 1], sizeof(int));
    else if (attribute == cudaMemPoolAttrReleaseThreshold)
        memcpy(value, &pool->release_threshold, sizeof pool->release_threshold);
    else
        memcpy(value, &used, sizeof used);
    return runtime_state();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)bytes;
    return runtime_answer(pool == &the_pool ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t check_devices(const char *call, int to, int from)
{
    if (to == 0 && from == 0)
        return cudaSuccess;
    return runtime_refuse(cudaErrorInvalidDevice,
                          "%s from device %d to %d: there is one device, number 0", call, from, to);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    cudaError_t error = check_devices("cudaMemcpyPeer", to_device, from_device);
    return error ? error : cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    cudaError_t error = check_devices("cudaMemcpyPeerAsync", to_device, from_device);
    return error ? error : cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
}
