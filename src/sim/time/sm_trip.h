/* sm_trip.h - a request on its way out of an SM and back: for sm_unit.c and sm_beyond.c. */
#ifndef WARPLENS_SIM_TIME_SM_TRIP_H
#define WARPLENS_SIM_TIME_SM_TRIP_H

#include "sim/rules/sectors.h"
#include "sim/time/sm_unit.h"

struct trip {
    struct sm_unit *sm;
    const struct sm_surroundings *around;
    struct timeline_step *watched; /* whose requests are noted; NULL: nobody's */
};

/* Waits for a place in flight; the load/store unit waits as well. Its number. */
uint32_t sm_take_place(struct trip *trip, struct places *places);

/* The request that comes next, from that place; it brings data for the access when `loads`. */
struct queued_request *sm_next_request(struct trip *trip, const struct memsys_request *request,
                                       enum request_kind kind, uint64_t leaves, bool loads);

/* Asks it, from a place of `places`. */
void sm_ask(struct trip *trip, struct queued_request *q, struct places *places, uint32_t place);

/* A request for the access's data was asked: when that is there; 0: it is not known yet. */
uint64_t sm_data_arrives(struct trip *trip);

/* Keeps a port of the crossbar busy; when it begins. */
uint64_t sm_cross(struct trip *trip, struct port *port, uint64_t busy);

/* For the timeline: a request leaves the SM, and is through. One comparison for both. */
static inline void sm_note_trip(struct trip *trip, uint64_t leaves, uint64_t through)
{
    if (trip->watched == NULL)
        return;
    timeline_add(trip->watched, TIMELINE_CROSSBAR, leaves, leaves);
    timeline_add(trip->watched, TIMELINE_DATA, through, through);
}

/* Sectors from L2 or beyond, for a line of a cache of the SM whose fills are `fills`, or NULL; when they are there, 0:
 * it is not known yet. `joins`: some of the line are on their way already. */
uint64_t sm_fetch(struct trip *trip, const struct memsys_request *request, struct sm_fills *fills,
                  bool joins);

/* A store of one of the SM's warps (sm_unit.warp) on its way, at once or held back for others to join. */
void sm_send_or_hold(struct trip *trip, const struct memsys_request *request, uint32_t warp);

/* All stores that are held back. */
void sm_send_held(struct trip *trip);

/* ---- sm_access.c ---- */

/* Where loads are looked up. */
enum load_way { WAY_CONSTANT, WAY_READ_ONLY, WAY_L1, WAY_PAST_L1, WAY_NO_CACHE };
enum load_way sm_way_of(const struct sm_times *times, const struct warp_access *access);

struct lookup {
    struct cache *cache;
    struct sm_fills *fills; /* of its lines */
    uint64_t latency;
    struct stored_words *stored; /* beside the cache; NULL */
    uint64_t *lookups, *hits;    /* counters */
    uint64_t *global_hits;       /* NULL, or as well */
    uint32_t at_a_time;          /* sectors that a miss fetches: 1, 2 or 4 */
    bool passes_l1;              /* volatile: `cache` is NULL, where there is an L1 for others */
};
/* For the loads of an access, which count in `c`. */
struct lookup sm_lookup_for(struct trip *trip, const struct warp_access *access,
                            struct counters *c);

/* Does line i of the footprint. */
void sm_do_line(struct trip *trip, const struct warp_access *access, const struct lookup *lookup,
                uint32_t i);

/* The network between the SMs of a cluster: estimates that an H100 confirmed (docs/model.md, 7.3). */
enum { CLUSTER_LATENCY_CYCLES = 180, CLUSTER_BYTES_A_CYCLE = 16 };

#endif
