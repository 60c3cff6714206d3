/* runtime_copy.c - copies and fills. Device memory is host memory here, so copies are copies; what
 * they do besides is keep track of which bytes are written, and tell a program what it got wrong.
 */
#include <string.h>

#include "stream/managed_range.h"
#include "tracer/engine.h"
#include "tracer/runtime/arrays.h"
#include "tracer/runtime/runtime.h"

/* Whether a side of a copy is where `kind` says; managed and pinned memory is on both. */
static bool side_is(const void *pointer, bool device)
{
    uint64_t offset = memory_offset(pointer), constant;
    const struct device_array *array = offset == MEMORY_NOWHERE ? NULL : memory_array_at(offset);
    if (array && array->home != HOME_DEVICE)
        return true;
    return device == (array != NULL || variables_is_constant(pointer, &constant));
}

static bool kind_fits(const void *to, const void *from, enum cudaMemcpyKind kind)
{
    if (kind == cudaMemcpyDefault)
        return true;
    return side_is(to, kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice) &&
           side_is(from, kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice);
}

static cudaError_t copy(const char *call, void *to, const void *from, size_t bytes,
                        enum cudaMemcpyKind kind)
{
    if (runtime_state())
        return runtime_answer(runtime_state());
    if (bytes == 0)
        return cudaSuccess;
    if (memory_is_arena(from) && !memory_holds(from, bytes))
        return runtime_refuse(cudaErrorInvalidValue,
                              "%s (kind %d) of %zu bytes: the source is outside every device array",
                              call, (int)kind, bytes);
    if (engine.program && !kind_fits(to, from, kind))
        return runtime_refuse(
            cudaErrorInvalidValue,
            "%s (kind %d) of %zu bytes: the kind says other sides than the pointers", call,
            (int)kind, bytes);
    if (memory_is_arena(to) && !memory_write(to, bytes))
        return runtime_refuse(
            cudaErrorInvalidValue,
            "%s (kind %d) of %zu bytes: the destination is outside every device array", call,
            (int)kind, bytes);
    memory_touch(to, bytes, MANAGED_TOUCHED); /* a copy to managed memory lands on the host */
    memmove(to, from, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return copy("cudaMemcpy", to, from, bytes, kind);
}

/* What a copy or a fill was called with, for a graph: rows of `width` bytes. */
struct kept_copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    enum cudaMemcpyKind kind;
    int value; /* of a fill */
};

static void run_copy(const void *data)
{
    const struct kept_copy *c = data;
    copy("cudaMemcpyAsync", c->to, c->from, c->width, c->kind);
}

static void run_copy_2d(const void *data)
{
    const struct kept_copy *c = data;
    cudaMemcpy2D(c->to, c->to_pitch, c->from, c->from_pitch, c->width, c->height, c->kind);
}

void runtime_run_copy_3d(const void *data)
{
    cudaMemcpy3D(data);
}

static void run_fill(const void *data)
{
    const struct kept_copy *c = data;
    cudaMemset(c->to, c->value, c->width);
}

static void run_fill_2d(const void *data)
{
    const struct kept_copy *c = data;
    cudaMemset2D(c->to, c->to_pitch, c->value, c->width, c->height);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    const struct kept_copy kept = {.to = to, .from = from, .width = bytes, .kind = kind};
    if (graph_records(stream))
        return graph_add(stream, "cudaMemcpyAsync", cudaGraphNodeTypeMemcpy, run_copy, &kept,
                         sizeof kept);
    return copy("cudaMemcpyAsync", to, from, bytes, kind);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width_bytes, size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t error = runtime_state();
    if (width_bytes > to_pitch || width_bytes > from_pitch)
        return runtime_refuse(cudaErrorInvalidPitchValue,
                              "cudaMemcpy2D of rows of %zu bytes: the pitches %zu and %zu are less",
                              width_bytes, to_pitch, from_pitch);
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = copy("cudaMemcpy2D", (char *)to + row * to_pitch,
                     (const char *)from + row * from_pitch, width_bytes, kind);
    return error;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width_bytes, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    const struct kept_copy kept = {.to = to,
                                   .from = from,
                                   .to_pitch = to_pitch,
                                   .from_pitch = from_pitch,
                                   .width = width_bytes,
                                   .height = height,
                                   .kind = kind};
    if (graph_records(stream))
        return graph_add(stream, "cudaMemcpy2DAsync", cudaGraphNodeTypeMemcpy, run_copy_2d, &kept,
                         sizeof kept);
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width_bytes, height, kind);
}

