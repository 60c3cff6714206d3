/* cuda_api.c - the part of the CUDA runtime API that host code of kernels uses. Device memory is
 * host memory here, so copies are copies; what they do besides is keep track of which bytes are
 * written. */
#include <string.h>

#include "sim/managed.h"
#include "trace/engine.h"
#include "warplens/cuda.h"

static cudaError_t last_error;

void cuda_api_start(void)
{
    last_error = cudaSuccess;
}

static cudaError_t answer(cudaError_t error)
{
    if (error != cudaSuccess)
        last_error = error;
    return error;
}

/* "&d_in" and "(void **)&d_in" name the array d_in. */
static cudaError_t allocate(enum array_home home, void **pointer, size_t bytes,
                            const char *expression, const char *call)
{
    const char *cast = strstr(expression, "*)");
    expression = cast ? cast + 2 : expression;
    while (*expression == '&' || *expression == ' ' || *expression == '(')
        expression++;
    *pointer = memory_allocate_at(home, bytes, expression);
    if (*pointer == NULL)
        tracer_fail("%s of %zu bytes for %s: no room in device memory", call, bytes, expression);
    return answer(*pointer ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t wl_cuda_malloc(void **pointer, size_t bytes, const char *expression)
{
    return allocate(HOME_DEVICE, pointer, bytes, expression, "cudaMalloc");
}

cudaError_t wl_host_alloc(void **pointer, size_t bytes, const char *expression)
{
    return allocate(HOME_HOST, pointer, bytes, expression, "cudaHostAlloc");
}

cudaError_t wl_cuda_malloc_managed(void **pointer, size_t bytes, const char *expression)
{
    return allocate(HOME_MANAGED, pointer, bytes, expression, "cudaMallocManaged");
}

cudaError_t wl_host_device_pointer(void **device, void *host)
{
    bool pinned = memory_holds(host, 1) &&
                  memory_array_at((uintptr_t)host - device_arena.base)->home == HOME_HOST;
    *device = pinned ? host : NULL;
    return answer(pinned ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return cudaFree(pointer);
}

cudaError_t wl_prefetch(const void *pointer, size_t bytes, int device)
{
    uint8_t how = device == cudaCpuDeviceId ? MANAGED_TOUCHED : MANAGED_PREFETCHED;
    if (memory_touch(pointer, bytes, how))
        return cudaSuccess;
    tracer_fail("cudaMemPrefetchAsync of %zu bytes: the range is outside every managed array",
                bytes);
    return answer(cudaErrorInvalidValue);
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaFree(void *pointer)
{
    return answer(pointer == NULL || memory_free(pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (engine.failed)
        return answer(cudaErrorLaunchFailure);
    if (memory_is_arena(from) && !memory_holds(from, bytes)) {
        tracer_fail("cudaMemcpy (kind %d) of %zu bytes: the source is outside every device array",
                    (int)kind, bytes);
        return answer(cudaErrorInvalidValue);
    }
    if (memory_is_arena(to) && !memory_write(to, bytes)) {
        tracer_fail(
            "cudaMemcpy (kind %d) of %zu bytes: the destination is outside every device array",
            (int)kind, bytes);
        return answer(cudaErrorInvalidValue);
    }
    memory_touch(to, bytes, MANAGED_TOUCHED); /* a copy to managed memory lands on the host */
    memcpy(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
    if (!memory_write(pointer, bytes)) {
        tracer_fail("cudaMemset of %zu bytes: the range is outside every device array", bytes);
        return answer(cudaErrorInvalidValue);
    }
    memory_touch(pointer, bytes, MANAGED_SET);
    memset(pointer, value, bytes);
    return cudaSuccess;
}

cudaError_t wl_memcpy_to_symbol(void *symbol, const void *from, size_t bytes)
{
    memcpy(symbol, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return engine.failed ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = engine.failed ? cudaErrorLaunchFailure : last_error;
    last_error = cudaSuccess;
    return error;
}

const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    default:
        return "unspecified launch failure";
    }
}

void wl_read_only_array(const void *device_pointer)
{
    if (!memory_is_arena(device_pointer))
        return;
    struct device_array *array = memory_array_at((uintptr_t)device_pointer - device_arena.base);
    if (array) {
        array->read_only = true;
        device_arena.read_only_arrays = true;
        engine.special_loads = true;
    }
}
