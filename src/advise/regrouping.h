/* regrouping.h - other threads for a launch's work: which recorded thread, or threads, a thread of the
 * changed launch stands for. Pure, and of shapes alone: regroup.h has the accesses.
 *
 * Recorded blocks are taken group by group, in their order; a group becomes blocks of the changed launch,
 * one behind the other.
 */
#ifndef WARPLENS_ADVISE_REGROUPING_H
#define WARPLENS_ADVISE_REGROUPING_H

#include "stream/stream.h"

enum regroup_kind {
    REGROUP_NONE,
    REGROUP_SWAP,  /* threadIdx.x and threadIdx.y change roles */
    REGROUP_SORT,  /* a block's threads in the order of their accesses' number, most first */
    REGROUP_MERGE, /* `factor` blocks that are neighbours in x become one as wide as all */
    REGROUP_SHAPE, /* blocks `factor` times as wide, with that part of the rows */
    REGROUP_CHAIN, /* `factor` blocks that are neighbours in x become one that does their work in turn */
    REGROUP_VECTOR, /* `factor` threads that are neighbours in x become one with wider accesses */
    REGROUP_SPLIT,  /* a block becomes `factor` ones that are neighbours in x */
    REGROUP_DEAL, /* iterations of a block's loop are dealt out among `factor` blocks, each of `wider`
                       times as many threads */
};

struct regrouping {
    enum regroup_kind kind;
    const char *kernel; /* launches of this kernel change, */
    uint32_t block[3];  /* those with such blocks */
    uint32_t factor;
    uint32_t wider;  /* REGROUP_DEAL: above 1 for a single block of one dimension alone */
    bool swaps_grid; /* REGROUP_SWAP: blockIdx.x and y too; blocks must come column by column */
};

struct launch_shape {
    uint32_t grid[3], block[3];
};

/* A recorded thread: its block within the group, its index in the block. */
struct thread_origin {
    uint32_t block, thread;
};

/* Whether both change the same launches. */
bool regrouping_is_of_same(const struct regrouping *a, const struct regrouping *b);
bool regrouping_applies(const struct regrouping *r, const struct launch_info *launch);

/* The changed launch's shape; false where there is none, as when a block would have too many threads. */
bool regrouping_shape(const struct regrouping *r, const struct launch_shape *from,
                      struct launch_shape *to);

/* Recorded blocks in the group that begins with block `first`, and the blocks that a group becomes. */
uint32_t regrouping_group(const struct regrouping *r, const struct launch_shape *from,
                          uint32_t first);
uint32_t regrouping_makes(const struct regrouping *r, const struct launch_shape *from);

/* Part `part` of a thread of the group's new block `block`; false where there is none. `to`: the changed
 * launch's shape; `blocks`: recorded ones in this group. */
bool regrouping_origin(const struct regrouping *r, const struct launch_shape *from,
                       const struct launch_shape *to, uint32_t blocks,
                       const struct thread_origin *thread, uint32_t part,
                       struct thread_origin *origin);

static inline uint32_t shape_threads(const struct launch_shape *shape)
{
    return shape->block[0] * shape->block[1] * shape->block[2];
}

#endif
