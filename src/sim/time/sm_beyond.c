/* sm_beyond.c - the way from an SM to L2, to the partitions or to the host, and back: places in flight, the
 * crossbar, stores that are held back, loads that share another SM's request.
 */
#include "sim/time/sm_trip.h"

uint32_t sm_take_place(struct trip *trip, struct places *places)
{
    const uint32_t place = places->next;
    if (++places->next == trip->around->times.requests_in_flight)
        places->next = 0;
    request_queue_wait(trip->around->queue, places->asked[place]);
    const uint64_t free_at = places->free_at[place];
    if (free_at > trip->sm->at) {
        trip->sm->at = free_at;
        trip->sm->lsu.free_at = ticks_later(trip->sm->lsu.free_at, free_at);
    }
    return place;
}

uint64_t sm_cross(struct trip *trip, struct port *port, uint64_t busy)
{
    trip->around->busy[USE_CROSSBAR] += busy;
    return port_take(port, trip->sm->at, busy);
}

struct queued_request *sm_next_request(struct trip *trip, const struct memsys_request *request,
                                       enum request_kind kind, uint64_t leaves, bool loads)
{
    struct queued_request *q = request_queue_next(trip->around->queue);
    q->request = *request; /* field by field: gcc clears a whole line by a call */
    q->leaves = leaves;
    q->place = NULL;
    q->load = loads ? trip->sm->load : NULL;
    q->gpc = NULL;
    q->fill = NULL;
    q->kind = (uint8_t)kind;
    q->first = !trip->sm->result.asks;
    q->joins = false;
    return q;
}

void sm_ask(struct trip *trip, struct queued_request *q, struct places *places, uint32_t place)
{
    q->place = &places->free_at[place];
    places->asked[place] = request_queue_ask(trip->around->queue);
}

uint64_t sm_data_arrives(struct trip *trip)
{
    const struct request_queue *queue = trip->around->queue;
    if (queue->at_once)
        return queue->latest;
    trip->sm->result.asks = true;
    trip->sm->result.asked = (uint32_t)queue->asked;
    return 0;
}

/* A store takes the way out from `leaves` on, or from when that is free, and is on its way now at the earliest. */
static void send(struct trip *trip, const struct memsys_request *request, uint64_t leaves)
{
    const uint32_t place = sm_take_place(trip, &trip->sm->stores);
    const uint32_t sectors = sectors_count(request->sectors);
    const uint64_t busy = sectors * trip->around->times.write_sector;
    judge_site(trip->around->judge, request->site)->crossbar_write_bytes += SECTOR_BYTES * sectors;
    trip->around->busy[USE_CROSSBAR] += busy;
    const uint64_t begins = port_take(&trip->sm->crossbar_out, leaves, busy);
    const uint64_t at = ticks_later(begins, trip->sm->at);
    sm_ask(trip, sm_next_request(trip, request, REQUEST_STORE, at, false), &trip->sm->stores,
           place);
    sm_note_trip(trip, at, trip->around->queue->latest);
}

/* A store that was held back: no part of the access that is watched. */
static void send_late(struct trip *trip, const struct memsys_request *request, uint64_t leaves)
{
    struct memsys *memory = trip->around->queue->memory;
    struct timeline_step *watched = trip->watched;
    if (watched == NULL) {
        send(trip, request, leaves);
        return;
    }
    memory->watched = trip->watched = NULL;
    send(trip, request, leaves);
    memory->watched = trip->watched = watched;
}

void sm_send_held(struct trip *trip)
{
    struct memsys_request held;
    while (store_merge_take(&trip->sm->held, &held))
        send_late(trip, &held, trip->sm->at);
}

/* Whether the next store that leaves finds the way out of the SM and a place in flight free now. */
static bool way_is_free(struct trip *trip)
{
    const struct places *places = &trip->sm->stores;
    if (trip->sm->crossbar_out.free_at > trip->sm->at)
        return false;
    request_queue_wait(trip->around->queue, places->asked[places->next]);
    return places->free_at[places->next] <= trip->sm->at;
}

static void send_oldest(struct trip *trip, uint64_t leaves)
{
    struct memsys_request oldest;
    if (store_merge_take(&trip->sm->held, &oldest))
        send_late(trip, &oldest, leaves);
}

/* The stores that leave until now. */
static void send_due(struct trip *trip)
{
    for (;;) {
        const uint64_t since = store_merge_due(&trip->sm->held, trip->sm->at);
        if (since == UINT64_MAX || !way_is_free(trip))
            return;
        send_oldest(trip, since);
    }
}

/* The unit waits until there is room for one more line. */
static void make_room(struct trip *trip)
{
    struct sm_unit *sm = trip->sm;
    if (!store_merge_is_full(&sm->held))
        return;
    sm->at = ticks_later(sm->at, sm->crossbar_out.free_at);
    sm->lsu.free_at = ticks_later(sm->lsu.free_at, sm->at);
    send_oldest(trip, sm->at);
}

void sm_send_or_hold(struct trip *trip, const struct memsys_request *request, uint32_t warp)
{
    struct sm_unit *sm = trip->sm;
    struct store_origin origin = {sm->at, sm->at - sm->crowded, warp, sm->accesses};
    uint32_t again;
    if (sm->held.ticks == 0) {
        send(trip, request, sm->at);
        return;
    }
    /* A scheduler's warps take turns: their own clocks stand still meanwhile. */
    sm->held.longest = sm->held.ticks * (1 + sm->resident_warps / SM_SCHEDULERS);
    send_due(trip);
    if (store_merge_join(&sm->held, request, &origin, &again)) {
        judge_site(trip->around->judge, request->site)->store_merged_sectors +=
            sectors_count(again);
        return;
    }
    make_room(trip);
    origin.now = sm->at;
    store_merge_hold(&sm->held, request, &origin);
}

void sm_unit_flush(struct sm_unit *sm, const struct sm_surroundings *around, uint64_t now)
{
    struct trip trip = {sm, around, around->queue->memory->watched};
    sm->at = now;
    sm_send_held(&trip);
}

uint64_t sm_fetch(struct trip *trip, const struct memsys_request *request, struct sm_fills *fills,
                  bool joins)
{
    const struct request_queue *queue = trip->around->queue;
    if (trip->sm->held.count && store_merge_holds(&trip->sm->held, request->line))
        sm_send_held(trip);
    const uint32_t place = sm_take_place(trip, &trip->sm->loads);
    uint32_t sectors = sectors_count(request->sectors);
    judge_site(trip->around->judge, request->site)->crossbar_read_bytes += SECTOR_BYTES * sectors;
    uint64_t at = sm_cross(trip, &trip->sm->crossbar_in, sectors * trip->around->times.read_sector);
    struct queued_request *q = sm_next_request(trip, request, REQUEST_LOAD, at, true);
    q->gpc = request->host ? NULL : trip->sm->gpc;
    if (fills) {
        const uint32_t fill = sm_fills_place(fills, request->line);
        q->fill = &fills->cycles[fill];
        q->joins = joins && fills->fills[fill].line == request->line;
        fills->fills[fill] = (struct sm_fill){request->line, (uint32_t)queue->asked + 1};
    }
    sm_ask(trip, q, &trip->sm->loads, place);
    timeline_note(trip->watched, TIMELINE_CROSSBAR, at, at);
    return sm_data_arrives(trip);
}
