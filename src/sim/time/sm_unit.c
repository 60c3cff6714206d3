/* sm_unit.c - decisions:
 *
 * The load/store unit works through the passes of one access after another, in order. A request
 * beyond L1 takes one of the SM's places in flight; when all are taken the unit stands still until
 * the next one is free, and with it every later access. Data that comes back is charged to the
 * crossbar when it is asked for: throughput is the same, and answers may overtake each other.
 *
 * L1 holds what loads bring. Global stores go through to L2: they update or drop sectors that are there, by the
 * compute capability. Local stores are kept in L1 as well as written through. Atomics are
 * performed beyond L1 and drop the line. Volatile loads of global memory go past L1: a volatile
 * pointer's data may change behind its back (measured on an H200: none of them hits).
 *
 * Where stores are held back to merge (store_merge.h), a load or atomic that goes to L2 for such a line
 * sends them first.
 */
#include "sim/time/sm_trip.h"

#include <stdlib.h>

#include "models/capabilities.h"

/* Constant memory lies below every array. */
#define CONSTANT_LINES (0x100000000ULL >> LINE_LOG2)

/* A miss brings a whole line: the constant cache behind the first one, which constant_bytes stands for as well, has
 * lines of 256 bytes (GT200: Wong et al. 2010; Kepler to Volta: Jia et al. 2018, table 3.1). */
enum { CONSTANT_SECTORS = 4 };

enum { L1_FILLS = 256, SMALL_FILLS = 64, PREFETCH_LINES = 3 };

static uint64_t ticks_for_32_bytes(int64_t bytes_per_cycle)
{
    return (uint64_t)(32 * TICKS_PER_CYCLE / bytes_per_cycle);
}

struct sm_times sm_times_for(const struct arch *arch)
{
    const struct capability *capability = capability_find(arch->sm);
    return (struct sm_times){
        .issue = ticks_of_millicycles(arch->issue_millicycles * arch->instruction_percent / 100),
        .pace =
            ticks_of_millicycles(arch->instruction_millicycles * arch->instruction_percent / 100),
        .barrier = ticks_of_cycles(arch->barrier_cycles),
        .block_launch = ticks_of_millicycles(arch->block_launch_millicycles),
        .warp_launch = ticks_of_millicycles(arch->warp_launch_millicycles),
        .block_start = ticks_of_cycles(arch->block_start_cycles),
        .warp_start = ticks_of_cycles(arch->warp_start_cycles),
        .shared_latency = ticks_of_cycles(arch->shared_latency_cycles),
        .shared_pass = ticks_of_millicycles(arch->shared_pass_millicycles),
        .shared_conflict = ticks_of_millicycles(arch->shared_conflict_millicycles),
        .lsu = ticks_of_millicycles(arch->lsu_millicycles),
        .constant_pass =
            ticks_of_millicycles(arch->constant_pass_millicycles ? arch->constant_pass_millicycles
                                                                 : arch->lsu_millicycles),
        .work_percent = {100, (uint32_t)arch->unrolled_percent, (uint32_t)arch->flattened_percent},
        .l1_latency = ticks_of_cycles(arch->l1_latency_cycles),
        .read_only_latency = ticks_of_cycles(arch->read_only_latency_cycles),
        .constant_latency = ticks_of_cycles(arch->constant_latency_cycles),
        .l1_sector = ticks_for_32_bytes(arch->l1_bytes_per_cycle),
        .read_sector = ticks_for_32_bytes(arch->sm_read_bytes_per_cycle),
        .write_sector = ticks_for_32_bytes(arch->sm_write_bytes_per_cycle),
        .requests_in_flight = (uint32_t)arch->requests_in_flight,
        .global_in_l1 = arch->l1_bytes > 0 && arch->l1_caches_global,
        .local_in_l1 = arch->l1_bytes > 0,
        .whole_lines = arch->l1_sector_bytes > SECTOR_BYTES,
        .stores_update_l1 = capability->stores_update_l1,
        .read_only_apart = arch->read_only_bytes > 0,
        .loads_read_only = capability->has_read_only_loads,
    };
}

