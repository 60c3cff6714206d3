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

static void send(struct trip *trip, const struct memsys_request *request)
{
    const uint32_t place = sm_take_place(trip, &trip->sm->stores);
    uint32_t sectors = sectors_count(request->sectors);
    judge_site(trip->around->judge, request->site)->crossbar_write_bytes += SECTOR_BYTES * sectors;
    uint64_t at =
        sm_cross(trip, &trip->sm->crossbar_out, sectors * trip->around->times.write_sector);
    sm_ask(trip, sm_next_request(trip, request, REQUEST_STORE, at, false), &trip->sm->stores,
           place);
    sm_note_trip(trip, at, trip->around->queue->latest);
}

/* A store that was held back: no part of the access that is watched. */
static void send_late(struct trip *trip, const struct memsys_request *request)
{
    struct memsys *memory = trip->around->queue->memory;
    struct timeline_step *watched = trip->watched;
    if (watched == NULL) {
        send(trip, request);
        return;
    }
    memory->watched = trip->watched = NULL;
    send(trip, request);
    memory->watched = trip->watched = watched;
}

void sm_send_held(struct trip *trip)
{
    struct memsys_request held;
    while (store_merge_take(&trip->sm->held, &held))
        send_late(trip, &held);
}

void sm_send_or_hold(struct trip *trip, const struct memsys_request *request)
{
    struct store_merge *held = &trip->sm->held;
    struct memsys_request due;
    uint32_t again;
    if (held->ticks == 0) {
        send(trip, request);
        return;
    }
    while (store_merge_due(held, trip->sm->at, &due))
        send_late(trip, &due);
    if (store_merge_join(held, request, &again))
        judge_site(trip->around->judge, request->site)->store_merged_sectors +=
            sectors_count(again);
    else
        store_merge_hold(held, request, trip->sm->at);
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
