/* sm_trip.h - a request on its way out of an SM and back: for sm_unit.c and sm_beyond.c. */
#ifndef WARPLENS_SIM_TIME_SM_TRIP_H
#define WARPLENS_SIM_TIME_SM_TRIP_H

#include "sim/rules/sectors.h"
#include "sim/time/sm_unit.h"

struct trip {
    struct sm_unit *sm;
    const struct sm_times *times;
    struct memsys *memory;
};

/* Waits for a place in flight; the load/store unit waits as well. */
uint64_t *sm_take_place(struct trip *trip, struct places *places);

/* Keeps a port of the crossbar busy; when it begins. */
uint64_t sm_cross(struct trip *trip, struct port *port, uint64_t busy);

/* For the timeline: a request leaves the SM, and is through. One comparison for both. */
static inline void sm_note_trip(struct trip *trip, uint64_t leaves, uint64_t through)
{
    if (trip->memory->watched == NULL)
        return;
    timeline_add(trip->memory->watched, TIMELINE_CROSSBAR, leaves, leaves);
    timeline_add(trip->memory->watched, TIMELINE_DATA, through, through);
}

/* Sectors from L2 or beyond; when they are there. */
uint64_t sm_fetch(struct trip *trip, const struct memsys_request *request);

/* A store on its way, at once or held back for others to join. */
void sm_send_or_hold(struct trip *trip, const struct memsys_request *request);

/* All stores that are held back. */
void sm_send_held(struct trip *trip);

#endif
