/* fragment.h - where the elements of a matrix fragment are: in the lanes of a warp, and in memory. Pure functions.
 *
 * A matrix lies in the lanes in tiles of 8 rows of 16 bytes (B: 8 columns): lane l has `held` neighbours of row l / 4 of each,
 * from the (l mod 4)th on. They fill 4 bytes; elements of 8 bytes are one a lane, in rows of 32 bytes. An accumulator's tile is 8 x 8,
 * with two neighbours a lane. A lane's elements come tile by tile: of A and accumulators down the rows first, of B down k
 * first. This is how PTX defines the fragments of mma.sync (PTX ISA, matrix fragments for mma); that nvcuda::wmma's are the same,
 * side by side, was read in the machine code of nvcc 13.0 for sm_90 for m16n16k16 of half and float, and is taken for all
 * (validation/fragments/README.md, 5).
 */
#ifndef WARPLENS_TRACER_MATRIX_FRAGMENT_H
#define WARPLENS_TRACER_MATRIX_FRAGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "warplens/cuda_matrix_calls.h"

struct fragment_place {
    unsigned row, column;
};

/* Neighbours that a lane has of a tile, and tiles. */
unsigned fragment_held(const struct wl_fragment *f);
unsigned fragment_tiles(const struct wl_fragment *f);
/* The first element of a tile. */
struct fragment_place fragment_tile(const struct wl_fragment *f, unsigned tile);
/* A lane's element `which` of a tile, from its first on. */
struct fragment_place fragment_within(const struct wl_fragment *f, unsigned lane, unsigned which);

/* The accesses that load or store it: `count` of `width` bytes a lane. */
struct fragment_plan {
    unsigned count, width;
    bool is_matrix; /* ldmatrix: lanes below `lanes` name rows */
    unsigned lanes;
};
struct fragment_plan fragment_plan(const struct wl_fragment *f, bool in_shared, bool load);
/* The element where a lane's access begins. */
uint64_t fragment_offset(const struct wl_fragment *f, const struct fragment_plan *plan,
                         unsigned access, unsigned lane, uint64_t ld);

#endif