static bool places_init(struct places *places, size_t count)
{
    places->free_at = calloc(count, sizeof *places->free_at);
    places->asked = calloc(count, sizeof *places->asked);
    return places->free_at && places->asked;
}

static void places_free(struct places *places)
{
    free(places->free_at);
    free(places->asked);
    *places = (struct places){0};
}

static bool fills_init(struct sm_fills *fills, uint32_t count)
{
    fills->fills = calloc(count, sizeof *fills->fills);
    fills->cycles = calloc(count, sizeof *fills->cycles);
    fills->mask = count - 1;
    return fills->fills && fills->cycles;
}

static void fills_free(struct sm_fills *fills)
{
    free(fills->fills);
    free(fills->cycles);
    *fills = (struct sm_fills){0};
}

bool sm_unit_init(struct sm_unit *sm, const struct arch *arch, uint64_t l1_bytes)
{
    const bool hashed = arch->l1_hashed != 0;
    *sm = (struct sm_unit){.held.ticks = ticks_of_cycles(arch->store_merge_cycles)};
    sm->owner = sm->queue_first = SM_UNIT_NOBODY;
    if (places_init(&sm->loads, (size_t)arch->requests_in_flight) &&
        places_init(&sm->stores, (size_t)arch->requests_in_flight) &&
        fills_init(&sm->l1_fills, L1_FILLS) && fills_init(&sm->read_only_fills, SMALL_FILLS) &&
        fills_init(&sm->constant_fills, SMALL_FILLS) &&
        cache_init(&sm->l1, l1_bytes, (uint32_t)arch->l1_ways, hashed, 0) &&
        cache_init(&sm->read_only, (uint64_t)arch->read_only_bytes, 4, false, 0) &&
        cache_init(&sm->constant, (uint64_t)arch->constant_bytes, 4, false, 0))
        return true;
    sm_unit_free(sm);
    return false;
}

void sm_unit_free(struct sm_unit *sm)
{
    places_free(&sm->loads);
    places_free(&sm->stores);
    fills_free(&sm->l1_fills);
    fills_free(&sm->read_only_fills);
    fills_free(&sm->constant_fills);
    cache_free(&sm->l1);
    cache_free(&sm->read_only);
    cache_free(&sm->constant);
}

/* ---- Caches of the SM ------------------------------------------------------------------------ */

struct lookup {
    struct cache *cache;
    struct sm_fills *fills; /* of its lines */
    uint64_t latency;
    uint64_t *lookups, *hits; /* counters */
    uint64_t *global_hits;    /* NULL, or as well */
    uint32_t at_a_time;       /* sectors that a miss fetches: 1, 2 or 4 */
    bool passes_l1;           /* volatile: `cache` is NULL, where there is an L1 for others */
};

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

/* A load through a cache: when its sectors are there; 0: it is not known yet. */
static uint64_t load_through(struct trip *trip, const struct lookup *lookup,
                             const struct memsys_request *request)
{
    struct cache_line evicted, *line = cache_claim(lookup->cache, request->line, &evicted);
    uint32_t lacks = request->sectors & ~(uint32_t)line->valid;
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
    if (line)
        line->valid &= ~(unsigned)request->sectors & ALL_SECTORS;
}

/* Local memory's stores stay in L1. */
static void keep_in_l1(struct trip *trip, const struct memsys_request *request)
{
    struct cache_line evicted;
    cache_claim(&trip->sm->l1, request->line, &evicted)->valid |= request->sectors & ALL_SECTORS;
}

/* ---- Accesses -------------------------------------------------------------------------------- */

