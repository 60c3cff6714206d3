/* sm_beyond.c - the way from an SM to L2, to the partitions or to the host, and back: places in flight, the
 * crossbar, stores that are held back, loads that share another SM's request.
 */
#include "sim/time/sm_trip.h"

/* Waits for a place in flight; the load/store unit waits as well. */
uint64_t *sm_take_place(struct trip *trip, struct places *places)
{
    uint64_t *place = &places->free_at[places->next];
    if (++places->next == trip->times->requests_in_flight)
        places->next = 0;
    if (*place > trip->sm->at) {
        trip->sm->at = *place;
        trip->sm->lsu.free_at = ticks_later(trip->sm->lsu.free_at, *place);
    }
    return place;
}

uint64_t sm_cross(struct trip *trip, struct port *port, uint64_t busy)
{
    trip->memory->usage->busy[USE_CROSSBAR] += busy;
    return port_take(port, trip->sm->at, busy);
}

static void send(struct trip *trip, const struct memsys_request *request)
{
    uint64_t *place = sm_take_place(trip, &trip->sm->stores);
    uint32_t sectors = sectors_count(request->sectors);
    judge_site(trip->memory->judge, request->site)->crossbar_write_bytes += SECTOR_BYTES * sectors;
    uint64_t at = sm_cross(trip, &trip->sm->crossbar_out, sectors * trip->times->write_sector);
    *place = memsys_store(trip->memory, request, at);
    sm_note_trip(trip, at, *place);
}

/* A store that was held back: no part of the access that is watched. */
static void send_late(struct trip *trip, const struct memsys_request *request)
{
    struct timeline_step *watched = trip->memory->watched;
    trip->memory->watched = NULL;
    send(trip, request);
    trip->memory->watched = watched;
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
        judge_site(trip->memory->judge, request->site)->store_merged_sectors +=
            sectors_count(again);
    else
        store_merge_hold(held, request, trip->sm->at);
}

void sm_unit_flush(struct sm_unit *sm, const struct sm_times *times, struct memsys *memory,
                   uint64_t now)
{
    struct trip trip = {sm, times, memory};
    sm->at = now;
    sm_send_held(&trip);
}

/* Sectors from L2, which another SM of the GPC may be waiting for already. */
static uint64_t load_merged(struct trip *trip, const struct memsys_request *request, uint64_t at)
{
    struct gpc_merge *gpc = trip->sm->gpc;
    uint64_t done;
    if (gpc == NULL || request->host)
        return memsys_load(trip->memory, request, at);
    if (gpc_merge_join(gpc, request->line, request->sectors, at, &done)) {
        judge_site(trip->memory->judge, request->site)->gpc_merged_sectors +=
            sectors_count(request->sectors);
        return done;
    }
    done = memsys_load(trip->memory, request, at);
    gpc_merge_note(gpc, request->line, request->sectors, at, done);
    return done;
}

uint64_t sm_fetch(struct trip *trip, const struct memsys_request *request)
{
    if (trip->sm->held.count && store_merge_holds(&trip->sm->held, request->line))
        sm_send_held(trip);
    uint64_t *place = sm_take_place(trip, &trip->sm->loads);
    uint32_t sectors = sectors_count(request->sectors);
    judge_site(trip->memory->judge, request->site)->crossbar_read_bytes += SECTOR_BYTES * sectors;
    uint64_t at = sm_cross(trip, &trip->sm->crossbar_in, sectors * trip->times->read_sector);
    *place = load_merged(trip, request, at);
    timeline_note(trip->memory->watched, TIMELINE_CROSSBAR, at, at);
    return *place;
}
