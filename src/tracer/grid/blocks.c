/* blocks.c - the blocks of a launch: warp by warp from barrier to barrier, one block after another in block order;
 * those of a cooperative launch from one barrier of the grid to the next (set_aside.c), those of a cluster in turns (cluster.c).
 *
 * Decisions. A warp runs to the barrier before the next warp of the block starts, which is one of
 * the orders hardware may choose; a kernel whose result depends on it has a race. __syncthreads is
 * reached by every lane of the block that has not returned, at one place in the source. CUDA leaves
 * anything else undefined: two places stop the kernel, and a lane that has returned early is a
 * fault that is counted, since programs do it and every GPU lets the others go on. A barrier of the
 * grid is reached by every block: one that has ended would be waited for for ever.
 */
#include "tracer/grid/blocks.h"

#include "machine_code/lineinfo.h"
#include "tracer/bulk/bulk_events.h"
#include "tracer/bulk/mbarriers.h"
#include "tracer/bulk/named_barriers.h"
#include "tracer/engine.h"
#include "tracer/grid/cluster.h"
#include "tracer/matrix/warpgroup.h"
#include "tracer/waits/hoist.h"

static bool at_one_barrier(const struct lane *a, const struct lane *b)
{
    uintptr_t x = a->context->stopped_at, y = b->context->stopped_at;
    return a->is_at_grid_barrier == b->is_at_grid_barrier &&
           (x == y || sites_line(x).line == sites_line(y).line);
}

/* Some lane waits at a barrier. */
static bool block_waits(void)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i * WARP_LANES < engine.lane_count; i++)
        waiting |= engine.warps[i].in_state[LANE_BARRIER];
    return waiting != 0;
}

static const struct trace_fault not_reached = {.kind = FAULT_BARRIER_NOT_REACHED, .array = ""};

static void count_missing(const struct lane *waiting, const struct lane *ended, uint64_t missing)
{
    faults_count_thread(
        &not_reached, missing,
        (const uint32_t[]){ended->thread.x, ended->thread.y, ended->thread.z},
        waiting->context->stopped_at,
        "barrier that this thread does not reach, as it has returned from the kernel: undefined in "
        "CUDA; it counts as arrived here, as on GPUs");
}

/* All warps have stopped. The lane at the barrier that the block has come to; NULL when it has ended, or is stuck. */
static const struct lane *block_barrier(void)
{
    const struct lane *waiting = NULL, *ended = NULL;
    uint64_t missing = 0;
    if (!block_waits())
        return NULL;
    for (uint32_t i = 0; i < engine.lane_count; i++) {
        const struct lane *lane = &engine.lanes[i];
        if (engine.warps[i / WARP_LANES].in_state[LANE_ENDED] >> i % WARP_LANES & 1U) {
            ended = ended ? ended : lane;
            missing++;
        } else if (waiting == NULL) {
            waiting = lane;
        } else if (!at_one_barrier(waiting, lane)) {
            faults_stop_is(&not_reached);
            engine_fail_barrier(
                waiting,
                "barrier that not all lanes of the block reach: thread (%u,%u,%u) waits "
                "at the one in line %u",
                lane->thread.x, lane->thread.y, lane->thread.z,
                (unsigned)sites_line(lane->context->stopped_at).line);
            return NULL;
        }
    }
    if (ended)
        count_missing(waiting, ended, missing);
    engine.barriers++;
    engine.barrier_votes[engine.barriers % 2] = engine.barrier_lanes[engine.barriers % 2] = 0;
    return waiting;
}

/* Lanes that have not ended. */
static bool warp_lives(const struct warp *warp)
{
    return warp->in_state[LANE_ENDED] != UINT32_MAX;
}

