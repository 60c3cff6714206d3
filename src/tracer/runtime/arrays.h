/* arrays.h - the inside of CUDA arrays, textures and surfaces.
 *
 *   arrays.c         CUDA arrays: allocation, layout
 *   array_copies.c   copies to and from them
 *   textures.c       texture objects and references
 *   texture_fetch.c  what a fetch gives: addressing, filtering, conversion; its access
 *   surfaces.c       surface objects and references, their loads and stores
 *
 * Layout. NVIDIA does not document that of CUDA arrays. Taken is the block-linear one of the surfaces of its Tegra X1
 * (Technical Reference Manual); other GPUs have the same GOBs, and maybe another order of sectors in them:
 *
 *   sector   32 bytes     16 bytes of 2 rows
 *   GOB      512 bytes    64 bytes of 8 rows: sectors of its left 32 bytes first, two of each pair of rows
 *   block                 1, 2, 4, 8 or 16 GOBs below each other: no more than the array has rows for
 *   array                 blocks from left to right, then rows of blocks; slices, layers and faces one after another
 *
 * 16 bytes at a multiple of 16 of a row lie together. Arrays of one dimension have their rows as they are.
 */
#ifndef WARPLENS_TRACER_RUNTIME_ARRAYS_H
#define WARPLENS_TRACER_RUNTIME_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "warplens/cuda_texture_calls.h"

enum { CHANNELS = 4, RUN_BYTES = 16 };

struct cudaArray {
    struct cudaChannelFormatDesc desc;
    struct cudaExtent extent; /* as the program has given it: 0 for a dimension that it lacks */
    unsigned flags;
    unsigned texel_bytes;
    size_t width_bytes, rows, slices; /* without padding, at least 1; slices, layers or faces */
    unsigned block_gobs;              /* 0: rows as they are */
    size_t blocks_across, slice_bytes;
    char *bytes;
    bool freed;
    struct cudaArray *older;
};

/* Bytes of a texel, 0 when no texture can have that format. */
unsigned channel_texel_bytes(const struct cudaChannelFormatDesc *desc);
unsigned channel_count(const struct cudaChannelFormatDesc *desc);

/* Whether it is one that is not freed; answers nothing. */
bool array_is_live(cudaArray_const_t array);
/* The byte at `x` of a row, which is within the array. */
char *array_at(cudaArray_const_t array, size_t x, size_t y, size_t z);
/* array_copies.c: cudaMemcpy3D where one side is an array. */
cudaError_t array_copy_3d(const struct cudaMemcpy3DParms *parameters);

/* What texture objects read. */
struct texture {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc sampler;
    struct cudaChannelFormatDesc format;
    unsigned texel_bytes;
    size_t width, height, depth; /* in texels, at least 1; depth: slices, layers or faces */
    cudaArray_const_t array;     /* NULL: `bytes` and `pitch` */
    char *bytes;
    size_t pitch;
    bool live;
};
/* Room for an item behind `count` in a table that never shrinks; `items`: the address of the pointer to them. */
bool table_make_room(void *items, size_t count, size_t *room, size_t item_bytes);

/* NULL when there is none of that number. */
const struct texture *texture_find(cudaTextureObject_t object);

#endif