/* Lanes on one address: operations of an atomic that go one after another. */
static uint32_t most_on_one_address(const struct warp_access *a, uint64_t line)
{
    uint32_t most = 0;
    for (uint32_t rest = a->active; rest != 0;) {
        uint64_t addr = access_addr(a, (unsigned)__builtin_ctz(rest));
        uint32_t same = 0;
        for (uint32_t left = rest; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            same |= (uint32_t)(access_addr(a, lane) == addr) << lane;
        }
        rest &= ~same;
        if (addr >> LINE_LOG2 == line && (uint32_t)__builtin_popcount(same) > most)
            most = (uint32_t)__builtin_popcount(same);
    }
    return most;
}

static void do_atomic(struct trip *trip, const struct memsys_request *request,
                      const struct warp_access *a)
{
    sm_send_held(trip);
    const uint32_t place = sm_take_place(trip, &trip->sm->loads);
    const bool has_l2 = trip->around->queue->memory->has_l2;
    uint64_t at = sm_cross(trip, &trip->sm->crossbar_out, trip->around->times.write_sector);
    if (trip->around->times.local_in_l1)
        drop_from_l1(trip, request);
    struct queued_request *q = sm_next_request(trip, request, REQUEST_ATOMIC, at, true);
    q->rounds = has_l2 ? most_on_one_address(a, request->line) : 1;
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
    else if (trip->around->times.local_in_l1 && !trip->around->times.stores_update_l1)
        drop_from_l1(trip, request);
    sm_send_or_hold(trip, request);
}

/* Where loads are looked up. */
enum load_way { WAY_CONSTANT, WAY_READ_ONLY, WAY_L1, WAY_PAST_L1, WAY_NO_CACHE };

static enum load_way way_of(const struct sm_times *times, const struct warp_access *a)
{
    if (a->space == SPACE_CONSTANT)
        return WAY_CONSTANT;
    bool read_only =
        a->space == SPACE_TEXTURE || ((a->flags & ACCESS_READ_ONLY) && times->loads_read_only);
    if (read_only && times->read_only_apart)
        return WAY_READ_ONLY;
    if (!read_only && !(a->space == SPACE_LOCAL ? times->local_in_l1 : times->global_in_l1))
        return WAY_NO_CACHE;
    return (a->flags & ACCESS_VOLATILE) && a->space == SPACE_GLOBAL ? WAY_PAST_L1 : WAY_L1;
}

static struct lookup lookup_for(struct trip *trip, const struct warp_access *a, struct counters *c)
{
    const struct sm_times *times = &trip->around->times;
    const enum load_way way = way_of(times, a);
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
                               .global_hits =
                                   a->space == SPACE_GLOBAL ? &c->l1_global_hit_sectors : NULL,
                               .at_a_time = times->whole_lines ? 4 : 1};
    case WAY_PAST_L1:
    case WAY_NO_CACHE:
        break;
    }
    return (struct lookup){.passes_l1 = way == WAY_PAST_L1};
}

static void do_load(struct trip *trip, const struct lookup *lookup,
                    const struct memsys_request *request)
{
    bool looks_up = lookup->cache && !request->host;
    uint64_t leaves = trip->sm->at;
    uint64_t done =
        looks_up ? load_through(trip, lookup, request) : sm_fetch(trip, request, NULL, false);
    if (lookup->passes_l1 && !request->host)
        judge_site(trip->around->judge, request->site)->l1_passed_sectors +=
            sectors_count(request->sectors);
    if (trip->watched && looks_up)
        timeline_add(trip->watched, TIMELINE_L1, leaves, leaves);
    timeline_note(trip->watched, TIMELINE_DATA, done, done);
    trip->sm->result.data = ticks_later(trip->sm->result.data, done);
}

/* The L1 data banks hold an access up when it is wide or conflicts there. */
static void take_l1_data(struct trip *trip, const struct footprint *footprint)
{
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < footprint->count; i++)
        sectors += sectors_count(footprint->sectors[i]);
    if (sectors < 4 * footprint->data_passes)
        sectors = 4 * footprint->data_passes;
    uint64_t busy = sectors * trip->around->times.l1_sector;
    trip->around->busy[USE_L1] += busy;
    trip->sm->at = port_take(&trip->sm->l1_data, trip->sm->at, busy);
}

