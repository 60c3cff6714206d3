/* sm_access.c - what becomes of each line of an access: looked up in a cache of the SM, fetched, stored, or added to
 * beyond it. The decisions are in sm_unit.c.
 */
#include <string.h>

#include "sim/time/sm_trip.h"

/* Constant memory lies below every array. */
#define CONSTANT_LINES (0x100000000ULL >> LINE_LOG2)

/* A miss brings a whole line: the constant cache behind the first one, which constant_bytes stands for as well, has
 * lines of 256 bytes (GT200: Wong et al. 2010; Kepler to Volta: Jia et al. 2018, table 3.1). */
enum { CONSTANT_SECTORS = 4 };

/* ---- Caches of the SM ------------------------------------------------------------------------ */

/* Sectors that were found in a cache, at `done`: they may still be on their way to it. */
static uint64_t wait_for_fill(struct trip *trip, const struct lookup *lookup,
                              const struct memsys_request *request, struct cache_line *line,
                              uint64_t done)
{
    const uint32_t fill = sm_fills_place(lookup->fills, line->line);
    const struct sm_fill *on_its_way = &lookup->fills->fills[fill];
    struct request_queue *queue = trip->around->queue;
    if (on_its_way->line == line->line && !request_queue_knows(queue, on_its_way->asked)) {
        struct queued_request *q = sm_next_request(trip, request, REQUEST_WAITS, done, true);
        q->fill = &lookup->fills->cycles[fill];
        request_queue_ask(queue);
        return sm_data_arrives(trip);
    }
    uint64_t arrives = done;
    if (on_its_way->line == line->line)
        arrives = request_fill_arrives(lookup->fills->cycles[fill], done);
    line->on_its_way = arrives > done;
    return arrives;
}

/* The 4-byte words of the line that the access touches. */
static uint32_t words_wanted(const struct warp_access *a, uint64_t line)
{
    uint32_t words = 0;
    for (uint32_t left = a->active; left != 0; left &= left - 1) {
        const uint64_t addr = access_addr(a, (unsigned)__builtin_ctz(left));
        for (uint64_t at = addr / 4; at * 4 < addr + a->width; at++)
            if (at * 4 >> LINE_LOG2 == line)
                words |= 1U << at % (LINE_BYTES / 4);
    }
    return words;
}

/* Sectors of a line, not there as a whole, of which all is there that the access wants. */
static uint32_t find_stored(const struct lookup *lookup, const struct memsys_request *request,
                            const struct warp_access *a, uint64_t line, uint32_t lacks)
{
    const uint32_t stored = lookup->stored ? stored_words_of(lookup->stored, request->line) : 0;
    uint32_t found = 0;
    if (lacks == 0 || stored == 0)
        return 0;
    const uint32_t missing = words_wanted(a, line) & ~stored;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        if ((missing & sector_words(s)) == 0)
            found |= 1U << s;
    return lacks & found;
}

/* A load through a cache: when its sectors are there; 0: it is not known yet. */
static uint64_t load_through(struct trip *trip, const struct lookup *lookup,
                             const struct memsys_request *request, const struct warp_access *a,
                             uint64_t number)
{
    struct cache_line evicted, *line = cache_claim(lookup->cache, request->line, &evicted);
    if (lookup->stored)
        stored_words_drop(lookup->stored, evicted.line, ALL_SECTORS);
    uint32_t lacks = request->sectors & ~(uint32_t)line->valid;
    lacks &= ~find_stored(lookup, request, a, number, lacks);
    uint64_t done = trip->sm->at + lookup->latency;
    *lookup->lookups += sectors_count(request->sectors);
    *lookup->hits += sectors_count(request->sectors & ~lacks);
    if (lookup->global_hits)
        *lookup->global_hits += sectors_count(request->sectors & ~lacks);
    if (lacks == 0)
        return line->on_its_way ? wait_for_fill(trip, lookup, request, line, done) : done;
    struct memsys_request miss = *request;
    miss.sectors =
        (uint8_t)(sectors_widened(lacks, lookup->at_a_time) & ~(uint32_t)line->valid & ALL_SECTORS);
    line->valid |= miss.sectors & ALL_SECTORS;
    const bool joins = line->on_its_way;
    line->on_its_way = 1;
    return sm_fetch(trip, &miss, lookup->fills, joins);
}

