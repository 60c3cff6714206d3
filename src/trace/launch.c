/* launch.c - a launch: blocks one after another in block order, warp by warp from barrier to barrier.
 *
 * Decisions. A warp runs to the barrier before the next warp of the block starts, which is one of the
 * orders hardware may choose; a kernel whose result depends on it has a race. __syncthreads is reached
 * by every lane of the block, at one place in the source: CUDA leaves anything else undefined, so it
 * is an error here, a lane that has returned early included.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/engine.h"
#include "trace/lineinfo.h"
#include "warplens/cuda.h"

struct engine engine;
static struct event_rows event_rows;

static void message_start(const char *kernel, uintptr_t pc)
{
    struct lineinfo_line where = sites_line(pc);
    engine.failed = true;
    snprintf(engine.message, sizeof engine.message, "%s:%u: in %s: ", where.file,
             (unsigned)where.line, kernel);
}

static void message_add(const char *format, va_list arguments)
{
    size_t used = strlen(engine.message);
    vsnprintf(engine.message + used, sizeof engine.message - used, format, arguments);
}

static void message_thread(const struct lane *lane)
{
    size_t used = strlen(engine.message);
    snprintf(engine.message + used, sizeof engine.message - used,
             " [block (%u,%u,%u), thread (%u,%u,%u)]", engine.block_index.x, engine.block_index.y,
             engine.block_index.z, lane->thread.x, lane->thread.y, lane->thread.z);
}

void engine_fail_lane(uintptr_t pc, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_start(engine.kernel, pc);
    message_add(format, arguments);
    va_end(arguments);
    message_thread(engine.current);
    lane_stop(LANE_ENDED, pc); /* the launch is over: nobody switches back */
    __builtin_unreachable();
}

void tracer_fail(const char *format, ...)
{
    if (engine.failed)
        return;
    engine.failed = true;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(engine.message, sizeof engine.message, format, arguments);
    va_end(arguments);
}

