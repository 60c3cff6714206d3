/* array_copies.c - copies to and from CUDA arrays.
 *
 * A row goes through a buffer of the host: between buffer and pointer it is cudaMemcpy's, with its checks,
 * between buffer and array it is put where the layout has it.
 */
#include <stdlib.h>
#include <string.h>

#include "tracer/engine.h"
#include "tracer/runtime/arrays.h"
#include "tracer/runtime/runtime.h"

/* One side of a copy: an array at bytes x of row y in slice z, or a pointer and its pitches. */
struct side {
    struct cudaArray *array;
    size_t x, y, z;
    char *pointer;
    size_t pitch, slice_pitch;
};

static struct side side_of_array(cudaArray_const_t array, size_t x, size_t y, size_t z)
{
    return (struct side){.array = (struct cudaArray *)(uintptr_t)array, .x = x, .y = y, .z = z};
}

static struct side side_of_rows(const void *pointer, size_t pitch)
{
    return (struct side){.pointer = (char *)(uintptr_t)pointer, .pitch = pitch};
}

static size_t run_at(size_t x, size_t bytes)
{
    const size_t left = RUN_BYTES - x % RUN_BYTES;
    return left < bytes ? left : bytes;
}

static void take_from_array(char *row, const struct side *from, size_t bytes, size_t y, size_t z)
{
    for (size_t at = 0, run; at < bytes; at += run) {
        run = run_at(from->x + at, bytes - at);
        memcpy(row + at, array_at(from->array, from->x + at, from->y + y, from->z + z), run);
    }
}

static void put_into_array(const struct side *to, const char *row, size_t bytes, size_t y, size_t z)
{
    for (size_t at = 0, run; at < bytes; at += run) {
        run = run_at(to->x + at, bytes - at);
        char *place = array_at(to->array, to->x + at, to->y + y, to->z + z);
        memory_write(place, run);
        memcpy(place, row + at, run);
    }
}

/* The kind of the part of a copy between the host's buffer and a pointer. */
static enum cudaMemcpyKind kind_with_buffer(enum cudaMemcpyKind kind, bool to_pointer)
{
    if (kind == cudaMemcpyDefault)
        return kind;
    if (to_pointer)
        return kind == cudaMemcpyDeviceToHost ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return kind == cudaMemcpyHostToDevice ? cudaMemcpyHostToHost : cudaMemcpyDeviceToHost;
}

static cudaError_t copy_row(char *row, const struct side *to, const struct side *from, size_t bytes,
                            size_t y, size_t z, enum cudaMemcpyKind kind)
{
    cudaError_t error = cudaSuccess;
    if (from->array)
        take_from_array(row, from, bytes, y, z);
    else
        error = cudaMemcpy(row, from->pointer + y * from->pitch + z * from->slice_pitch, bytes,
                           kind_with_buffer(kind, false));
    if (error != cudaSuccess)
        return error;
    if (to->array == NULL)
        return cudaMemcpy(to->pointer + y * to->pitch + z * to->slice_pitch, row, bytes,
                          kind_with_buffer(kind, true));
    put_into_array(to, row, bytes, y, z);
    return cudaSuccess;
}

/* Written so that no sum overflows. */
static bool side_holds(const struct side *side, struct cudaExtent box)
{
    const struct cudaArray *a = side->array;
    if (a == NULL)
        return true;
    return array_is_live(a) && side->x <= a->width_bytes && box.width <= a->width_bytes - side->x &&
           side->y <= a->rows && box.height <= a->rows - side->y && side->z <= a->slices &&
           box.depth <= a->slices - side->z;
}

/* Whether the kind has arrays in device memory. */
static bool kind_fits(const struct side *to, const struct side *from, enum cudaMemcpyKind kind)
{
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    return kind == cudaMemcpyDefault ||
           ((!to->array || to_device) && (!from->array || from_device));
}

/* `box` in bytes, rows and slices. */
static cudaError_t copy_box(const char *call, struct side to, struct side from,
                            struct cudaExtent box, enum cudaMemcpyKind kind)
{
    if (runtime_state())
        return runtime_answer(runtime_state());
    if (!side_holds(&to, box) || !side_holds(&from, box))
        return runtime_refuse(cudaErrorInvalidValue,
                              "%s of %zu bytes of %zu rows of %zu slices: the CUDA array does not "
                              "hold them, or is none",
                              call, box.width, box.height, box.depth);
    if (!kind_fits(&to, &from, kind))
        return runtime_refuse(cudaErrorInvalidMemcpyDirection,
                              "%s (kind %d): the kind says that a CUDA array is on the host", call,
                              (int)kind);
    char *row = malloc(box.width + 1);
    cudaError_t error = row ? cudaSuccess : runtime_answer(cudaErrorMemoryAllocation);
    for (size_t z = 0; z < box.depth; z++)
        for (size_t y = 0; y < box.height && error == cudaSuccess; y++)
            error = copy_row(row, &to, &from, box.width, y, z, kind);
    free(row);
    return error;
}

