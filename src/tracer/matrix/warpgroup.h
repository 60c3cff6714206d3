/* warpgroup.h - wgmma: what a lane has given for a product of its warpgroup (warplens/cuda_matrix_calls.h). */
#ifndef WARPLENS_TRACER_MATRIX_WARPGROUP_H
#define WARPLENS_TRACER_MATRIX_WARPGROUP_H

#include "tracer/matrix/matrices.h"

enum {
    WARP_ROWS = 16,      /* of A and D */
    COLUMNS_MAX = 256,   /* of B and D */
    DEPTH_BYTES = 32,    /* of a row of A, and of a column of B */
    REGISTERS_MAX = 128, /* of D */
};

struct warpgroup_lane {
    uint32_t d[REGISTERS_MAX];
    uint64_t a, b; /* descriptors */
    unsigned flags;
    bool differs; /* from the warp's first lane, in these */
};

/* warpgroup.c: where the bytes at an address of a descriptor are; NULL: outside of what the program has of shared memory. */
const char *warpgroup_bytes(uint32_t address);

/* warpgroup_product.c: the 16 rows of a warp, D into its lanes. `rank`: which of the warpgroup's warps it is; `given`: the lanes' A where
 * it is in registers. Sums are as mma.sync's (matrices.h). */
void warpgroup_make(const struct wl_warpgroup_product *product, unsigned rank,
                    const struct matrix_lane given[WARP_LANES],
                    struct warpgroup_lane lanes[WARP_LANES]);
/* warpgroup.c: when all lanes of a warp have come. */
void warpgroup_resolve(const struct lane *first, const struct warp_op *op,
                       const struct matrix_lane given[WARP_LANES]);
/* A block begins. */
void warpgroups_block(void);

#endif