static char *position(struct cudaPitchedPtr from, struct cudaPos at, size_t slice)
{
    return (char *)from.ptr + at.x + (at.y + (at.z + slice) * from.ysize) * from.pitch;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters)
{
    const struct cudaExtent extent = parameters->extent;
    cudaError_t error = runtime_state();
    if (parameters->srcArray || parameters->dstArray)
        return array_copy_3d(parameters);
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemcpy2D(
            position(parameters->dstPtr, parameters->dstPos, z), parameters->dstPtr.pitch,
            position(parameters->srcPtr, parameters->srcPos, z), parameters->srcPtr.pitch,
            extent.width, extent.height, parameters->kind);
    return error;
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters, cudaStream_t stream)
{
    if (graph_records(stream))
        return graph_add(stream, "cudaMemcpy3DAsync", cudaGraphNodeTypeMemcpy, runtime_run_copy_3d,
                         parameters, sizeof *parameters);
    return cudaMemcpy3D(parameters);
}

cudaError_t cudaMemset(void *pointer, int value, size_t bytes)
{
    if (engine.program && (runtime_state() || bytes == 0))
        return runtime_state();
    if (!memory_write(pointer, bytes))
        return runtime_refuse(cudaErrorInvalidValue,
                              "cudaMemset of %zu bytes: the range is outside every device array",
                              bytes);
    memory_touch(pointer, bytes, MANAGED_SET);
    memset(pointer, value, bytes);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream)
{
    const struct kept_copy kept = {.to = pointer, .width = bytes, .value = value};
    if (graph_records(stream))
        return graph_add(stream, "cudaMemsetAsync", cudaGraphNodeTypeMemset, run_fill, &kept,
                         sizeof kept);
    return cudaMemset(pointer, value, bytes);
}

cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width_bytes, size_t height)
{
    cudaError_t error = runtime_state();
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = cudaMemset((char *)pointer + row * pitch, value, width_bytes);
    return error;
}

cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width_bytes,
                              size_t height, cudaStream_t stream)
{
    const struct kept_copy kept = {
        .to = pointer, .to_pitch = pitch, .width = width_bytes, .height = height, .value = value};
    if (graph_records(stream))
        return graph_add(stream, "cudaMemset2DAsync", cudaGraphNodeTypeMemset, run_fill_2d, &kept,
                         sizeof kept);
    return cudaMemset2D(pointer, pitch, value, width_bytes, height);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent)
{
    cudaError_t error = runtime_state();
    for (size_t z = 0; z < extent.depth && error == cudaSuccess; z++)
        error = cudaMemset2D((char *)pointer.ptr + z * pointer.ysize * pointer.pitch, pointer.pitch,
                             value, extent.width, extent.height);
    return error;
}

/* ---- Variables --------------------------------------------------------------------------------- */

cudaError_t wl_memcpy_to_symbol(void *symbol, const void *from, size_t bytes)
{
    memcpy(symbol, from, bytes);
    return cudaSuccess;
}

static bool is_variable(const void *symbol)
{
    uint64_t offset;
    return memory_is_arena(symbol) || variables_is_constant(symbol, &offset);
}

static cudaError_t check_symbol(const char *call, const void *symbol, size_t size, size_t bytes,
                                size_t offset)
{
    if (runtime_state())
        return runtime_answer(runtime_state());
    if (!is_variable(symbol))
        return runtime_refuse(cudaErrorInvalidSymbol,
                              "%s: no __device__, __constant__ or __managed__ variable is there",
                              call);
    if (offset > size || bytes > size - offset)
        return runtime_refuse(cudaErrorInvalidValue,
                              "%s of %zu bytes at offset %zu: the variable has %zu bytes", call,
                              bytes, offset, size);
    return cudaSuccess;
}

cudaError_t wl_symbol_write(const void *symbol, size_t size, const void *from, size_t bytes,
                            size_t offset)
{
    cudaError_t error = check_symbol("cudaMemcpyToSymbol", symbol, size, bytes, offset);
    if (error == cudaSuccess)
        memcpy((char *)(uintptr_t)symbol + offset, from, bytes);
    return error;
}

cudaError_t wl_symbol_read(void *to, const void *symbol, size_t size, size_t bytes, size_t offset)
{
    cudaError_t error = check_symbol("cudaMemcpyFromSymbol", symbol, size, bytes, offset);
    if (error == cudaSuccess)
        memcpy(to, (const char *)symbol + offset, bytes);
    return error;
}

cudaError_t wl_symbol_address(void **pointer, const void *symbol)
{
    cudaError_t error = check_symbol("cudaGetSymbolAddress", symbol, 0, 0, 0);
    *pointer = error == cudaSuccess ? (void *)(uintptr_t)symbol : NULL;
    return error;
}
