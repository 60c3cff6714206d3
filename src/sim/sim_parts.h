/* sim_parts.h - what sim.c and sim_run.c share. */
#ifndef WARPLENS_SIM_SIM_PARTS_H
#define WARPLENS_SIM_SIM_PARTS_H

#include "sim/sim.h"

enum warp_state {
    WARP_FETCH,   /* takes its next step */
    WARP_ISSUED,  /* its instructions are through; the step itself follows */
    WARP_QUEUED,  /* waits for the load/store unit; in the SM's queue, not in the wheel */
    WARP_GRANTED, /* the load/store unit is its own: its access follows */
    WARP_SENDING, /* its access is half done */
    WARP_BARRIER, /* waits for the other warps of its block; not in the wheel */
    WARP_ENDED,
};

struct sim_warp {
    struct step_cursor cursor;
    uint64_t began;  /* ticks */
    uint64_t queued; /* ticks: since when it has waited for the load/store unit */
    uint32_t place;  /* of its block */
    uint32_t next;   /* behind it in the load/store unit's queue */
    uint32_t
        load_count; /* loads it has issued so far; ring position = load_count % loads_in_flight */
    enum warp_state state;
};

struct sim_block {
    struct step_block *steps; /* NULL: the place is free */
    uint32_t running;         /* warps that have not ended */
    uint32_t waiting;         /* warps at the barrier */
    uint32_t sm;
};

/* Runs until a place for a block is free or nothing is left to run. */
void sim_run_until_place(struct sim *sim);

/* Ends a window of the usage. */
void sim_close_window(struct sim *sim);

#endif