static void drop_from_l1(struct trip *trip, const struct memsys_request *request)
{
    struct cache_line *line = cache_find(&trip->sm->l1, request->line);
    stored_words_drop(&trip->sm->stored, request->line, request->sectors);
    if (line)
        line->valid &= ~(unsigned)request->sectors & ALL_SECTORS;
}

/* Local memory's stores stay in L1. */
static void keep_in_l1(struct trip *trip, const struct memsys_request *request)
{
    struct cache_line evicted;
    cache_claim(&trip->sm->l1, request->line, &evicted)->valid |= request->sectors & ALL_SECTORS;
}

/* What is stored to global memory stays, too, sectors once they are whole. */
static void keep_words_in_l1(struct trip *trip, const struct memsys_request *request)
{
    struct cache_line evicted, *line = cache_claim(&trip->sm->l1, request->line, &evicted);
    stored_words_drop(&trip->sm->stored, evicted.line, ALL_SECTORS);
    line->valid |= stored_words_add(&trip->sm->stored, request->line, request->words) & ALL_SECTORS;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

/* By sector of the line: the most lanes on one address, operations of an atomic that go one after another. */
static void find_atomic_lanes(const struct warp_access *a, uint64_t line,
                              uint8_t lanes[LINE_SECTORS])
{
    memset(lanes, 0, LINE_SECTORS);
    for (uint32_t rest = a->active; rest != 0;) {
        uint64_t addr = access_addr(a, (unsigned)__builtin_ctz(rest));
        uint32_t same = 0;
        for (uint32_t left = rest; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            same |= (uint32_t)(access_addr(a, lane) == addr) << lane;
        }
        rest &= ~same;
        const uint32_t sector = addr / SECTOR_BYTES % LINE_SECTORS;
        const unsigned count = (unsigned)__builtin_popcount(same);
        if (addr >> LINE_LOG2 == line && count > lanes[sector])
            lanes[sector] = (uint8_t)count;
    }
}

static void do_atomic(struct trip *trip, const struct memsys_request *request,
                      const struct warp_access *a)
{
    sm_send_held(trip);
    const uint32_t place = sm_take_place(trip, &trip->sm->loads);
    uint64_t at = sm_cross(trip, &trip->sm->crossbar_out, trip->around->times.write_sector);
    if (trip->around->times.local_in_l1)
        drop_from_l1(trip, request);
    struct queued_request *q = sm_next_request(trip, request, REQUEST_ATOMIC, at, true);
    find_atomic_lanes(a, request->line, q->lanes.most);
    q->lanes.add_floats = (a->flags & ACCESS_FLOAT) != 0;
    sm_ask(trip, q, &trip->sm->loads, place);
    const uint64_t data = sm_data_arrives(trip);
    sm_note_trip(trip, at, data);
    trip->sm->result.data = ticks_later(trip->sm->result.data, data);
}

static void do_store(struct trip *trip, const struct memsys_request *request,
                     const struct warp_access *a)
{
    if (a->space == SPACE_LOCAL && trip->around->times.local_in_l1)
        keep_in_l1(trip, request);
    else if (trip->around->times.global_in_l1 && trip->around->times.stores_stay_in_l1 &&
             !request->host)
        keep_words_in_l1(trip, request);
    else if (trip->around->times.local_in_l1)
        drop_from_l1(trip, request);
    sm_send_or_hold(trip, request, trip->sm->warp);
}

enum load_way sm_way_of(const struct sm_times *times, const struct warp_access *a)
{
    if (a->space == SPACE_CONSTANT)
        return WAY_CONSTANT;
    bool read_only =
        a->space == SPACE_TEXTURE || ((a->flags & ACCESS_READ_ONLY) && times->loads_read_only);
    if (read_only && times->read_only_apart)
        return WAY_READ_ONLY;
    if (!read_only && !(a->space == SPACE_LOCAL ? times->local_in_l1 : times->global_in_l1))
        return WAY_NO_CACHE;
    if (a->copy && a->copy->past_l1)
        return WAY_PAST_L1;
    return (a->flags & ACCESS_VOLATILE) && a->space == SPACE_GLOBAL ? WAY_PAST_L1 : WAY_L1;
}

struct lookup sm_lookup_for(struct trip *trip, const struct warp_access *a, struct counters *c)
{
    const struct sm_times *times = &trip->around->times;
    const enum load_way way = sm_way_of(times, a);
    switch (way) {
    case WAY_CONSTANT:
        return (struct lookup){.cache = &trip->sm->constant,
                               .fills = &trip->sm->constant_fills,
                               .latency = times->constant_latency,
                               .lookups = &c->constant_lookups,
                               .hits = &c->constant_hits,
                               .at_a_time = CONSTANT_SECTORS};
    case WAY_READ_ONLY:
        return (struct lookup){.cache = &trip->sm->read_only,
                               .fills = &trip->sm->read_only_fills,
                               .latency = times->read_only_latency,
                               .lookups = &c->read_only_lookup_sectors,
                               .hits = &c->read_only_hit_sectors,
                               .at_a_time = 1};
    case WAY_L1:
        return (struct lookup){.cache = &trip->sm->l1,
                               .fills = &trip->sm->l1_fills,
                               .latency = times->l1_latency,
                               .lookups = &c->l1_lookup_sectors,
                               .hits = &c->l1_hit_sectors,
                               .global_hits = a->space == SPACE_GLOBAL && a->copy == NULL
                                                  ? &c->l1_global_hit_sectors
                                                  : NULL,
                               .stored = a->space == SPACE_GLOBAL ? &trip->sm->stored : NULL,
                               .at_a_time = times->whole_lines ? 4 : 1};
    case WAY_PAST_L1:
    case WAY_NO_CACHE:
        break;
    }
    return (struct lookup){.passes_l1 = way == WAY_PAST_L1};
}

static void do_load(struct trip *trip, const struct lookup *lookup,
                    const struct memsys_request *request, const struct warp_access *a,
                    uint64_t line)
{
    bool looks_up = lookup->cache && !request->host;
    uint64_t leaves = trip->sm->at;
    uint64_t done = looks_up ? load_through(trip, lookup, request, a, line)
                             : sm_fetch(trip, request, NULL, false);
    if (lookup->passes_l1 && !request->host)
        judge_site(trip->around->judge, request->site)->l1_passed_sectors +=
            sectors_count(request->sectors);
    if (trip->watched && looks_up)
        timeline_add(trip->watched, TIMELINE_L1, leaves, leaves);
    timeline_note(trip->watched, TIMELINE_DATA, done, done);
    trip->sm->result.data = ticks_later(trip->sm->result.data, done);
}

void sm_do_line(struct trip *trip, const struct warp_access *a, const struct lookup *lookup,
                uint32_t i)
{
    const struct footprint *footprint = trip->sm->footprint;
    const struct memsys_request request = {
        .line = cache_line_number(footprint->line[i] +
                                  (a->space == SPACE_CONSTANT ? CONSTANT_LINES : 0)),
        .words = a->op == OP_STORE ? footprint->words[i] : 0,
        .site = a->site,
        .sectors = footprint->sectors[i],
        .side = (uint8_t)trip->sm->side,
        .host = (a->flags & ACCESS_HOST) != 0,
    };
    if (a->op == OP_LOAD)
        do_load(trip, lookup, &request, a, footprint->line[i]);
    else if (a->op == OP_STORE)
        do_store(trip, &request, a);
    else
        do_atomic(trip, &request, a);
}
