/* launch.c - a launch: blocks one after another in block order, warp by warp from barrier to
 * barrier.
 *
 * Decisions. A warp runs to the barrier before the next warp of the block starts, which is one of
 * the orders hardware may choose; a kernel whose result depends on it has a race. __syncthreads is
 * reached by every lane of the block that has not returned, at one place in the source. CUDA leaves
 * anything else undefined: two places stop the kernel, and a lane that has returned early is a
 * fault that is counted, since programs do it and every GPU lets the others go on.
 */
#include <string.h>

#include "tracer/elements.h"
#include "tracer/engine.h"
#include "tracer/later.h"
#include "tracer/repeats.h"
#include "machine_code/lineinfo.h"
#include "stream/select.h"
#include "tracer/runtime/runtime.h"
#include "warplens/cuda.h"

struct engine engine;
struct indices engine_indices;
/* The names that programs in C++ have for its parts (cuda_indices.h). */
__asm__(".globl wl_thread_index, wl_block_index, wl_block_dim, wl_grid_dim\n"
        ".set wl_thread_index, wl_indices\n.set wl_block_index, wl_indices + 12\n"
        ".set wl_block_dim, wl_indices + 24\n.set wl_grid_dim, wl_indices + 36\n");
struct event_rows event_rows;

static bool at_one_barrier(const struct lane *a, const struct lane *b)
{
    uintptr_t x = a->context->stopped_at, y = b->context->stopped_at;
    return x == y || sites_line(x).line == sites_line(y).line;
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

/* All warps have stopped: does the block go on behind a barrier, has it ended, or is it stuck? */
static bool block_passes_barrier(void)
{
    const struct lane *waiting = NULL, *ended = NULL;
    uint64_t missing = 0;
    if (!block_waits())
        return false;
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
            return false;
        }
    }
    if (ended)
        count_missing(waiting, ended, missing);
    engine.barriers++;
    engine.barrier_votes[engine.barriers % 2] = engine.barrier_lanes[engine.barriers % 2] = 0;
    return true;
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
    warp->work = warp->clock = 0;
    warp->gone_by = 0;
    warp->passed_over = warp->rounds = warp->burst = 0;
    warp->recent.count = 0;
    warp->loop = (struct loop_wait){0};
    warp->together = ~absent;
    warp_set_state(warp, ~absent, LANE_READY);
    warp_set_state(warp, absent, LANE_ENDED);
}

static void report_event(enum trace_event_kind kind, uint32_t warp, uint16_t work)
{
    struct trace_event event = {
        .kind = kind, .block = engine.block_linear, .warp = warp, .work = work};
    if (kind == TRACE_BLOCK_END)
        event.shared_bytes = spaces_shared_bytes();
    if (!engine.failed && !engine.is_muted)
        engine_heed(sink_event(engine.sink, &event));
}

/* The lanes that ran have come to a barrier, or have ended. */
static void report_stop(struct warp *warp, uint32_t ran)
{
    uint32_t waiting = warp->in_state[LANE_BARRIER];
    uintptr_t pc = 0;
    if (waiting)
        pc = warp->lanes[__builtin_ctz(waiting)].context->stopped_at;
    warp_add_work(warp, warp->last_work, ran, pc);
    report_event(waiting ? TRACE_BARRIER : TRACE_WARP_END, (uint32_t)(warp - engine.warps),
                 warp_take_work(warp, pc));
    warp->recent.count = 0;
    warp->loop = (struct loop_wait){0};
}

static void block_run(void)
{
    uint32_t warp_count = (engine.lane_count + WARP_LANES - 1) / WARP_LANES;
    for (uint32_t i = 0; i < warp_count; i++)
        warp_reset(&engine.warps[i]);
    spaces_block();
    engine.barriers = 0;
    engine.barrier_votes[0] = engine.barrier_lanes[0] = 0;
    do {
        for (uint32_t i = 0; i < warp_count && !engine.failed; i++) {
            struct warp *warp = &engine.warps[i];
            if (!warp_lives(warp))
                continue;
            warp_set_state(warp, warp->in_state[LANE_BARRIER], LANE_READY);
            uint32_t ran = warp->in_state[LANE_READY];
            warp_run(warp);
            report_stop(warp, ran);
        }
    } while (!engine.failed && block_passes_barrier());
    report_event(TRACE_BLOCK_END, 0, 0);
}

/* Every block: x fastest, then y, then z. */
static void grid_run(void)
{
    engine.block_linear = 0;
    for (unsigned z = 0; z < engine_indices.grid_dim.z; z++)
        for (unsigned y = 0; y < engine_indices.grid_dim.y; y++)
            for (unsigned x = 0; x < engine_indices.grid_dim.x && !engine.failed; x++) {
                engine_indices.block.x = x;
                engine_indices.block.y = y;
                engine_indices.block.z = z;
                block_run();
                engine.block_linear++;
            }
}

static void lanes_set_up(void)
{
    unsigned index = 0;
    for (unsigned z = 0; z < engine_indices.block_dim.z; z++)
        for (unsigned y = 0; y < engine_indices.block_dim.y; y++)
            for (unsigned x = 0; x < engine_indices.block_dim.x; x++, index++)
                engine.lanes[index] = (struct lane){.thread = {x, y, z}, .index = index};
    engine.lane_count = index;
    for (unsigned i = 0; i < BLOCK_LANES_MAX / WARP_LANES; i++)
        engine.warps[i].lanes = &engine.lanes[(size_t)i * WARP_LANES];
}

