/* stage.c - keeps a block's steps until it ends, sorts, and hands them on.
 *
 * Decisions. The tile is laid out as the block's threads are: thread t at word t, and padding behind each row of
 * threads. An access is left as it is when not all warps of the block make it, when its addresses are in
 * the threads' order already, when two lanes want one address, or when the block has more than STEPS_MAX steps. A second use of the tile waits at a barrier
 * for the first one's readers.
 */
#include "advise/stage.h"

#include <stdlib.h>
#include <string.h>

#include "stream/launch_size.h"
#include "text/list.h"

enum { STEPS_MAX = 1 << 12, THREADS_MAX = 1024, TILE_ALIGN = 256 };

struct stage_step {
    bool is_event, is_staged;
    uint32_t turn; /* how often the warp has been at the site before */
    struct trace_event event;
    struct warp_access access;
    uint64_t addr[WARP_LANES];  /* as recorded; staged: as sorted */
    uint64_t own[WARP_LANES];   /* the tile's word of the lane's own thread */
    uint64_t taken[WARP_LANES]; /* ... of the thread whose element the lane takes over */
};

void stage_start(struct stage *stage, const struct staging *staging,
                 const struct observed *observed, const struct trace_sink *next)
{
    *stage = (struct stage){.filter = {next}, .staging = staging, .observed = observed};
}

void stage_stop(struct stage *stage)
{
    free(stage->steps);
    stage->steps = NULL;
}

/* ---- Taking a block over --------------------------------------------------------------------- */

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct stage *stage = context;
    stage->first_site = number + 1;
    if (observed_object(stage->observed, number) == stage->staging->object)
        stage->width = site->width;
    return sink_site(stage->filter.next, number, site);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct stage *stage = context;
    const struct trace_site store = {
        .file = "?", .array = "tile", .space = SPACE_SHARED, .op = OP_STORE, .width = stage->width};
    const struct trace_site load = {
        .file = "?", .array = "tile", .space = SPACE_SHARED, .op = OP_LOAD, .width = stage->width};
    stage->row_threads = launch->block[0];
    stage->block_threads = launch_threads(launch);
    stage->tile_bytes = 0;
    if (!stage->is_announced && (!sink_site(stage->filter.next, stage->first_site, &store) ||
                                 !sink_site(stage->filter.next, stage->first_site + 1, &load)))
        return false;
    stage->is_announced = true;
    return sink_launch_begin(stage->filter.next, launch);
}

static struct stage_step *add_step(struct stage *stage)
{
    if (!LIST_MAKE_ROOM(stage->steps, stage->step_count, stage->step_room))
        return NULL;
    struct stage_step *step = &stage->steps[stage->step_count++];
    step->is_event = step->is_staged = false;
    return step;
}

static bool is_at_object(const struct stage *stage, const struct warp_access *a)
{
    return observed_object(stage->observed, a->site) == stage->staging->object;
}

/* How often the warp has been at the site in this block. */
static uint32_t turn_of(const struct stage *stage, const struct warp_access *a)
{
    for (size_t i = stage->step_count; i-- > 0;) {
        const struct stage_step *step = &stage->steps[i];
        if (!step->is_event && step->access.site == a->site && step->access.warp == a->warp)
            return step->turn + 1;
    }
    return 0;
}

/* ---- Who takes what -------------------------------------------------------------------------- */

struct element {
    uint64_t addr, own;
};

static int compare_elements(const void *a, const void *b)
{
    const uint64_t first = ((const struct element *)a)->addr;
    const uint64_t second = ((const struct element *)b)->addr;
    return (first > second) - (first < second);
}

static uint64_t tile_word(const struct stage *stage, uint32_t thread)
{
    return stage->tile_base + (uint64_t)thread * stage->width +
           thread / stage->row_threads * stage->staging->pad_bytes;
}

static bool belongs(const struct stage_step *step, const struct stage_step *to)
{
    return !step->is_event && step->access.site == to->access.site && step->turn == to->turn;
}

/* The elements of all warps' accesses that belong together, by thread; their number, and how many warps
 * there are. */
static size_t gather(struct stage *stage, size_t from, struct element *elements, uint32_t *warps)
{
    size_t count = 0;
    *warps = 0;
    for (size_t i = from; i < stage->step_count; i++) {
        struct stage_step *step = &stage->steps[i];
        if (!belongs(step, &stage->steps[from]))
            continue;
        *warps += 1;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            if (!access_lane_active(&step->access, lane) || count == THREADS_MAX)
                continue;
            step->own[lane] = tile_word(stage, step->access.warp * WARP_LANES + lane);
            elements[count++] = (struct element){step->addr[lane], step->own[lane]};
        }
    }
    return count;
}

/* Whether neighbours have neighbouring words already. */
static bool is_in_order(const struct element *elements, size_t count)
{
    bool is = true;
    for (size_t i = 1; i < count; i++)
        is &= elements[i].addr > elements[i - 1].addr;
    return is;
}

static bool has_twins(const struct element *elements, size_t count)
{
    bool has = false;
    for (size_t i = 1; i < count; i++)
        has |= elements[i].addr == elements[i - 1].addr;
    return has;
}

