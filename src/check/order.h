/* order.h - which accesses are ordered: by barriers, by __syncwarp, and by releases.
 *
 * Time is counted in steps of the run. A block's warps run one after another from barrier to barrier in
 * most streams; in every stream an access behind a barrier comes after all those before it.
 */
#ifndef WARPLENS_CHECK_ORDER_H
#define WARPLENS_CHECK_ORDER_H

#include "check/releases.h"
#include "stream/limits.h"
#include "stream/stream.h"

/* What __syncwarp has ordered of a warp. Accesses before `all` are ordered for every lane; those of lane u
 * before seen[t][u] for lane t. */
struct warp_order {
    uint32_t all;
    uint32_t seen[WARP_LANES][WARP_LANES];
};

/* From `time` on the block is behind `number` barriers of the grid. */
struct grid_phase {
    uint32_t time, number;
};

struct order {
    uint32_t now;                                       /* the present step */
    uint32_t launch_start, block_start, interval_start; /* the first step of each */
    uint32_t threads, warps;
    uint32_t live;        /* warps, by bit, that have not ended */
    uint32_t waiting;     /* at a barrier that others have yet to come to */
    bool is_grid_barrier; /* that they wait at */
    struct grid_phase
        *phases; /* of the launch's blocks, by time; none before the first barrier of a grid */
    size_t phase_count, phase_room;
    uint32_t phase; /* of the present block */
    bool has_phases, no_memory;
    bool
        out_of_step; /* a warp went on before the others had come: the stream's order hides barriers */
    bool
        has_syncs; /* the stream says where lanes synchronise; without, each atomic is behind a fence */
    bool has_fences; /* in this launch */
    struct warp_order warp[BLOCK_WARPS_MAX];

    /* By thread of the block; times before block_start are none. */
    uint32_t fence[BLOCK_THREADS_MAX];          /* its last one */
    uint32_t fence_interval[BLOCK_THREADS_MAX]; /* the beginning of the interval that it was in */
    uint32_t fence_warp[BLOCK_THREADS_MAX];     /* up to when its warp was ordered then */
    uint32_t fence_before[BLOCK_THREADS_MAX];   /* its last one before this interval */
    bool has_fences_now, has_fences_before;     /* in this interval; in the block before it */
    uint32_t snapshot;                          /* of fence_before; 0: not taken yet */
    uint32_t known[BLOCK_THREADS_MAX]; /* the release that it has learnt of in this interval */
    uint32_t known_at[BLOCK_THREADS_MAX];
    bool has_known;       /* some have */
    uint32_t block_known; /* what all of the block know of */
    struct releases releases;
};

void order_launch(struct order *order, const struct launch_info *launch);
void order_free(struct order *order);
void order_block(struct order *order);

void order_event(struct order *order, const struct trace_event *event);
/* A warp's step that is no event: notes whether it should have waited. */
static inline void order_step(struct order *order, uint32_t warp)
{
    order->now++;
    order->out_of_step |= order->waiting >> warp & 1U;
}

/* Accesses of the warp's lane `other` before this are ordered for its lane `lane`. */
static inline uint32_t order_seen(const struct order *order, uint32_t warp, unsigned lane,
                                  unsigned other)
{
    const struct warp_order *w = &order->warp[warp];
    return w->all > w->seen[lane][other] ? w->all : w->seen[lane][other];
}

/* Lanes `lanes` wait for each other; the accesses so far of all of `mask` are ordered for them. */
void order_syncwarp(struct order *order, uint32_t warp, uint32_t lanes, uint32_t mask,
                    uint32_t running);
/* The warp's next barrier is one of the whole grid. */
void order_grid(struct order *order);
/* Whether a barrier of the grid lies between an access of another block at `time` and the present step. */
bool order_has_grid_between(const struct order *order, uint32_t time);
void order_fence(struct order *order, uint32_t warp, uint32_t lanes);

/* Whether an atomic or a volatile store of the thread, now, releases something. */
bool order_releases(const struct order *order, uint32_t thread);
/* The thread has read the word atomically, or through a volatile pointer; has stored it so. */
void order_acquire(struct order *order, uint32_t thread, uint64_t address, bool is_shared);
void order_release(struct order *order, uint32_t thread, uint64_t address, bool is_shared,
                   bool is_atomic);
/* Whether an access of thread `other` (of its block) at `time` is made visible to the thread. */
bool order_knows(struct order *order, uint32_t thread, uint32_t time, uint32_t other);

#endif