/* Takes what the launch is; false when it cannot be. */
static bool launch_set_up(const struct launch_key *key, const void *arguments)
{
    engine.kernel = key->name;
    engine.call = key->call;
    engine.arguments = arguments;
    engine_indices.grid_dim = key->grid;
    engine_indices.block_dim = key->block;
    engine.dynamic_shared_bytes = key->dynamic_shared_bytes;
    engine.frame_offset = engine.parameter_offset = 0;
    if (launch_is_possible(&runtime_limits()->properties, runtime_limits()->dynamic_shared_max))
        return true;
    faults_give_refusal();
    return false;
}

static void launch_run(void)
{
    spaces_launch();
    sites_launch();
    faults_launch();
    lanes_set_up();
    grid_run();
    lane_free_stacks();
}

static void launch_traced(const struct launch_info *launch)
{
    engine_heed(sink_launch_begin(engine.sink, launch));
    if (engine.failed) /* the sink refused it */
        return;
    launch_run();
    repeats_note(!faults_are_there(), launch->may_repeat);
    faults_give();
    if (!engine.failed)
        engine_heed(sink_launch_end(engine.sink, spaces_shared_bytes()));
    memory_managed_clear();
}

static void launch_left_out(const struct launch_info *launch, uint64_t repeats)
{
    struct trace_left_out left_out = {.kernel = launch->kernel,
                                      .dynamic_shared_bytes = launch->dynamic_shared_bytes,
                                      .repeats = repeats};
    memcpy(left_out.grid, launch->grid, sizeof left_out.grid);
    memcpy(left_out.block, launch->block, sizeof left_out.block);
    engine_heed(sink_launch_left_out(engine.sink, &left_out));
}

/* It has to run, but nobody wants its accesses. The model of managed memory does not see it: pages stay where they
 * are. It has as many accesses as warps on the clock that cudaEventElapsedTime reads. */
static void launch_muted(const struct launch_info *launch)
{
    launch_left_out(launch, 0);
    if (engine.failed)
        return;
    const bool wants_values = engine.wants_values;
    const uint64_t *short_end = engine.short_end;
    engine.is_muted = true;
    engine.wants_values = false;
    engine.short_end = &event_rows.addr[0][0];
    launch_run();
    engine.accesses +=
        (uint64_t)engine.block_linear * ((engine.lane_count + WARP_LANES - 1) / WARP_LANES);
    engine.is_muted = false;
    engine.wants_values = wants_values;
    engine.short_end = short_end;
    repeats_note(!faults_are_there(), false);
    faults_forget();
    faults_give();
}

static void launch_one(const struct launch_key *key, const void *arguments)
{
    if (engine.failed || engine.sink == NULL || !launch_set_up(key, arguments))
        return;
    struct launch_info launch = {.kernel = key->name,
                                 .grid = {key->grid.x, key->grid.y, key->grid.z},
                                 .block = {key->block.x, key->block.y, key->block.z},
                                 .dynamic_shared_bytes = key->dynamic_shared_bytes};
    heap_launch();
    if (engine.failed)
        return;
    launch.arrays = memory_arrays(&launch.array_count);
    launch.managed = memory_managed(&launch.managed_count);
    if (!launch_arrays_are_possible(&launch))
        return;
    const bool is_wanted = engine.select == NULL || launch_select_takes(engine.select, &launch);
    const enum launch_way way = repeats_choose(key, is_wanted, &launch.may_repeat);
    engine.launches++;
    if (way == LAUNCH_REPEATS || way == LAUNCH_NOT_RUN)
        launch_left_out(&launch, way == LAUNCH_REPEATS ? repeats_distance() : 0);
    else if (way == LAUNCH_MUTED)
        launch_muted(&launch);
    else
        launch_traced(&launch);
}

void wl_launch(const char *name, void (*call)(const void *arguments), const void *arguments,
               dim3 grid, dim3 block, size_t dynamic_shared_bytes)
{
    struct later_launch *later;
    struct launch_key key = {.name = name,
                             .call = call,
                             .grid = grid,
                             .block = block,
                             .dynamic_shared_bytes = dynamic_shared_bytes};
    repeats_take_arguments(&key);
    elements_begin();
    launch_one(&key, arguments);
    elements_end();
    while ((later = later_take()) != NULL) {
        key = (struct launch_key){.name = later->name,
                                  .call = later->call,
                                  .grid = later->grid,
                                  .block = later->block,
                                  .dynamic_shared_bytes = later->dynamic_shared_bytes};
        launch_one(&key, later->data);
        later_free(later);
    }
}

void tracer_set_select(struct launch_select *select)
{
    engine.select = select;
}

void tracer_start(const struct trace_sink *sink)
{
    engine.sink = sink;
    engine.failed = false;
    engine.error = cudaSuccess;
    engine.accesses = 0;
    engine.special_loads = false;
    engine.stored = NULL;
    engine.wants_values = sink->wants_values;
    engine.short_end = engine.wants_values ? &event_rows.meta[0][0] : &event_rows.addr[0][0];
    engine.mark = MARK_NONE;
    engine.message[0] = '\0';
    engine.sink_is_done = engine.stop_is_given = false;
    engine.is_muted = false;
    engine.launches = 0;
    faults_launch();
    repeats_start();
    spaces_start();
    lane_reserve_stacks();
    work_start();
    memory_start();
    variables_start();
    runtime_start();
    sites_start();
    loops_start();
}

void tracer_stop(void)
{
    engine.sink = NULL;
}