static void warp_reset(struct warp *warp)
{
    ptrdiff_t rest = &engine.lanes[engine.lane_count] - warp->lanes;
    uint32_t absent = rest >= WARP_LANES ? 0 : UINT32_MAX << rest;
    warp->pending = warp->started = 0;
    warp->work = warp->clock = warp->lag = 0;
    warp->gone_by = 0;
    warp->passed_over = warp->rounds = warp->burst = 0;
    warp->recent.count = 0;
    warp->needed.count = warp->needed.jumped_at = 0;
    warp->loop = (struct loop_wait){0};
    warp->store = (struct store_wait){0};
    warp->together = ~absent;
    warp_set_state(warp, ~absent, LANE_READY);
    warp_set_state(warp, absent, LANE_ENDED);
}

static void report_event(enum trace_event_kind kind, uint32_t warp, struct work work)
{
    struct trace_event event = {.kind = kind,
                                .block = engine.block_linear,
                                .warp = warp,
                                .work = (uint16_t)work.instructions,
                                .lag = (uint16_t)work.lag};
    if (kind == TRACE_BLOCK_END)
        event.shared_bytes = spaces_shared_bytes();
    hoist_end();
    if (!engine.failed && !engine.is_muted)
        engine_heed(sink_event(engine.sink, &event));
}

static void add_last_lag(struct warp *warp, uint32_t ran)
{
    uint16_t most = 0;
    for (uint32_t left = ran; left; left &= left - 1) {
        const uint16_t lag = warp->last_lag[__builtin_ctz(left)];
        most = lag > most ? lag : most;
    }
    warp->lag += most;
}

/* The lanes that ran have come to a barrier, or have ended. */
static void report_stop(struct warp *warp, uint32_t ran)
{
    uint32_t waiting = warp->in_state[LANE_BARRIER];
    uintptr_t pc = 0;
    const struct lane *first = waiting ? &warp->lanes[__builtin_ctz(waiting)] : NULL;
    if (first)
        pc = first->context->stopped_at;
    warp_add_work(warp, warp->last_work, ran, pc);
    add_last_lag(warp, ran);
    if (first && first->is_at_grid_barrier && !engine.is_muted)
        syncs_report_fence(warp, SYNC_GRID, waiting, waiting, pc);
    report_event(waiting ? TRACE_BARRIER : TRACE_WARP_END, (uint32_t)(warp - engine.warps),
                 (struct work){warp_take_work(warp, pc), warp_take_lag(warp)});
    warp->recent.count = 0;
    warp->needed.count = warp->needed.jumped_at = 0;
    warp->loop = (struct loop_wait){0};
    warp->store = (struct store_wait){0};
}

static uint32_t warp_count(void)
{
    return (engine.lane_count + WARP_LANES - 1) / WARP_LANES;
}

void block_choose(uint32_t linear)
{
    const dim3 grid = engine_indices.grid_dim;
    engine.block_linear = linear;
    engine_indices.block = (uint3){linear % grid.x, linear / grid.x % grid.y,
                                   (uint32_t)(linear / ((uint64_t)grid.x * grid.y))};
}

void block_begin(void)
{
    for (uint32_t i = 0; i < warp_count(); i++)
        warp_reset(&engine.warps[i]);
    spaces_block();
    async_copies_block();
    mbarriers_block();
    bulk_events_block();
    named_barriers_block();
    warpgroups_block();
    engine.turn.told_later = 0;
    engine.turn.goes_on = false;
    if (cluster.count == 1)
        cluster_alone();
    engine.barriers = 0;
    engine.barrier_votes[0] = engine.barrier_lanes[0] = 0;
}

static bool waits_at_object(const struct warp *warp)
{
    const uint32_t waiting = warp->in_state[LANE_BARRIER];
    return waiting && warp->lanes[__builtin_ctz(waiting)].awaits;
}

/* A warp with lanes that wait for a phase has not come to the block's barrier. */
static void warp_runs(struct warp *warp)
{
    const uint32_t number = (uint32_t)(warp - engine.warps), bit = 1U << number;
    warp_run(warp);
    engine.turn.told_later &= ~bit;
    if (warp->in_state[LANE_AWAITS])
        return;
    if (waits_at_object(warp))
        engine.turn.told_later |= bit;
    else
        report_stop(warp, engine.turn.ran[number]);
}