static void do_line(struct trip *trip, const struct warp_access *a, const struct lookup *lookup,
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
        do_load(trip, lookup, &request);
    else if (a->op == OP_STORE)
        do_store(trip, &request, a);
    else
        do_atomic(trip, &request, a);
}

static void begin_shared(struct trip *trip)
{
    struct sm_unit *sm = trip->sm;
    uint32_t passes = sm->footprint->passes;
    uint64_t busy = passes * trip->around->times.shared_pass;
    trip->around->busy[USE_SHARED] += busy;
    sm->at = port_take(&sm->lsu, sm->at, busy);
    sm->result.data = sm->at + trip->around->times.shared_latency +
                      (passes - 1) * trip->around->times.shared_conflict;
    timeline_note(trip->watched, TIMELINE_UNIT, sm->at, sm->at);
    sm->result.accepted = sm->at;
    sm->next_line = sm->footprint->count;
}

/* The sets of many lines lie all over this computer's memory: it fetches them side by side. */
static void prefetch_sets(const struct sm_unit *sm)
{
    for (uint32_t i = 0; i < sm->footprint->count; i++)
        cache_prefetch(&sm->l1, cache_line_number(sm->footprint->line[i]));
}

void sm_unit_begin(struct sm_unit *sm, const struct sm_surroundings *around,
                   const struct warp_access *access, const struct footprint *footprint,
                   uint64_t *load, uint64_t now)
{
    const struct memsys *memory = around->queue->memory;
    struct trip trip = {sm, around, memory->watched};
    sm->next_line = 0;
    sm->at = now;
    sm->load = load;
    sm->footprint = footprint;
    sm->result = (struct access_times){.accepted = now};
    if (access->space == SPACE_SHARED) {
        begin_shared(&trip);
        if (access->op != OP_STORE)
            timeline_note(memory->watched, TIMELINE_DATA, sm->result.data, sm->result.data);
        return;
    }
    if (sm->footprint->count >= PREFETCH_LINES)
        prefetch_sets(sm);
    uint64_t busy =
        sm->footprint->passes *
        (access->space == SPACE_CONSTANT ? around->times.constant_pass : around->times.lsu);
    around->busy[USE_LSU] += busy;
    sm->at = port_take(&sm->lsu, now, busy);
    timeline_note(memory->watched, TIMELINE_UNIT, sm->at, sm->at);
    const enum load_way way = way_of(&around->times, access);
    if (access->op == OP_LOAD && (way == WAY_READ_ONLY || way == WAY_L1))
        take_l1_data(&trip, sm->footprint);
    sm->result.accepted = sm->at;
}

/* The access is taken up again later: the caller's footprint is gone by then. */
static void keep_footprint(struct sm_unit *sm)
{
    if (sm->footprint == &sm->kept)
        return;
    sm->kept = *sm->footprint;
    sm->footprint = &sm->kept;
}

bool sm_unit_go_on(struct sm_unit *sm, const struct sm_surroundings *around,
                   const struct warp_access *access, uint64_t now)
{
    if (sm->next_line == sm->footprint->count)
        return true;
    struct trip trip = {sm, around, around->queue->memory->watched};
    const struct lookup lookup = lookup_for(&trip, access, judge_site(around->judge, access->site));
    const uint64_t ahead = now + ticks_of_cycles(SM_UNIT_AHEAD_CYCLES);
    while (sm->next_line < sm->footprint->count) {
        if (sm->at > ahead) {
            keep_footprint(sm);
            return false;
        }
        do_line(&trip, access, &lookup, sm->next_line);
        sm->result.accepted = sm->at;
        if (sm->next_line++ < sm->footprint->passes)
            sm->at += around->times.lsu;
    }
    return true;
}