/* Gives the sorted elements out. Warps come in their order within a turn, since each is a pass of the
 * tracer over all warps up to a barrier; where a trace has them otherwise, so do the elements. */
static void give_out(struct stage *stage, size_t from, const struct element *elements)
{
    const struct stage_step *first = &stage->steps[from];
    for (size_t i = from; i < stage->step_count; i++) {
        struct stage_step *step = &stage->steps[i];
        if (!belongs(step, first))
            continue;
        step->is_staged = true;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
            if (!access_lane_active(&step->access, lane))
                continue;
            step->addr[lane] = elements->addr;
            step->taken[lane] = elements->own;
            elements++;
        }
    }
}

static void stage_turn(struct stage *stage, size_t from)
{
    struct element elements[THREADS_MAX];
    uint32_t warps;
    const size_t count = gather(stage, from, elements, &warps);
    if (warps * WARP_LANES < stage->block_threads || is_in_order(elements, count))
        return;
    qsort(elements, count, sizeof *elements, compare_elements);
    if (has_twins(elements, count))
        return;
    give_out(stage, from, elements);
    stage->tile_bytes = tile_word(stage, stage->block_threads) - stage->tile_base;
}

/* ---- Handing it on --------------------------------------------------------------------------- */

static bool give_barrier(const struct stage *stage, const struct warp_access *a)
{
    const struct trace_event event = {
        .kind = TRACE_BARRIER, .block = a->block, .warp = a->warp, .work = 1};
    return sink_event(stage->filter.next, &event);
}

/* An access to the tile in place of one to the array. */
static bool give_tile(const struct stage *stage, const struct warp_access *a, enum mem_op op,
                      const uint64_t *words, uint8_t loads_left)
{
    struct warp_access tile = *a;
    tile.addr = words;
    tile.site = stage->first_site + (op == OP_LOAD);
    tile.work = 1;
    tile.loads_left = loads_left;
    tile.op = (uint8_t)op;
    tile.space = SPACE_SHARED;
    tile.flags = 0;
    return sink_access(stage->filter.next, &tile);
}

static bool give_staged(const struct stage *stage, const struct stage_step *step)
{
    struct warp_access a = step->access;
    const bool waits = step->turn > 0; /* for readers of the tile's last contents */
    if (waits && !give_barrier(stage, &a))
        return false;
    if (a.op == OP_LOAD)
        return sink_access(stage->filter.next, &a) &&
               give_tile(stage, &a, OP_STORE, step->taken, 0) && give_barrier(stage, &a) &&
               give_tile(stage, &a, OP_LOAD, step->own, NEEDS_NO_LOAD);
    const uint8_t loads_left = a.loads_left;
    a.loads_left = 0;
    return give_tile(stage, &a, OP_STORE, step->own, loads_left) && give_barrier(stage, &a) &&
           give_tile(stage, &a, OP_LOAD, step->taken, NEEDS_NO_LOAD) &&
           sink_access(stage->filter.next, &a);
}

static bool give_step(const struct stage *stage, struct stage_step *step)
{
    step->access.addr = step->addr;
    if (step->is_event)
        return sink_event(stage->filter.next, &step->event);
    return step->is_staged ? give_staged(stage, step)
                           : sink_access(stage->filter.next, &step->access);
}

static bool give_block(struct stage *stage)
{
    bool fine = true;
    for (size_t i = 0; fine && i < stage->step_count; i++)
        fine = give_step(stage, &stage->steps[i]);
    stage->step_count = 0;
    return fine;
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct stage *stage = context;
    if (stage->step_count == STEPS_MAX && !give_block(stage))
        return false;
    const uint32_t turn = is_at_object(stage, a) ? turn_of(stage, a) : 0;
    struct stage_step *step = add_step(stage);
    if (step == NULL)
        return false;
    step->access = *a;
    step->turn = turn;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        step->addr[lane] = access_lane_active(a, lane) ? access_addr(a, lane) : 0;
    return true;
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct stage *stage = context;
    struct stage_step *step = add_step(stage);
    if (step == NULL)
        return false;
    step->is_event = true;
    step->event = *event;
    if (event->kind != TRACE_BLOCK_END)
        return true;
    stage->tile_base = (event->shared_bytes + TILE_ALIGN - 1) / TILE_ALIGN * TILE_ALIGN;
    for (size_t i = 0; i < stage->step_count; i++)
        if (!stage->steps[i].is_event && !stage->steps[i].is_staged &&
            is_at_object(stage, &stage->steps[i].access))
            stage_turn(stage, i);
    step->event.shared_bytes =
        stage->tile_bytes ? stage->tile_base + stage->tile_bytes : event->shared_bytes;
    return give_block(stage);
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    const struct stage *stage = context;
    return sink_launch_end(stage->filter.next,
                           stage->tile_bytes ? stage->tile_base + stage->tile_bytes : shared_bytes);
}

struct trace_sink stage_sink(struct stage *stage)
{
    struct trace_sink sink = filter_sink(&stage->filter);
    sink.site = on_site;
    sink.launch_begin = on_launch_begin;
    sink.access = on_access;
    sink.event = on_event;
    sink.launch_end = on_launch_end;
    return sink;
}