static void fail_at_barrier(const struct lane *waiting, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void fail_at_barrier(const struct lane *waiting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_start(engine.kernel, waiting->stopped_at);
    message_add(format, arguments);
    va_end(arguments);
    message_thread(waiting);
}

/* All warps have stopped: does the block go on behind a barrier, has it ended, or is it stuck? */
static bool block_passes_barrier(void)
{
    const struct lane *waiting = NULL, *ended = NULL;
    for (uint32_t i = 0; i < engine.lane_count; i++) {
        const struct lane *lane = &engine.lanes[i];
        if (lane->state == LANE_ENDED)
            ended = ended ? ended : lane;
        else if (waiting == NULL)
            waiting = lane;
        else if (lane->stopped_at != waiting->stopped_at &&
                 sites_line(lane->stopped_at).line != sites_line(waiting->stopped_at).line) {
            fail_at_barrier(waiting,
                            "barrier that not all lanes of the block reach: thread (%u,%u,%u) waits "
                            "at the one in line %u",
                            lane->thread.x, lane->thread.y, lane->thread.z,
                            (unsigned)sites_line(lane->stopped_at).line);
            return false;
        }
    }
    if (waiting && ended)
        fail_at_barrier(waiting,
                        "barrier that not all lanes of the block reach: thread (%u,%u,%u) has "
                        "returned from the kernel",
                        ended->thread.x, ended->thread.y, ended->thread.z);
    return waiting && !ended;
}

static void block_run(void)
{
    for (uint32_t i = 0; i < engine.lane_count; i++) {
        struct lane *lane = &engine.lanes[i];
        lane->count = lane->head = lane->depth = 0;
        lane->state = LANE_READY;
        lane->accesses = 0;
    }
    do {
        for (uint32_t first = 0; first < engine.lane_count && !engine.failed; first += WARP_LANES) {
            uint32_t rest = engine.lane_count - first;
            uint32_t present = rest >= WARP_LANES ? UINT32_MAX : (1U << rest) - 1;
            for (uint32_t i = 0; i < WARP_LANES && i < rest; i++)
                if (engine.lanes[first + i].state == LANE_BARRIER)
                    engine.lanes[first + i].state = LANE_READY;
            warp_run(&engine.lanes[first], present);
        }
    } while (!engine.failed && block_passes_barrier());
}

/* Every block: x fastest, then y, then z. */
static void grid_run(void)
{
    engine.block_linear = 0;
    for (unsigned z = 0; z < engine.grid.z; z++)
        for (unsigned y = 0; y < engine.grid.y; y++)
            for (unsigned x = 0; x < engine.grid.x && !engine.failed; x++) {
                engine.block_index.x = x;
                engine.block_index.y = y;
                engine.block_index.z = z;
                block_run();
                engine.block_linear++;
            }
}

static void lanes_set_up(void)
{
    unsigned index = 0;
    engine.rows = &event_rows;
    for (unsigned z = 0; z < engine.block.z; z++)
        for (unsigned y = 0; y < engine.block.y; y++)
            for (unsigned x = 0; x < engine.block.x; x++, index++) {
                struct lane *lane = &engine.lanes[index];
                *lane = (struct lane){.thread = {x, y, z}, .index = index};
                lane->meta = &event_rows.meta[0][index % WARP_LANES];
                lane->addr = &event_rows.addr[0][index % WARP_LANES];
            }
    engine.lane_count = index;
}

/* The limits every CUDA device shares; a GPU's own are checked against its model. */
static bool launch_is_possible(void)
{
    uint64_t lanes = (uint64_t)engine.block.x * engine.block.y * engine.block.z;
    uint64_t blocks = (uint64_t)engine.grid.x * engine.grid.y * engine.grid.z;
    if (lanes == 0 || engine.block.x > BLOCK_LANES_MAX || engine.block.y > BLOCK_LANES_MAX ||
        lanes > BLOCK_LANES_MAX)
        tracer_fail("%s: a block of %u x %u x %u threads: 1 to %d threads are possible",
                    engine.kernel, engine.block.x, engine.block.y, engine.block.z, BLOCK_LANES_MAX);
    else if (blocks == 0 || blocks > UINT32_MAX || engine.grid.y > UINT16_MAX ||
             engine.grid.z > UINT16_MAX)
        tracer_fail("%s: a grid of %u x %u x %u blocks: 1 to 2147483647 x 65535 x 65535 are possible",
                    engine.kernel, engine.grid.x, engine.grid.y, engine.grid.z);
    else if (engine.dynamic_shared_bytes > 227 * 1024)
        tracer_fail("%s: %llu bytes of dynamic shared memory: 0 to %d are possible", engine.kernel,
                    (unsigned long long)engine.dynamic_shared_bytes, 227 * 1024);
    return !engine.failed;
}

void wl_launch(const char *name, void (*call)(const void *arguments), const void *arguments,
               dim3 grid, dim3 block, size_t dynamic_shared_bytes)
{
    if (engine.failed || engine.sink == NULL)
        return;
    engine.kernel = name;
    engine.call = call;
    engine.arguments = arguments;
    engine.grid = grid;
    engine.block = block;
    engine.dynamic_shared_bytes = dynamic_shared_bytes;
    if (!launch_is_possible())
        return;
    struct launch_info launch = {name,
                                 {grid.x, grid.y, grid.z},
                                 {block.x, block.y, block.z},
                                 dynamic_shared_bytes};
    engine.sink->launch_begin(engine.sink->context, &launch);
    if (engine.failed) /* the sink refused it */
        return;
    spaces_launch();
    lanes_set_up();
    grid_run();
    lane_free_stacks();
    engine.sink->launch_end(engine.sink->context, spaces_shared_bytes());
}

void tracer_start(const struct trace_sink *sink)
{
    engine.sink = sink;
    engine.failed = false;
    engine.message[0] = '\0';
    spaces_start();
    memory_start();
    sites_start();
}

const char *tracer_error(void)
{
    return engine.failed ? engine.message : NULL;
}

void tracer_stop(void)
{
    engine.sink = NULL;
}
