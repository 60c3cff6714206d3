/* launch.c - a launch: what is to run, whether it can, and how its records are made. grid/ runs it.
 */
#include <string.h>

#include "tracer/grid/blocks.h"
#include "tracer/grid/cluster.h"
#include "tracer/grid/cluster_launch.h"
#include "tracer/widths/elements.h"
#include "tracer/engine.h"
#include "tracer/later.h"
#include "tracer/made/kernels.h"
#include "tracer/repeats.h"
#include "stream/select.h"
#include "tracer/runtime/runtime.h"
#include "tracer/widths/kept_loads.h"
#include "tracer/widths/widths.h"
#include "warplens/cuda.h"

struct engine engine;
/* Where no kernel runs: functions of both sides that a library calls (Thrust) are in a grid of one thread. */
#define INDICES_OF_HOST                                                                            \
    {                                                                                              \
        .block_dim = {1, 1, 1}, .grid_dim = { 1, 1, 1 }                                            \
    }
struct indices engine_indices = INDICES_OF_HOST;
/* The names that programs in C++ have for its parts (cuda_indices.h). */
__asm__(".globl wl_thread_index, wl_block_index, wl_block_dim, wl_grid_dim\n"
        ".set wl_thread_index, wl_indices\n.set wl_block_index, wl_indices + 12\n"
        ".set wl_block_dim, wl_indices + 24\n.set wl_grid_dim, wl_indices + 36\n");
struct event_rows event_rows;

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
    engine.is_cooperative = key->is_cooperative || key->extra.is_cooperative;
    engine.frame_offset = engine.parameter_offset = 0;
    if (cluster_set_up(key) &&
        launch_is_possible(&runtime_limits()->properties, runtime_limits()->dynamic_shared_max))
        return true;
    faults_give_refusal();
    return false;
}

static void launch_run(void)
{
    engine.work_of_kernel = WORK_OF_KERNEL + elements_parameters();
    spaces_launch();
    sites_launch();
    widths_launch();
    faults_launch();
    lanes_set_up();
    if (engine.is_cooperative)
        cooperative_run();
    else if (cluster.count > 1)
        clusters_run();
    else
        blocks_run();
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

static void launch_known(const struct launch_key *key, const void *arguments)
{
    if (engine.failed || engine.sink == NULL || !launch_set_up(key, arguments))
        return;
    engine.made = made_of_launch(key);
    struct launch_info launch = {.kernel = key->name,
                                 .grid = {key->grid.x, key->grid.y, key->grid.z},
                                 .block = {key->block.x, key->block.y, key->block.z},
                                 .dynamic_shared_bytes = key->dynamic_shared_bytes,
                                 .registers = engine.made ? engine.made->registers : 0};
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

static void launch_one(const struct launch_key *key, const void *arguments)
{
    launch_known(key, arguments);
    engine.made = NULL;
}

/* With those that its kernel launches. */
static void launch_all(struct launch_key *key, const void *arguments)
{
    struct later_launch *later;
    repeats_take_arguments(key);
    key->extra = launch_take_extra();
    elements_begin();
    launch_one(key, arguments);
    elements_end();
    while ((later = later_take()) != NULL) {
        *key = (struct launch_key){.name = later->name,
                                   .call = later->call,
                                   .grid = later->grid,
                                   .block = later->block,
                                   .dynamic_shared_bytes = later->dynamic_shared_bytes};
        launch_one(key, later->data);
        later_free(later);
    }
    engine_indices = (struct indices)INDICES_OF_HOST;
}

void wl_launch(const char *name, void (*call)(const void *arguments), const void *arguments,
               dim3 grid, dim3 block, size_t dynamic_shared_bytes)
{
    struct launch_key key = {.name = name,
                             .call = call,
                             .grid = grid,
                             .block = block,
                             .dynamic_shared_bytes = dynamic_shared_bytes};
    launch_all(&key, arguments);
}

void launch_cooperative(const char *name, void (*call)(const void *arguments),
                        const void *arguments, dim3 grid, dim3 block, size_t dynamic_shared_bytes)
{
    struct launch_key key = {.name = name,
                             .call = call,
                             .grid = grid,
                             .block = block,
                             .dynamic_shared_bytes = dynamic_shared_bytes,
                             .is_cooperative = true};
    launch_all(&key, arguments);
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
    kept_loads_start();
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