/* ---- Bytes in a row of rows --------------------------------------------------------------------- */

/* `bytes` that begin at (x, y) of an array and go on in its next rows. */
static cudaError_t copy_bytes(const char *call, cudaArray_const_t array, size_t x, size_t y,
                              char *pointer, size_t bytes, bool to_array, enum cudaMemcpyKind kind)
{
    cudaError_t error = cudaSuccess;
    const size_t width = array_is_live(array) ? array->width_bytes : 0;
    if (width == 0 || x >= width)
        return runtime_refuse(cudaErrorInvalidValue, "%s: no CUDA array has a byte %zu in a row",
                              call, x);
    for (size_t at = 0, part; at < bytes && error == cudaSuccess; at += part, x = 0, y++) {
        part = bytes - at < width - x ? bytes - at : width - x;
        const struct side inside = side_of_array(array, x, y, 0);
        const struct side outside = side_of_rows(pointer + at, 0);
        error = copy_box(call, to_array ? inside : outside, to_array ? outside : inside,
                         (struct cudaExtent){part, 1, 1}, kind);
    }
    return error;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    return copy_bytes("cudaMemcpyToArray", to, x, y, (char *)(uintptr_t)from, bytes, true, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    return copy_bytes("cudaMemcpyFromArray", from, x, y, to, bytes, false, kind);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyToArray(to, x, y, from, bytes, kind);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyFromArray(to, from, x, y, bytes, kind);
}

/* ---- Rectangles and boxes ----------------------------------------------------------------------- */

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width_bytes, size_t height, enum cudaMemcpyKind kind)
{
    if (width_bytes > pitch)
        return runtime_answer(cudaErrorInvalidPitchValue);
    return copy_box("cudaMemcpy2DToArray", side_of_array(to, x, y, 0), side_of_rows(from, pitch),
                    (struct cudaExtent){width_bytes, height, 1}, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width_bytes, size_t height,
                                  enum cudaMemcpyKind kind)
{
    if (width_bytes > pitch)
        return runtime_answer(cudaErrorInvalidPitchValue);
    return copy_box("cudaMemcpy2DFromArray", side_of_rows(to, pitch), side_of_array(from, x, y, 0),
                    (struct cudaExtent){width_bytes, height, 1}, kind);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width_bytes, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width_bytes, height, kind);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width_bytes, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width_bytes, height, kind);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width_bytes, size_t height, enum cudaMemcpyKind kind)
{
    return copy_box("cudaMemcpy2DArrayToArray", side_of_array(to, to_x, to_y, 0),
                    side_of_array(from, from_x, from_y, 0),
                    (struct cudaExtent){width_bytes, height, 1}, kind);
}

/* Positions count elements in an array, bytes at a pointer. */
static struct side side_3d(cudaArray_t array, struct cudaPitchedPtr p, struct cudaPos at)
{
    if (array)
        return side_of_array(array, at.x * array->texel_bytes, at.y, at.z);
    struct side side = side_of_rows(p.ptr, p.pitch);
    side.slice_pitch = p.pitch * p.ysize;
    side.pointer += at.x + at.y * p.pitch + at.z * side.slice_pitch;
    return side;
}

cudaError_t array_copy_3d(const struct cudaMemcpy3DParms *p)
{
    if ((p->srcArray && !array_is_live(p->srcArray)) ||
        (p->dstArray && !array_is_live(p->dstArray)))
        return runtime_refuse(cudaErrorInvalidValue, "cudaMemcpy3D: not a CUDA array");
    const struct cudaArray *array = p->srcArray ? p->srcArray : p->dstArray;
    const struct cudaExtent box = {p->extent.width * array->texel_bytes, p->extent.height,
                                   p->extent.depth};
    return copy_box("cudaMemcpy3D", side_3d(p->dstArray, p->dstPtr, p->dstPos),
                    side_3d(p->srcArray, p->srcPtr, p->srcPos), box, p->kind);
}
