/* runtime_memory.c - arrays that kernels can reach: allocated, freed, asked about.
 *
 * Device memory is host memory here, known by the name of the variable that the program keeps its
 * pointer in.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stream/managed_range.h"
#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda_graphs.h"

enum { PITCH_BYTES = 512, NAME_BYTES = 48 };

/* Bytes of an argument: up to the first comma outside of brackets, or a bracket too many. */
static size_t first_argument(const char *text)
{
    int depth = 0;
    size_t at = 0;
    for (; text[at] && (text[at] != ',' || depth > 0) && depth >= 0; at++)
        depth += (strchr("([{", text[at]) != NULL) - (strchr(")]}", text[at]) != NULL);
    return at - (depth < 0);
}

/* "&d_in, bytes", "(void **)&d_in" and "reinterpret_cast<void **>(&d_in)" name the array d_in. */
static void name_of(const char *expression, char *name)
{
    const char *cast = strstr(expression, "*)");
    cast = cast ? cast : strstr(expression, "*>");
    if (cast && (size_t)(cast - expression) < first_argument(expression) + 2)
        expression = cast + 2;
    while (*expression == '&' || *expression == ' ' || *expression == '(')
        expression++;
    snprintf(name, NAME_BYTES, "%.*s", (int)first_argument(expression), expression);
}

/* Bytes that can still be had in device memory. */
static size_t free_bytes(void)
{
    size_t total = runtime_limits()->properties.totalGlobalMem;
    return device_arena.live_bytes < total ? total - device_arena.live_bytes : 0;
}

/* Whether this computer can hold it: each byte of an array takes one for its state as soon as it is allocated. */
static bool computer_holds(size_t bytes)
{
    const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    const size_t most = memory / 8 * 7, live = device_arena.live_bytes;
    return live <= most && bytes <= most - live && bytes <= device_arena.bytes;
}

static cudaError_t allocate(enum array_home home, void **pointer, size_t bytes,
                            const char *expression, const char *call)
{
    char name[NAME_BYTES];
    name_of(expression, name);
    *pointer = NULL;
    if (runtime_state())
        return runtime_state();
    if (engine.program && bytes == 0)
        return cudaSuccess;
    const bool holds = !engine.program || home == HOME_HOST || bytes <= free_bytes();
    if (holds && computer_holds(bytes))
        *pointer = memory_allocate_at(home, bytes, name);
    if (*pointer)
        return cudaSuccess;
    return runtime_refuse(
        cudaErrorMemoryAllocation, "%s of %zu bytes for %s: no room in %s", call, bytes, name,
        holds && engine.program ? "the memory of this computer, which stands in for the GPU's"
                                : "device memory");
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

static size_t pitch_of(size_t width_bytes)
{
    return (width_bytes + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
}

cudaError_t wl_cuda_malloc_pitch(void **pointer, size_t *pitch, size_t width_bytes, size_t height,
                                 const char *expression)
{
    *pitch = pitch_of(width_bytes);
    return allocate(HOME_DEVICE, pointer, *pitch * height, expression, "cudaMallocPitch");
}

cudaError_t wl_cuda_malloc_3d(struct cudaPitchedPtr *pointer, struct cudaExtent extent,
                              const char *expression)
{
    *pointer = (struct cudaPitchedPtr){
        .pitch = pitch_of(extent.width), .xsize = extent.width, .ysize = extent.height};
    return allocate(HOME_DEVICE, &pointer->ptr, pointer->pitch * extent.height * extent.depth,
                    expression, "cudaMalloc3D");
}

cudaError_t wl_host_register(void *pointer, size_t bytes, const char *expression)
{
    char name[NAME_BYTES];
    name_of(expression, name);
    if (memory_is_arena(pointer))
        return runtime_refuse(cudaErrorHostMemoryAlreadyRegistered,
                              "cudaHostRegister of %s: kernels can reach it already", name);
    uint64_t offset = memory_reserve(bytes);
    if (offset == MEMORY_NOWHERE || !memory_add_outside(HOME_HOST, pointer, bytes, offset, name))
        return runtime_refuse(cudaErrorMemoryAllocation,
                              "cudaHostRegister of %zu bytes: no room for their addresses", bytes);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void *pointer)
{
    return runtime_answer(memory_free(pointer) ? cudaSuccess : cudaErrorHostMemoryNotRegistered);
}

cudaError_t wl_host_device_pointer(void **device, void *host)
{
    bool pinned = memory_holds(host, 1) && memory_array_at(memory_offset(host))->home == HOME_HOST;
    *device = pinned ? host : NULL;
    return runtime_answer(pinned ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFree(void *pointer)
{
    if (pointer == NULL || graph_memory_free(pointer))
        return runtime_state();
    return runtime_answer(memory_free(pointer) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return cudaFree(pointer);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    return graph_records(stream) ? graph_capture_free(stream, pointer) : cudaFree(pointer);
}

cudaError_t cudaMemGetInfo(size_t *free_now, size_t *total)
{
    *free_now = free_bytes();
    *total = runtime_limits()->properties.totalGlobalMem;
    return runtime_state();
}

cudaError_t wl_prefetch(const void *pointer, size_t bytes, int device)
{
    uint8_t how = device == cudaCpuDeviceId ? MANAGED_TOUCHED : MANAGED_PREFETCHED;
    if (memory_touch(pointer, bytes, how))
        return cudaSuccess;
    return runtime_refuse(
        cudaErrorInvalidValue,
        "cudaMemPrefetchAsync of %zu bytes: the range is outside every managed array", bytes);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          int device)
{
    (void)device;
    if (advice >= cudaMemAdviseSetReadMostly && advice <= cudaMemAdviseUnsetAccessedBy &&
        memory_holds(pointer, bytes) &&
        memory_array_at(memory_offset(pointer))->home == HOME_MANAGED)
        return cudaSuccess;
    return runtime_refuse(cudaErrorInvalidValue,
                          "cudaMemAdvise of %zu bytes: the range is outside every managed array",
                          bytes);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    static const enum cudaMemoryType types[] = {[HOME_DEVICE] = cudaMemoryTypeDevice,
                                                [HOME_HOST] = cudaMemoryTypeHost,
                                                [HOME_MANAGED] = cudaMemoryTypeManaged};
    void *address = (void *)(uintptr_t)pointer;
    *attributes = (struct cudaPointerAttributes){
        .type = cudaMemoryTypeUnregistered, .device = cudaInvalidDeviceId, .hostPointer = address};
    if (!memory_holds(pointer, 1))
        return cudaSuccess;
    attributes->type = types[memory_array_at(memory_offset(pointer))->home];
    attributes->device = 0;
    attributes->devicePointer = address;
    if (attributes->type == cudaMemoryTypeDevice)
        attributes->hostPointer = NULL;
    return cudaSuccess;
}

void wl_read_only_array(const void *device_pointer)
{
    if (!memory_is_arena(device_pointer))
        return;
    struct device_array *array = memory_array_at(memory_offset(device_pointer));
    if (array) {
        array->read_only = true;
        device_arena.read_only_arrays = true;
        engine.special_loads = true;
    }
}
