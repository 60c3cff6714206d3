/* sim_warp.h - resident warps and blocks, and what happens to them: for sim.c, sim_blocks.c and sim_run.c. */
#ifndef WARPLENS_SIM_TIME_SIM_WARP_H
#define WARPLENS_SIM_TIME_SIM_WARP_H

#include "sim/time/sim.h"

enum warp_state {
    WARP_FETCH,   /* takes its next step */
    WARP_ISSUED,  /* its instructions are through; the step itself follows */
    WARP_QUEUED,  /* waits for the load/store unit; in the SM's queue, not in the wheel */
    WARP_GRANTED, /* the load/store unit is its own: its access follows */
    WARP_SENDING, /* its access is half done */
    WARP_BARRIER, /* waits for the other warps of its block; not in the wheel */
    WARP_ENDED,
};

enum { WARP_LOADS_MAX = 8 };

/* One cache line of this computer: thousands of warps are resident, and each event touches another. */
struct sim_warp {
    _Alignas(64) struct step_cursor cursor;
    uint32_t loads[WARP_LOADS_MAX]; /* cycles, modulo 2^32, in which its latest loads have their
                                       data: load n at n mod 8. Kept for 2^31 cycles. */
    uint32_t place;                 /* of its block */
    uint8_t load_count;             /* loads issued so far, modulo 256 */
    uint8_t loads_known;            /* the latest so many may be under way */
    uint8_t state;                  /* enum warp_state */
};
_Static_assert(sizeof(struct sim_warp) == 64, "a warp is one cache line");

struct sim_block {
    struct step_block *steps; /* NULL: the place is free */
    uint32_t running;         /* warps that have not ended */
    uint32_t waiting;         /* warps at the barrier */
    uint32_t sm;
    uint64_t came;  /* ticks: when those at the barrier came to it, summed */
    uint64_t began; /* ticks */
};

/* Runs until a place for a block is free or nothing is left to run. */
void sim_run_until_place(struct sim *sim);

/* Ends a window of the usage. */
void sim_close_window(struct sim *sim);

/* The warp's next event is at the first whole cycle from then on. */
void sim_go_on_at(struct sim *sim, uint32_t warp, uint64_t ticks);

/* A block takes a place; its warps begin when the GPU has started it. */
void sim_block_begin(struct sim *sim, uint32_t place, struct step_block *steps);

void sim_warp_waits_at_barrier(struct sim *sim, struct sim_warp *warp);
void sim_warp_end(struct sim *sim, struct sim_warp *warp);

#endif
