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
    WARP_AWAITS, /* waits for a phase or for stores that are not sent (sim_bulk.c); not in the wheel */
    WARP_BARRIER, /* waits for the other warps of its block; not in the wheel */
    WARP_ENDED,
};

/* Two cache lines of this computer side by side: thousands of warps are resident, and each event touches another. */
struct sim_warp {
    _Alignas(64) struct step_cursor cursor;
    uint32_t loads[SIM_WARP_LOADS]; /* cycles, modulo 2^32, in which its latest loads have their
                                       data, as far as is known. Kept for 2^31 cycles. */
    uint32_t place;                 /* of its block */
    uint16_t load_count;            /* loads issued so far, modulo 65,536 */
    uint8_t loads_known;            /* the latest so many may be under way */
    uint8_t state;                  /* enum warp_state */
    uint16_t asks; /* a bit for each of `loads` of which answers are not known yet */
};
_Static_assert(sizeof(struct sim_warp) == 128, "a warp is two cache lines");

struct sim_block {
    struct step_block *steps; /* NULL: the place is free */
    uint32_t running;         /* warps that have not ended */
    uint32_t waiting;         /* warps at the barrier */
    uint32_t sm;
    uint64_t came;     /* ticks: when those at the barrier came to it, summed */
    uint64_t began;    /* ticks */
    uint64_t serial;   /* no other block of the launch has it */
    uint32_t awaiting; /* warps that are WARP_AWAITS */
};

/* Runs until a place for a block is free or nothing is left to run. */
void sim_run_until_place(struct sim *sim);

/* A warp that waits from `at` on, until all but `left` of its latest loads have their data, or of its latest groups of copies,
 * or the phase in slot `left` of its block has, which is not known yet. */
enum sim_wait_for { WAIT_FOR_LOADS, WAIT_FOR_COPIES, WAIT_FOR_PHASE };
struct sim_wait {
    uint64_t at; /* ticks */
    uint32_t warp, turn, left;
    enum sim_wait_for what;
};

/* ---- Loads: sim_loads.c ---- */

/* A load or an atomic of the warp was given to its SM. */
void sim_note_load(struct sim *sim, uint32_t warp, uint32_t site, const struct access_times *times);

/* When all loads of a warp but its latest `left` have their data; at the earliest now. SIM_NOT_KNOWN: that
 * is not known yet, but later than in this quantum. */
#define SIM_NOT_KNOWN UINT64_MAX
uint64_t sim_loads_done(const struct sim *sim, uint32_t warp, uint32_t left);

/* The warp has waited from `at` for all loads but the latest `left` until `ready`, as sim_loads_done has it. */
void sim_book_wait(struct sim *sim, uint32_t warp, uint32_t left, uint64_t at, uint64_t ready);

/* The warp goes on when its loads are done, which is not known yet. */
void sim_wait_for_answers(struct sim *sim, uint32_t warp, uint32_t left, uint64_t at);

/* ---- Asynchronous copies: sim_copies.c ---- */

/* The group that the warp's next copy is of. */
struct sim_copy_group *sim_open_group(struct sim *sim, uint32_t warp);

/* A copy of the open group was given to its SM. */
void sim_note_copy(struct sim *sim, uint32_t warp, uint32_t site, const struct access_times *times);

/* The open group is one that can be waited for, and another is open. It must have room: all groups but the latest
 * SIM_COPY_GROUPS - 2 have arrived. */
void sim_commit_copies(struct sim *sim, uint32_t warp);

/* As sim_loads_done and sim_book_wait, of all of a warp's groups but the latest `left`. */
uint64_t sim_copies_done(const struct sim *sim, uint32_t warp, uint32_t left);
void sim_book_copies(struct sim *sim, uint32_t warp, uint32_t left, uint64_t at, uint64_t ready);

/* The warp goes on when they have arrived, which is not known yet. */
void sim_wait_for_copies(struct sim *sim, uint32_t warp, uint32_t left, uint64_t at);
/* ... when the phase in that slot is over (sim_bulk.h). */
void sim_wait_for_phase(struct sim *sim, uint32_t warp, uint32_t slot, uint64_t at);

/* A block takes the places of these warps: they have none. */
void sim_forget_copies(struct sim *sim, uint32_t warp);

/* Ends the quantum; who waits for answers that are known by now is entered in the wheel. False when nobody waits. */
bool sim_end_quantum(struct sim *sim);

/* How long a quantum is, and whether there are any. */
void sim_begin_quanta(struct sim *sim);

/* Ends a window of the usage. */
void sim_close_window(struct sim *sim);

/* The warp's next event is at the first whole cycle from then on. */
void sim_go_on_at(struct sim *sim, uint32_t warp, uint64_t ticks);

/* ---- The load/store unit: sim_queue.c --------------------------------------------------------- */

/* The warp waits for the unit, which another has. sim->queued: when its last store was through, if that was its last access. */
void sim_wait_for_unit(struct sim *sim, struct sm_unit *sm, uint32_t warp, bool stores);

/* The unit is free again: the warp whose turn it is gets it. */
void sim_hand_over(struct sim *sim, struct sm_unit *sm);

/* A block takes a place; its warps begin when the GPU has started it. */
void sim_block_begin(struct sim *sim, uint32_t place, struct step_block *steps);

void sim_warp_waits_at_barrier(struct sim *sim, struct sim_warp *warp);
void sim_warp_end(struct sim *sim, struct sim_warp *warp);

#endif
