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
        .lag = ticks_of_millicycles(arch->lag_millicycles),
        .barrier = ticks_of_cycles(arch->barrier_cycles),
        .block_launch = ticks_of_millicycles(arch->block_launch_millicycles),
        .warp_launch = ticks_of_millicycles(arch->warp_launch_millicycles),
        .block_start = ticks_of_cycles(arch->block_start_cycles),
        .warp_start = ticks_of_cycles(arch->warp_start_cycles),
        .shared_latency = ticks_of_cycles(arch->shared_latency_cycles),
        .shared_pass = ticks_of_millicycles(arch->shared_pass_millicycles),
        .shared_conflict = ticks_of_millicycles(arch->shared_conflict_millicycles),
        .lsu = ticks_of_millicycles(arch->lsu_millicycles),
        .constant_pass = ticks_of_millicycles(arch->constant_pass_millicycles),
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
        .stores_stay_in_l1 = capability->stores_stay_in_l1,
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

static bool l1_init(struct cache *l1, const struct arch *arch, uint64_t bytes)
{
    const uint64_t lines = bytes / LINE_BYTES, kept_back = (uint64_t)arch->l1_lines_kept_back;
    if (arch->l1_hashed == CACHE_HASHED_BITS)
        return cache_init_with_room(l1, lines > kept_back ? (uint32_t)(lines - kept_back) : 1,
                                    (uint32_t)arch->l1_ways);
    return cache_init(l1, bytes, (uint32_t)arch->l1_ways, (enum cache_sets)arch->l1_hashed, 0);
}

bool sm_unit_init(struct sm_unit *sm, const struct arch *arch, uint64_t l1_bytes)
{
    *sm = (struct sm_unit){.held.ticks = ticks_of_cycles(arch->store_merge_cycles)};
    sm->owner = sm->queue_first = SM_UNIT_NOBODY;
    if (places_init(&sm->loads, (size_t)arch->requests_in_flight) &&
        places_init(&sm->stores, (size_t)arch->requests_in_flight) &&
        fills_init(&sm->l1_fills, L1_FILLS) && fills_init(&sm->read_only_fills, SMALL_FILLS) &&
        fills_init(&sm->constant_fills, SMALL_FILLS) && l1_init(&sm->l1, arch, l1_bytes) &&
        cache_init(&sm->read_only, (uint64_t)arch->read_only_bytes, 4, CACHE_MODULO, 0) &&
        cache_init(&sm->constant, (uint64_t)arch->constant_bytes, 4, CACHE_MODULO, 0))
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

/* Another block's: over the network between SMs. The unit is held up as long as its sectors take to go. */
static void begin_cluster(struct trip *trip, const struct warp_access *access)
{
    struct sm_unit *sm = trip->sm;
    const uint64_t busy = (uint64_t)sm->footprint->data_passes * TICKS_PER_CYCLE * SECTOR_BYTES /
                          CLUSTER_BYTES_A_CYCLE;
    trip->around->busy[USE_SHARED] += busy;
    sm->at = port_take(&sm->lsu, sm->at, busy);
    sm->result.data =
        sm->at + (access->op == OP_STORE ? 0 : ticks_of_cycles(CLUSTER_LATENCY_CYCLES));
    timeline_note(trip->watched, TIMELINE_UNIT, sm->at, sm->at);
    sm->result.accepted = sm->at;
    sm->next_line = sm->footprint->count;
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

/* Constants have a unit of their own. */
static bool is_apart(const struct sm_times *times, const struct warp_access *access)
{
    return access->space == SPACE_CONSTANT && times->constant_pass > 0;
}

/* The unit that the access takes for its passes; returns when it is through. */
static uint64_t take_unit(struct sm_unit *sm, const struct sm_surroundings *around,
                          const struct warp_access *access, uint32_t passes, uint64_t now)
{
    const struct sm_times *times = &around->times;
    const bool apart = is_apart(times, access);
    if (access_is_operand(access))
        passes = 0;
    const uint64_t busy = passes * (apart ? times->constant_pass : times->lsu);
    around->busy[apart ? USE_CONSTANT : USE_LSU] += busy;
    return port_take(apart ? &sm->constants : &sm->lsu, now, busy);
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
    sm->accesses++;
    sm->next_line = 0;
    sm->at = now;
    sm->load = load;
    sm->footprint = footprint;
    sm->result = (struct access_times){.accepted = now};
    if (access->space == SPACE_SHARED) {
        if (access_is_remote(access))
            begin_cluster(&trip, access);
        else
            begin_shared(&trip);
        if (access->op != OP_STORE)
            timeline_note(memory->watched, TIMELINE_DATA, sm->result.data, sm->result.data);
        return;
    }
    if (sm->footprint->count >= PREFETCH_LINES)
        prefetch_sets(sm);
    sm->at = take_unit(sm, around, access, footprint->passes, now);
    sm->crowded += sm->at - now;
    timeline_note(memory->watched, TIMELINE_UNIT, sm->at, sm->at);
    const enum load_way way = sm_way_of(&around->times, access);
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
    const struct lookup lookup =
        sm_lookup_for(&trip, access, judge_site(around->judge, access->site));
    /* The load/store unit is for others while constants wait for theirs: they look their lines up ahead of time. */
    const uint64_t ahead =
        is_apart(&around->times, access) ? UINT64_MAX : now + ticks_of_cycles(SM_UNIT_AHEAD_CYCLES);
    while (sm->next_line < sm->footprint->count) {
        if (sm->at > ahead) {
            keep_footprint(sm);
            return false;
        }
        sm_do_line(&trip, access, &lookup, sm->next_line);
        sm->result.accepted = sm->at;
        if (sm->next_line++ < sm->footprint->passes)
            sm->at += around->times.lsu;
    }
    return true;
}
