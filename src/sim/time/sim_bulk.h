/* sim_bulk.h - bulk copies in time: an SM's engine for them, the phases of barriers in shared memory, and groups of stores.
 *
 * The engine works through its SM's copies one after another, a piece (bulk_copy.h) a cycle at most, beside the load/store unit; its
 * requests take places in flight and the crossbar as others do. A copy's bytes come to their phase when its last piece has.
 */
#ifndef WARPLENS_SIM_TIME_SIM_BULK_H
#define WARPLENS_SIM_TIME_SIM_BULK_H

#include "sim/rules/bulk_copy.h"
#include "sim/time/sim_warp.h"

enum { SIM_PHASES = 32, SIM_BULK_GROUPS = 16 };

/* A barrier of a resident block, by its latest phase. */
struct sim_phase {
    bool used, asks;
    uint32_t barrier, phase;
    uint32_t arrived, bytes; /* so far */
    uint32_t asked;          /* the last request for its bytes, modulo 2^32, if `asks` */
    uint32_t site;           /* of its latest copy */
    bool has_site;
    uint64_t data, answer; /* ticks: the bytes are there, as far as is known; by the requests */
};

/* A warp's stores by groups: group n at n mod SIM_BULK_GROUPS, the latest one open. */
struct sim_bulk_groups {
    uint32_t groups; /* committed so far */
    struct {
        uint32_t unsent, site;
        uint64_t data; /* ticks: the last piece has left the SM */
    } group[SIM_BULK_GROUPS];
};

/* A copy that the engine has yet to do. */
struct sim_bulk_job {
    struct warp_access access; /* with `copy` as its bulk copy */
    struct bulk_copy copy;
    struct bulk_pieces pieces;
    uint32_t warp, place, group, next;
    uint64_t serial; /* of the block: another may have its place when the copy ends */
    bool began;
};

struct sim_bulk {
    struct sim_bulk_job *jobs; /* a pool */
    uint32_t job_count, job_room, free_job;
    uint32_t *first, *last;                 /* by SM: its queue, SIM_NOBODY where it is empty */
    struct sim_phase (*phases)[SIM_PHASES]; /* by place of a block */
    struct sim_bulk_groups *groups;         /* by warp */
    uint32_t busy;                          /* engines */
    uint64_t serial;
    bool used; /* in this launch */
};

/* A launch's; false when memory is short. */
bool sim_bulk_init(struct sim *sim);
void sim_bulk_free(struct sim *sim);
/* A block takes the place. */
void sim_bulk_block(struct sim *sim, uint32_t place);

/* The warp has asked for a copy at `at`. False: memory is short, and nothing is asked. */
bool sim_bulk_begin(struct sim *sim, uint32_t warp, const struct warp_access *access, uint64_t at);
/* Another event of an SM's engine. */
void sim_bulk_run(struct sim *sim, uint32_t sm);

/* Steps of a warp: STEP_BULK_..., STEP_PHASE_.... False: it is not over; the warp waits. */
void sim_bulk_step(struct sim *sim, uint32_t warp, const struct step *step, uint64_t at);
/* When the phase that the warp waits for is over, as sim_loads_done has it; and books that. */
uint64_t sim_phase_done(const struct sim *sim, uint32_t warp, uint32_t slot);
void sim_book_phase(struct sim *sim, uint32_t warp, uint32_t slot, uint64_t at, uint64_t ready);

/* For sim_bulk_engine.c. The slot of a barrier of the block at that place, which it gets if it has none; of more than there is room for
 * one that others have had. */
uint32_t sim_phase_slot(struct sim *sim, uint32_t place, uint32_t barrier);
/* What comes to a later phase says that those before are over. */
void sim_phase_turn_to(struct sim_phase *phase, uint32_t number);
/* Warps of the block that wait look again. */
void sim_bulk_wake(struct sim *sim, uint32_t place);

/* Nothing runs any more, and warps wait for what does not come: they go on. False when there are none. */
bool sim_bulk_release(struct sim *sim);

#endif
