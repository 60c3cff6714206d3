/* async_copy.h - asynchronous copies from global to shared memory (cp.async, LDGSTS): what one warp access of them counts.
 *
 * Measured on an H200 (sm_90) and applied from sm_80 on; docs/model.md has the rules and how far they hold. Pure functions, no
 * state.
 */
#ifndef WARPLENS_SIM_RULES_ASYNC_COPY_H
#define WARPLENS_SIM_RULES_ASYNC_COPY_H

#include "sim/rules/access.h"

struct async_copy_counts {
    uint32_t requests; /* 1 if any lane reads */
    uint32_t sectors; /* of global memory; past the L1 a sector counts for each sector it goes to */
    uint32_t ideal_sectors;  /* those that the distinct bytes read would fit in */
    uint32_t passes;         /* into shared memory, as the profiler foretells them */
    uint32_t conflicts;      /* of them, those that lanes' conflicts add */
    uint32_t tag_wavefronts; /* at least 1 */
    uint32_t data_passes;    /* that the L1's data stage makes, its zeros included */
    uint32_t bank_writes;    /* words, even */
    uint32_t l2_requests;    /* if all miss the L1; past it a bound, nearly */
    uint32_t bytes_read;
};

/* The lanes that read; may be 0. */
uint32_t async_copy_reading(const struct warp_access *access);

/* ---- Past the L1 (async_copy_pieces.c) ---- */

/* How data go from the crossbar to shared memory. */
struct async_copy_pieces {
    uint32_t
        sectors; /* distinct triples of source sector, destination sector, halves straight or swapped */
    uint32_t halves;             /* that are written, over those sectors */
    uint32_t count;              /* pieces */
    uint64_t line[WARP_LANES];   /* by piece: of the source */
    uint8_t in_line[WARP_LANES]; /* ... and its sectors there, a bit each */
};

/* `access` has a copy. Past the L1 `asked` becomes the pieces that L2 is asked for; through it it stays as it is. */
struct async_copy_counts async_copy_count(const struct warp_access *access,
                                          struct async_copy_pieces *asked);

/* With `zeros_hide` a lane that writes zeros alone hides later ones with its destination, too. */
void async_copy_find_pieces(const struct warp_access *access, bool zeros_hide,
                            struct async_copy_pieces *pieces);

#endif
