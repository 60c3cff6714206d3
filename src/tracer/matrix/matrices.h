/* matrices.h - matrix fragments: what a warp's lanes do together (warplens/cuda_matrix_calls.h). */
#ifndef WARPLENS_TRACER_MATRIX_MATRICES_H
#define WARPLENS_TRACER_MATRIX_MATRICES_H

#include "tracer/engine.h"
#include "warplens/cuda_matrix_calls.h"

enum matrix_op {
    MATRIX_MEET,
    MATRIX_ROWS, /* an access as ldmatrix's, without what it loads */
    MATRIX_LOAD,
    MATRIX_STORE,
    MATRIX_PRODUCT,
    MATRIX_WARPGROUP, /* wgmma: of a warp, its rows (warpgroup.h) */
};

/* In words of 8 bytes, those of a lane's fragment. */
enum { FRAGMENT_WORDS = 4 };

/* What a lane has given for its next function, by enum wl_matrix_use, and what its last one gives back. */
struct matrix_lane {
    uint64_t given[3][FRAGMENT_WORDS], back[FRAGMENT_WORDS];
};

/* warp_events.c: at lanes `group`, which have come to one of them. The access, in front of what it moves. */
void matrices_emit(struct warp *warp, const struct merged_event *event);
/* intrinsics.c: what it moves. The lanes' result is the group, and without all lanes nothing is moved. */
void matrices_resolve(struct lane *lanes, uint32_t group);

/* The running lane comes to it, and goes on when all 32 have; without them the launch ends. */
void matrices_meet(struct warp_op op, uintptr_t pc);

/* product.c: D = A B + C of the 32 lanes of a warp. Sums begin with C and take the products of k = 0, 1, ... in turn: of 2-byte
 * and tf32 elements in float, each sum rounded to nearest; a half is rounded once, at the end. */
/* Bytes of an element of A. */
unsigned product_element_bytes(const struct wl_product *product);
void product_make(const struct wl_product *product, struct matrix_lane lanes[WARP_LANES]);

#endif
