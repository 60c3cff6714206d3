/* arrays.c - CUDA arrays: how they lie in memory (arrays.h), allocated and asked about. */
#include "tracer/runtime/arrays.h"

#include <stdlib.h>

#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"

enum { GOB_WIDTH = 64, GOB_ROWS = 8, GOB_BYTES = GOB_WIDTH * GOB_ROWS, BLOCK_GOBS_MAX = 16 };
enum { CUBE_FACES = 6, EXTENT_MAX = 1 << 27 };

static struct cudaArray *newest;

bool table_make_room(void *items, size_t count, size_t *room, size_t item_bytes)
{
    void **at = items;
    if (count < *room)
        return true;
    const size_t wanted = *room ? 2 * *room : 16;
    void *grown = realloc(*at, wanted * item_bytes);
    if (grown == NULL)
        return false;
    *at = grown;
    *room = wanted;
    return true;
}

/* ---- Formats ------------------------------------------------------------------------------------ */

struct cudaChannelFormatDesc wl_channel_desc(int x, int y, int z, int w,
                                             enum cudaChannelFormatKind kind)
{
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

unsigned channel_count(const struct cudaChannelFormatDesc *desc)
{
    return (unsigned)(desc->x != 0) + (desc->y != 0) + (desc->z != 0) + (desc->w != 0);
}

/* 1, 2 or 4 channels of 8, 16 or 32 bits each; floats have 16 or 32. */
unsigned channel_texel_bytes(const struct cudaChannelFormatDesc *desc)
{
    const int bits[CHANNELS] = {desc->x, desc->y, desc->z, desc->w};
    const unsigned count = channel_count(desc);
    const bool is_float = desc->f == cudaChannelFormatKindFloat;
    for (unsigned i = 0; i < CHANNELS; i++)
        if (bits[i] != (i < count ? bits[0] : 0))
            return 0;
    if (count == 0 || count == 3 || (unsigned)desc->f > cudaChannelFormatKindFloat ||
        (bits[0] != 32 && bits[0] != 16 && (bits[0] != 8 || is_float)))
        return 0;
    return count * (unsigned)bits[0] / 8;
}

/* ---- Layout ------------------------------------------------------------------------------------- */

static size_t divide_up(size_t n, size_t by)
{
    return (n + by - 1) / by;
}

static void lay_out(struct cudaArray *array)
{
    const struct cudaExtent e = array->extent;
    array->width_bytes = e.width * array->texel_bytes;
    array->rows = e.height ? e.height : 1;
    array->slices = e.depth ? e.depth : 1;
    array->blocks_across = divide_up(array->width_bytes, GOB_WIDTH);
    array->block_gobs = e.height ? 1 : 0;
    while (array->block_gobs && array->block_gobs < BLOCK_GOBS_MAX &&
           array->block_gobs * GOB_ROWS < array->rows)
        array->block_gobs *= 2;
    const size_t gob_rows =
        array->block_gobs ? divide_up(array->rows, array->block_gobs * GOB_ROWS) * array->block_gobs
                          : 1;
    array->slice_bytes = e.height ? array->blocks_across * gob_rows * GOB_BYTES
                                  : divide_up(array->width_bytes, GOB_BYTES) * GOB_BYTES;
}

static size_t offset_in_gob(size_t x, size_t y)
{
    return x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

char *array_at(cudaArray_const_t array, size_t x, size_t y, size_t z)
{
    char *slice = array->bytes + z * array->slice_bytes;
    if (array->block_gobs == 0)
        return slice + x;
    const size_t gob_row = y / GOB_ROWS;
    const size_t block = gob_row / array->block_gobs * array->blocks_across + x / GOB_WIDTH;
    const size_t gob = block * array->block_gobs + gob_row % array->block_gobs;
    return slice + gob * GOB_BYTES + offset_in_gob(x % GOB_WIDTH, y % GOB_ROWS);
}

/* ---- The runtime's functions -------------------------------------------------------------------- */

bool array_is_live(cudaArray_const_t array)
{
    const struct cudaArray *known = newest;
    while (known && known != array)
        known = known->older;
    return known && !known->freed;
}

/* Why no array can be so; NULL when one can. */
static const char *extent_fault(struct cudaExtent e, unsigned flags)
{
    const bool layered = flags & cudaArrayLayered;
    if (e.width == 0 || e.width > EXTENT_MAX || e.height > EXTENT_MAX || e.depth > EXTENT_MAX)
        return "a width of 1 to 2^27 is possible";
    if (flags & cudaArrayCubemap)
        return e.width != e.height || e.depth == 0 || e.depth % CUBE_FACES ||
                       (!layered && e.depth != CUBE_FACES)
                   ? "a cubemap is square and has 6 faces, a layered one a multiple of 6"
                   : NULL;
    if (layered)
        return e.depth ? NULL : "a layered array has its layers as its depth";
    return e.depth && e.height == 0 ? "a depth needs a height" : NULL;
}

cudaError_t wl_malloc_array(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            struct cudaExtent extent, unsigned flags, const char *expression)
{
    *array = NULL;
    if (runtime_state())
        return runtime_state();
    const unsigned texel_bytes = channel_texel_bytes(desc);
    if (texel_bytes == 0)
        return runtime_refuse(cudaErrorInvalidChannelDescriptor,
                              "a CUDA array of channels of %d, %d, %d and %d bits: 1, 2 or 4 of 8, "
                              "16 or 32 bits each are possible",
                              desc->x, desc->y, desc->z, desc->w);
    const char *fault = extent_fault(extent, flags);
    if (fault)
        return runtime_refuse(cudaErrorInvalidValue, "a CUDA array of %zu x %zu x %zu: %s",
                              extent.width, extent.height, extent.depth, fault);
    struct cudaArray *made = calloc(1, sizeof *made);
    if (made == NULL)
        return runtime_answer(cudaErrorMemoryAllocation);
    *made = (struct cudaArray){
        .desc = *desc, .extent = extent, .flags = flags, .texel_bytes = texel_bytes};
    lay_out(made);
    cudaError_t error =
        wl_cuda_malloc((void **)&made->bytes, made->slice_bytes * made->slices, expression);
    if (error != cudaSuccess) {
        free(made);
        return error;
    }
    made->older = newest;
    newest = *array = made;
    return cudaSuccess;
}

/* Its description stays: a texture object may still have it, and a fetch then finds freed memory. */
cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (array == NULL)
        return runtime_state();
    if (!array_is_live(array))
        return runtime_answer(cudaErrorInvalidValue);
    array->freed = true;
    return cudaFree(array->bytes);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    if (!array_is_live(array))
        return runtime_answer(cudaErrorInvalidValue);
    if (desc)
        *desc = array->desc;
    if (extent)
        *extent = array->extent;
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    if (!array_is_live(array))
        return runtime_answer(cudaErrorInvalidValue);
    *desc = array->desc;
    return cudaSuccess;
}
