/* sim.h - a GPU running a kernel in time: blocks in, counters and times out.
 *
 * Blocks go to SMs in block order, as many at once as occupancy allows, the next one when one ends
 * (NVIDIA's guides leave the order open; hardware starts blocks in this order). A warp issues its
 * steps in order. Its loads are asynchronous: it waits for them before a store, an atomic, a
 * barrier, an access whose address they give, or when it has as many under way as the model allows.
 * Everything happens on one timing wheel, in the order of time.
 *
 * What a launch takes beside its blocks passes before the first one starts.
 *
 * Feeding: sim_launch, then sim_run_block for each block in order, then sim_finish. sim_run_block
 * runs the GPU until the block has a place, so that no more blocks are held than are resident.
 */
#ifndef WARPLENS_SIM_TIME_SIM_H
#define WARPLENS_SIM_TIME_SIM_H

#include "sim/rules/judge.h"
#include "sim/time/managed.h"
#include "sim/rules/occupancy.h"
#include "sim/time/sm_unit.h"
#include "sim/time/steps.h"
#include "sim/time/timeline_recorder.h"
#include "sim/time/usage_recorder.h"
#include "sim/time/wheel.h"

struct sim_block; /* a resident block */
struct sim_warp;  /* a resident warp */
struct sim_bulk;  /* bulk copies (sim_bulk.h) */

#define SIM_NOBODY UINT32_MAX

enum { SIM_WARP_LOADS = 16 }; /* a warp's latest loads that are kept: load n at n mod 16 */

/* Of a warp's latest loads. */
struct sim_loads {
    uint32_t site[SIM_WARP_LOADS];
    uint32_t
        asked[SIM_WARP_LOADS]; /* the last request of those whose data was asked for, modulo 2^32 */
};

/* The asynchronous copies of a warp, by groups: group n at n mod SIM_COPY_GROUPS, the latest one open. All 0: none. */
enum { SIM_COPY_GROUPS = 32 };
struct sim_copies {
    uint32_t groups; /* committed so far */
    struct sim_copy_group {
        uint64_t data;   /* ticks: its copies have arrived, as far as is known */
        uint64_t answer; /* the same, by the requests */
        uint32_t asked;  /* the last request, modulo 2^32, if `asks` */
        uint32_t site;   /* of its latest copy */
        bool asks;
    } group[SIM_COPY_GROUPS];
};

struct sim_options {
    uint32_t jitter_cycles; /* a warp starts up to so much later, by a random figure: 0 is the
                               model, others are for tests */
    uint64_t seed;
    void (*block_ended)(void); /* NULL: nobody is told */
    bool has_thread;           /* for what lies beyond the SMs; results do not depend on it */
};

/* Sums over launches. */
struct sim_times {
    uint64_t ticks;           /* from the launch until memory is through */
    uint64_t warp_ticks;      /* warps that were resident, times how long */
    uint64_t active_sm_ticks; /* SMs that had a resident warp, times how long */
    uint64_t l1_bytes;        /* L1 an SM had, in the last launch */
};

struct sim {
    struct judge *judge; /* the rules and the counters by site */
    struct sim_options options;
    struct sm_surroundings around;
    struct memsys memory;
    struct judge beyond; /* the counters of what lies beyond the SMs, until the launch ends */
    struct request_queue queue;
    struct managed managed;
    struct usage_recorder usage;
    struct wheel wheel;
    struct sm_unit *sms;
    struct gpc_merge *gpcs;   /* NULL: the GPU merges no loads of its SMs */
    struct port dispatcher;   /* of blocks */
    struct sim_block *blocks; /* sm_count * blocks_per_sm places */
    struct sim_warp *warps;   /* warps_per_block for each of those */
    /* By warp, for those in a load/store unit's queue: who is behind it, and since when it waits. */
    uint32_t *queue_next;
    uint64_t *queued;  /* ticks */
    uint64_t *crowded; /* ticks for which a place's warps have waited for units that others had */
    struct sim_loads *loads; /* by warp */
    uint64_t (*load_answers)
        [SIM_WARP_LOADS]; /* by warp: when its loads' data is there, in ticks, by the requests */
    struct sim_copies *copies; /* by warp; touched from the launch's first copy on */
    bool has_copies;
    struct sim_bulk *bulk;
    struct sim_products *products;
    struct sim_wait *waits
        [2]; /* warps whose loads' answers are not known: since this quantum, since the one before */
    uint32_t wait_count[2];
    uint64_t quantum, quantum_end; /* cycles */
    struct step_chunk *buffers;
    uint32_t *free_places; /* blocks that can be placed, last one first */
    uint32_t free_count, place_count;
    uint32_t gpc_count, sm_count, blocks_per_sm, warps_per_block, loads_in_flight;
    uint32_t resident; /* blocks */
    uint64_t random;
    uint64_t launch_ticks;                      /* of a launch beside its blocks */
    uint64_t *partition_busy, *partition_bytes; /* for the usage windows */
    uint64_t *site_bytes;                       /* by site and partition, in the current window */
    size_t site_room;
    struct step step;
    struct footprint footprint;         /* of the access that begins */
    struct timeline_recorder *timeline; /* NULL: nobody has asked for one */
    uint32_t watched_place;             /* of the block that it is of; SIM_NOBODY: not resident */
    struct counters loose;              /* what belongs to no access */
    struct sim_times total;
    uint64_t now, launch_began; /* ticks */
};

/* A GPU that counts into `judge`, which must outlive it. False when memory is short. */
bool sim_init(struct sim *sim, struct judge *judge, const struct sim_options *options);
void sim_free(struct sim *sim);

/* Begins a launch: occupancy says how many blocks an SM holds, shared_bytes what each of them has,
 * blocks how many will come. Caches of the SMs start empty, L2 keeps what earlier launches left. False when memory is
 * short. */
bool sim_launch(struct sim *sim, const struct occupancy *occupancy, int64_t shared_bytes,
                uint64_t blocks);

/* Watches that block of the next launch, if it has one: what it did is in sim->timeline->kept afterwards. Once for a
 * GPU. False when memory is short. */
bool sim_watch_block(struct sim *sim, uint32_t block);

/* Makes room for sites [0, count), in the judge too. False when memory is short. */
bool sim_reserve_sites(struct sim *sim, size_t count);

/* Takes a reference to the block, and runs until there is a place for it. */
void sim_run_block(struct sim *sim, struct step_block *block);

/* Answers all that SMs have asked so far, and counts it with the judge: what lies beyond the SMs may be looked at. */
void sim_answer_all(struct sim *sim);

/* Runs until everything has ended. */
void sim_finish(struct sim *sim);

/* In place of the end of a launch that will have none: the windows of its time are forgotten, and its
 * timeline with it if there is none before. Nothing else may follow but sim_free. */
void sim_drop_launch(struct sim *sim);

/* What belongs to no access: times, limiters, partitions over all launches so far. Adds to `c`. */
void sim_add_counters(const struct sim *sim, struct counters *c);

#endif
