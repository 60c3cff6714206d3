/* l1_plan.h - the L1 stages of one access spelt out: which line is looked up in which tag
 * wavefront, and how many bank passes each wavefront makes. Internal to explain; the tests hold its
 * sums against l1stage.h.
 */
#ifndef WARPLENS_EXPLAIN_L1_PLAN_H
#define WARPLENS_EXPLAIN_L1_PLAN_H

#include "sim/rules/access.h"

enum { TAG_BANKS = 4 };

struct tag_line {
    uint64_t addr;  /* of the 128-byte line */
    uint32_t lanes; /* that want a word of it */
    uint8_t bank, wavefront;
};

struct l1_plan {
    uint32_t lines;
    struct tag_line line[WARP_LANES]; /* by lowest lane */
    uint32_t wavefronts;
    uint32_t lanes[WARP_LANES]; /* by wavefront */
    uint32_t batches;           /* of wavefronts whose lanes pass the data banks together */
    uint32_t batch_lanes[WARP_LANES];
    uint32_t passes[WARP_LANES]; /* by batch */
    uint32_t repeats;            /* passes of stores that are made again */
    uint32_t data_passes;        /* the sum of both */
};

void l1_plan_make(const struct warp_access *a, struct l1_plan *plan);

#endif