static void tell_stops(void)
{
    for (uint32_t *left = &engine.turn.told_later; *left && !engine.failed; *left &= *left - 1) {
        const unsigned number = (unsigned)__builtin_ctz(*left);
        report_stop(&engine.warps[number], engine.turn.ran[number]);
    }
}

static void warp_go_on(struct warp *warp)
{
    if (!warp_lives(warp))
        return;
    warp_set_state(warp, warp->in_state[LANE_BARRIER], LANE_READY);
    engine.turn.ran[warp - engine.warps] = warp->in_state[LANE_READY];
    warp_runs(warp);
}

static bool waits_in(uint32_t i, enum lane_state state)
{
    return engine.warps[i / WARP_LANES].in_state[state] >> i % WARP_LANES & 1U;
}

/* All lanes have stopped. Those that wait at cuda::barriers of the block, while others wait elsewhere, wait for the hardware's: whether
 * there are any. */
static bool part_objects(void)
{
    const struct lane *first = NULL;
    bool apart = false, some = false;
    for (uint32_t i = 0; i < engine.lane_count; i++) {
        const struct lane *lane = &engine.lanes[i];
        apart |= waits_in(i, LANE_AWAITS);
        if (!waits_in(i, LANE_BARRIER))
            continue;
        first = first ? first : lane;
        apart |= lane->awaits != first->awaits || !at_one_barrier(first, lane);
        some |= lane->awaits != NULL;
    }
    if (apart && some)
        mbarriers_leave_block();
    return apart && some;
}

/* Lanes wait, and none of the block can go on. Whether some can now; of a cluster the other blocks are to run first. */
static bool unlock(void)
{
    return part_objects() || cluster_settle() || (cluster.count == 1 && mbarriers_give_up());
}

/* Warps that wait for phases of barriers in shared memory, in turns, until none does, or those that do wait for other blocks. */
static void pass_phases(void)
{
    bool waits;
    do {
        bool moved = false;
        waits = false;
        for (uint32_t i = 0; i < warp_count() && !engine.failed; i++) {
            struct warp *warp = &engine.warps[i];
            if (!warp->in_state[LANE_AWAITS])
                continue;
            waits = true;
            if (!mbarriers_wake(warp))
                continue;
            moved = true;
            warp_runs(warp);
        }
        if (engine.failed || (waits && !moved && !unlock()))
            return;
    } while (waits);
}

static bool some_await(void)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp_count(); i++)
        lanes |= engine.warps[i].in_state[LANE_AWAITS];
    return lanes != 0;
}

enum block_stop block_go_on(void)
{
    const struct lane *waiting;
    do {
        for (uint32_t i = 0; i < warp_count() && !engine.failed && !engine.turn.goes_on; i++)
            warp_go_on(&engine.warps[i]);
        do
            pass_phases();
        while (!engine.failed && part_objects());
        engine.turn.goes_on = !engine.failed && some_await();
        if (engine.turn.goes_on)
            return BLOCK_AWAITS_OTHERS;
        tell_stops();
        waiting = engine.failed ? NULL : block_barrier();
    } while (waiting && !waiting->is_at_grid_barrier);
    if (waiting)
        return BLOCK_AT_GRID_BARRIER;
    report_event(TRACE_BLOCK_END, 0, (struct work){0});
    return BLOCK_ENDED;
}

void block_fail_grid_barrier(uint32_t ended)
{
    const uint32_t block = engine.block_linear;
    const struct lane *waiting = engine.lanes;
    while (!waiting->is_at_grid_barrier)
        waiting++;
    block_choose(ended);
    const uint3 other = engine_indices.block;
    block_choose(block);
    faults_stop_is(&not_reached);
    engine_fail_barrier(waiting,
                        "barrier of the grid that not all blocks reach: block (%u,%u,%u) has "
                        "returned from the kernel",
                        other.x, other.y, other.z);
}

void blocks_run(void)
{
    const dim3 grid = engine_indices.grid_dim;
    const uint32_t count = grid.x * grid.y * grid.z;
    for (uint32_t i = 0; i < count && !engine.failed; i++) {
        block_choose(i);
        block_begin();
        block_go_on();
    }
}
