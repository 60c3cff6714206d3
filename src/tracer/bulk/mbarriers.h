/* mbarriers.h - the hardware's barriers in shared memory (mbarrier of PTX), under cuda::barrier as well: phases, arrivals that are
 * pending, bytes of bulk copies that have yet to come.
 *
 * In shared memory a barrier has 8 bytes: here they name what is kept of it.
 */
#ifndef WARPLENS_TRACER_BULK_MBARRIERS_H
#define WARPLENS_TRACER_BULK_MBARRIERS_H

#include "tracer/engine.h"

/* By the PTX ISA, "Phase of the mbarrier object": the present phase ends when no arrival is pending and no byte. */
struct mbarrier {
    uint32_t expected, pending; /* arrivals: of the next phase; of this one that have yet to come */
    int64_t bytes;              /* expected, less those that have come */
    uint32_t phase;             /* phases that have ended; so the number of this one */
    uint32_t told, told_bytes;  /* arrivals and bytes of this phase that the sink knows of */
    uint32_t ended[2], ended_bytes[2]; /* the same of ended phases, by their last bit */
    uint32_t block;                    /* whose it is: linear */
    bool
        of_block; /* a cuda::barrier of all threads of the block, without bytes: the block's barrier */
    const char
        *is_none; /* what lanes wait for where this is no barrier in shared memory; else NULL */
};

/* The most arrivals and bytes of a phase. */
enum { MBARRIER_COUNT_MAX = (1 << 20) - 1, BARRIER_BYTES = 8 };

/* The one at a host address; the launch fails where none is. */
struct mbarrier *mbarriers_at(const void *pointer, uintptr_t pc);
/* Makes one of `count` arrivals there. */
struct mbarrier *mbarriers_make(void *pointer, uint32_t count, uintptr_t pc);
/* Where a barrier is in its block's shared memory. */
uint32_t mbarriers_address(const void *pointer, uintptr_t pc);

/* The running lane arrives `count` times; the number of the phase. */
uint32_t mbarriers_arrive(const void *pointer, uint32_t count, bool drops, uintptr_t pc);
/* So many bytes more are expected, or have come; in which phase. */
void mbarriers_expect(const void *pointer, uint32_t bytes, uintptr_t pc);
uint32_t mbarriers_complete(const void *pointer, uint32_t bytes, uintptr_t pc);
/* The running lane waits for the end of that phase. `tests`: it may go on without, where nobody else can. False then. */
bool mbarriers_wait(const void *pointer, uint32_t phase, bool tests, uintptr_t pc);

/* Ends the launch where the barrier is another block's, with what was to be done to it: "a wait at". */
void mbarriers_check_own(const void *pointer, const char *what, uintptr_t pc);
/* The running lane waits for the end of that phase of what is no barrier in shared memory; nothing is told of it. */
void mbarriers_await(const struct mbarrier *barrier, uint32_t phase, uintptr_t pc);

/* From now on none that there is is the block's barrier. */
void mbarriers_leave_block(void);

/* A block begins. */
void mbarriers_block(void);
/* Lanes of the warp whose phases have ended are ready; whether there are any. */
bool mbarriers_wake(struct warp *warp);
/* No lane of the block can go on: those that only test are ready. False: there are none, and the launch has failed. */
bool mbarriers_give_up(void);
/* The same of a cluster's blocks (grid/cluster.c): false when that was so too often; the launch fails. */
bool mbarriers_count_in_vain(void);
void mbarriers_fail_stuck(void);
/* Another block's: an arrival, or bytes, that the stream of the barrier's block does not have. */
bool mbarriers_is_own(const struct mbarrier *barrier);

#endif
