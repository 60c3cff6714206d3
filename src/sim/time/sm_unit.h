/* sm_unit.h - one streaming multiprocessor: load/store unit, L1, read-only and constant caches, and
 * its ports to the rest of the GPU. A warp's access goes in; out come the time at which the warp can
 * go on and the time at which its data is there.
 *
 * An access of many lines, or one that has to wait for a place in flight, keeps the unit for longer
 * than SM_UNIT_AHEAD_CYCLES. It is then left and taken up again when that time has come: asking
 * slices and partitions now for what happens later would make the other SMs wait behind it.
 */
#ifndef WARPLENS_SIM_TIME_SM_UNIT_H
#define WARPLENS_SIM_TIME_SM_UNIT_H

#include "sim/rules/footprint.h"
#include "sim/rules/occupancy.h"
#include "sim/rules/stored_words.h"
#include "sim/time/gpc_merge.h"
#include "sim/time/request_queue.h"
#include "sim/time/sm_fills.h"
#include "sim/time/store_merge.h"

/* What all SMs of a GPU share: the times of arch_fields.def in ticks. */
struct sm_times {
    uint64_t issue, pace; /* of one instruction: of the SM, of its warp */
    uint64_t lag;         /* of one cycle of lag; 0 where the pace has it */
    uint64_t barrier;
    uint64_t block_launch, warp_launch; /* of the whole GPU; 0: no limit */
    uint64_t block_start;
    uint64_t warp_start; /* between the warps of a block */
    uint64_t shared_latency, shared_pass, shared_conflict;
    uint64_t lsu, constant_pass; /* of one pass; 0: constants take the load/store unit */
    uint64_t l1_latency, read_only_latency, constant_latency;
    uint64_t l1_sector;                 /* L1 data banks, for 32 bytes */
    uint64_t read_sector, write_sector; /* crossbar, for 32 bytes */
    uint32_t requests_in_flight;
    bool global_in_l1, local_in_l1, whole_lines, stores_stay_in_l1, read_only_apart,
        loads_read_only;
};

struct sm_times sm_times_for(const struct arch *arch);

/* What all SMs of a GPU share. */
struct sm_surroundings {
    struct sm_times times;
    struct request_queue *queue; /* to the memory behind them */
    struct judge *judge;         /* the counters by site */
    uint64_t *busy;              /* ticks, of USE_COUNT resources */
};

struct access_times {
    uint64_t accepted; /* ticks: the warp can go on */
    uint64_t data;     /* loads and atomics: the result is there, as far as is known */
    uint32_t
        asked; /* the last request that brings more of it, by its number modulo 2^32, if `asks` */
    bool asks;
};

enum { SM_UNIT_AHEAD_CYCLES = 32 };
#define SM_UNIT_NOBODY UINT32_MAX

/* Warp schedulers that share the load/store unit, as from Kepler on. */
enum { SM_SCHEDULERS = 4 };

/* Places in flight: when each is free again. Loads and stores have their own, since a load keeps
 * its place for longer and places are taken in turn. */
struct places {
    uint64_t *free_at; /* by the requests, when they are answered */
    uint64_t *asked;   /* the number of the request that has it */
    uint32_t next;
};

/* What every access touches comes first: in a few of this computer's cache lines, which are fetched ahead. */
struct sm_unit {
    _Alignas(64) struct port issue, lsu, l1_data, crossbar_in, crossbar_out;
    struct port constants; /* beside the load/store unit, where times.constant_pass is not 0 */
    uint32_t owner;        /* the warp whose access is in the load/store unit, or SM_UNIT_NOBODY */
    uint32_t queue_first, queue_last; /* warps that wait for the unit: the scheduler's list */
    uint32_t side;                    /* of the L2 */
    /* The access in the load/store unit. */
    uint32_t accesses; /* begun so far, modulo 2^32 */
    uint32_t warp;     /* whose it is: any number that no other of the SM's warps has */
    uint64_t crowded;  /* ticks for which its warp has waited for units that others had */
    uint32_t next_line;
    uint64_t at; /* ticks: when that line leaves the unit */
    struct access_times result;
    uint64_t *load; /* for a load or an atomic: where requests note when their data is there */
    const struct footprint *footprint; /* the caller's, or `kept` when it is taken up again */
    struct gpc_merge *gpc;             /* shared with its other SMs; NULL: loads are not merged */
    struct cache l1;
    struct sm_fills l1_fills;
    struct stored_words stored; /* in lines of the L1 */
    struct places loads, stores;
    struct cache read_only, constant;
    struct sm_fills read_only_fills, constant_fills;
    uint32_t resident_warps;
    uint64_t active_since; /* ticks: when resident_warps last left 0 */
    struct store_merge held;
    struct footprint kept;
};

/* l1_bytes: what the carve-out leaves. False when memory is short. */
bool sm_unit_init(struct sm_unit *sm, const struct arch *arch, uint64_t l1_bytes);
void sm_unit_free(struct sm_unit *sm);

/* L1 of an SM whose resident blocks, `occupancy`, have `shared_bytes` each: of parts with one array for both, what the
 * smallest carve-out that holds them leaves (CUDA programming guides; docs/model.md has the table and what Hopper's holds).
 * Never more than the model's l1_bytes. */
uint64_t sm_unit_l1_bytes(const struct arch *arch, const struct occupancy *occupancy,
                          int64_t shared_bytes);

/* Sends the stores that are held back; call at the end of a launch. */
void sm_unit_flush(struct sm_unit *sm, const struct sm_surroundings *around, uint64_t now);

/* Begins an access. Its footprint must be there until sm_unit_go_on has returned; `load`: for sm->load. */
void sm_unit_begin(struct sm_unit *sm, const struct sm_surroundings *around,
                   const struct warp_access *access, const struct footprint *footprint,
                   uint64_t *load, uint64_t now);

/* Works on the access; true when it is through, with its times in sm->result. Otherwise it wants to
 * be taken up again at sm->at. */
bool sm_unit_go_on(struct sm_unit *sm, const struct sm_surroundings *around,
                   const struct warp_access *access, uint64_t now);

#endif
