/* combine.c - decisions. A copy lies behind all shared memory that the run accesses. Its words are those of
 * the object that are accessed, thread t has words t, t + threads, ... An atomic does not lose the work that
 * comes before it. Warps that end early wait at the block's last barrier, as the program would have to.
 */
#include "advise/combine.h"

#include <string.h>

#include "stream/launch_size.h"

enum { COPY_ALIGN = 256, COPY_CLEAR = 0, COPY_READ = 1, COPY_ADD = 2, SITES_PER_COPY = 3 };

/* Instructions of one step: index, comparison, the access. */
enum { COPY_WORK = 3 };

bool combine_is_due(const struct change *change)
{
    bool is = false;
    for (size_t i = 0; i < change->map_count; i++)
        is |= change->maps[i].kind == MAP_WARP_SUM || change->maps[i].kind == MAP_BLOCK_SUM;
    return is;
}

static uint64_t round_up(uint64_t value)
{
    return (value + COPY_ALIGN - 1) / COPY_ALIGN * COPY_ALIGN;
}

static enum map_kind kind_of(const struct combine *combine, uint32_t site)
{
    const uint16_t object = observed_object(combine->observed, site);
    return object == NO_OBJECT ? MAP_KEEP : combine->change->maps[object].kind;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static bool has_copy(const struct combine *combine, size_t object)
{
    return combine->change->maps[object].kind == MAP_BLOCK_SUM;
}

/* ... in the current launch. */
static bool has_copy_now(const struct combine *combine, size_t object)
{
    return has_copy(combine, object) &&
           strcmp(combine->observed->objects[object].atomic_kernel, combine->kernel) == 0;
}

/* The first of its sites. */
static uint32_t sites_of(const struct combine *combine, size_t object)
{
    uint32_t site = combine->first_site;
    for (size_t i = 0; i < object; i++)
        site += has_copy(combine, i) ? SITES_PER_COPY : 0;
    return site;
}

static uint64_t span_of(const struct object *object)
{
    return object->high - object->low;
}

/* Behind all shared memory that the run accesses. */
static uint64_t end_of_shared(const struct observed *observed)
{
    uint64_t end = 0;
    for (size_t i = 0; i < observed->object_count; i++) {
        const struct object *o = &observed->objects[i];
        if (o->space == SPACE_SHARED && round_up(o->base + o->bytes) > end)
            end = round_up(o->base + o->bytes);
    }
    return end;
}

/* The bytes of the current launch's copies of the objects before this one. */
static uint64_t copies_before(const struct combine *combine, size_t object)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < object; i++)
        bytes += has_copy_now(combine, i) ? round_up(span_of(&combine->observed->objects[i])) : 0;
    return bytes;
}

void combine_start(struct combine *combine, const struct change *change,
                   const struct observed *observed, const struct trace_sink *next)
{
    *combine = (struct combine){.filter = {next},
                                .change = change,
                                .observed = observed,
                                .first_copy = end_of_shared(observed)};
}

static bool announce(const struct combine *combine, size_t object)
{
    const struct object *o = &combine->observed->objects[object];
    const uint32_t first = sites_of(combine, object);
    const struct trace_site clear = {"?", 0, o->name, SPACE_SHARED, OP_STORE, o->width};
    const struct trace_site read = {"?", 0, o->name, SPACE_SHARED, OP_LOAD, o->width};
    const struct trace_site add = {"?", 0, o->name, SPACE_GLOBAL, OP_ATOMIC, o->width};
    return sink_site(combine->filter.next, first + COPY_CLEAR, &clear) &&
           sink_site(combine->filter.next, first + COPY_READ, &read) &&
           sink_site(combine->filter.next, first + COPY_ADD, &add);
}

/* ---- What a block does beside its own accesses ------------------------------------------------ */

static uint32_t lanes_below(uint64_t count)
{
    return count >= WARP_LANES ? UINT32_MAX : (1U << count) - 1;
}

static uint64_t left_of(uint64_t all, uint64_t first)
{
    return all > first ? all - first : 0;
}

/* One access of a warp to its words, of which `first` is lane 0's: to the copy, or to the object. */
static bool give_words(const struct combine *combine, size_t object, uint32_t which, uint64_t first,
                       const struct warp_access *like)
{
    const struct object *o = &combine->observed->objects[object];
    const uint64_t base =
        which == COPY_ADD ? o->low : combine->first_copy + copies_before(combine, object);
    struct warp_access a = *like;
    a.active = like->resident & lanes_below(left_of(span_of(o) / o->width, first));
    a.base = base + first * o->width;
    a.stride = o->width;
    a.width = o->width;
    a.site = sites_of(combine, object) + which;
    a.op = which == COPY_CLEAR ? OP_STORE : which == COPY_READ ? OP_LOAD : OP_ATOMIC;
    a.space = which == COPY_ADD ? SPACE_GLOBAL : SPACE_SHARED;
    a.flags = which == COPY_ADD && o->home == HOME_MANAGED ? ACCESS_MANAGED : 0;
    a.loads_left = which == COPY_READ ? NEEDS_NO_LOAD : 0;
    return a.active == 0 || sink_access(combine->filter.next, &a);
}

/* A warp's words of all copies: set to 0, or added to the objects. */
static bool give_copies(const struct combine *combine, uint32_t block, uint32_t warp, bool adds)
{
    const uint64_t first = (uint64_t)warp * WARP_LANES;
    const struct warp_access like = {.resident = lanes_below(left_of(combine->threads, first)),
                                     .block = block,
                                     .warp = warp,
                                     .work = COPY_WORK};
    bool fine = true;
    for (size_t i = 0; i < combine->observed->object_count; i++) {
        const struct object *o = &combine->observed->objects[i];
        const uint64_t words = has_copy_now(combine, i) ? span_of(o) / o->width : 0;
        for (uint64_t word = first; fine && word < words; word += combine->threads)
            fine = adds ? give_words(combine, i, COPY_READ, word, &like) &&
                              give_words(combine, i, COPY_ADD, word, &like)
                        : give_words(combine, i, COPY_CLEAR, word, &like);
    }
    return fine;
}

static bool give_barrier(const struct combine *combine, uint32_t block, uint32_t warp,
                         uint16_t work)
{
    const struct trace_event event = {
        .kind = TRACE_BARRIER, .block = block, .warp = warp, .work = work};
    return sink_event(combine->filter.next, &event);
}

/* A block's first access or event is about to come. */
static bool begin_block(struct combine *combine, uint32_t block)
{
    bool fine = true;
    combine->in_block = true;
    for (uint32_t warp = 0; combine->copy_bytes && fine && warp * WARP_LANES < combine->threads;
         warp++)
        fine = give_copies(combine, block, warp, false) && give_barrier(combine, block, warp, 1);
    return fine;
}

/* A warp's end: behind the barrier it adds its words. */
static bool end_warp(const struct combine *combine, const struct trace_event *event)
{
    struct trace_event end = *event;
    end.work = 1;
    return give_barrier(combine, event->block, event->warp, event->work) &&
           give_copies(combine, event->block, event->warp, true) &&
           sink_event(combine->filter.next, &end);
}

/* ---- Atomics --------------------------------------------------------------------------------- */

static bool is_atomic_of(const struct combine *combine, uint32_t site, enum map_kind kind)
{
    return kind_of(combine, site) == kind && combine->observed->sites[site].op == OP_ATOMIC;
}

/* The lanes that are the first to want their word. */
static uint32_t first_lanes(const struct warp_access *a)
{
    uint32_t first = 0;
    for (uint32_t rest = a->active; rest; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        bool is_first = true;
        for (uint32_t before = first; before; before &= before - 1)
            is_first &= access_addr(a, (unsigned)__builtin_ctz(before)) != access_addr(a, lane);
        first |= (uint32_t)is_first << lane;
    }
    return first;
}

static bool give_warp_sum(const struct combine *combine, const struct warp_access *a)
{
    struct warp_access sum = *a;
    sum.active = first_lanes(a);
    const uint32_t work = a->work + WARP_SUM_WORK * (uint32_t)__builtin_popcount(sum.active);
    sum.work = work < UINT16_MAX ? (uint16_t)work : UINT16_MAX;
    return sink_access(combine->filter.next, &sum);
}

static bool give_block_sum(const struct combine *combine, const struct warp_access *a)
{
    const uint16_t object = observed_object(combine->observed, a->site);
    const uint64_t copy = combine->first_copy + copies_before(combine, object);
    const uint64_t move = copy - combine->observed->objects[object].low;
    struct warp_access to = *a;
    uint64_t addr[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = access_lane_active(a, lane) ? access_addr(a, lane) + move : 0;
    to.addr = addr;
    to.space = SPACE_SHARED;
    to.flags = a->flags & ACCESS_INCREMENT;
    return sink_access(combine->filter.next, &to);
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct combine *combine = context;
    if (!combine->in_block && !begin_block(combine, a->block))
        return false;
    if (is_atomic_of(combine, a->site, MAP_WARP_SUM))
        return give_warp_sum(combine, a);
    if (is_atomic_of(combine, a->site, MAP_BLOCK_SUM))
        return give_block_sum(combine, a);
    return sink_access(combine->filter.next, a);
}

/* ---- The rest of a run ----------------------------------------------------------------------- */

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct combine *combine = context;
    struct trace_site changed = *site;
    combine->first_site = number + 1;
    if (kind_of(combine, number) == MAP_BLOCK_SUM)
        changed.space = SPACE_SHARED;
    return sink_site(combine->filter.next, number, &changed);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct combine *combine = context;
    bool fine = true;
    for (size_t i = 0; fine && !combine->is_announced && i < combine->observed->object_count; i++)
        fine = !has_copy(combine, i) || announce(combine, i);
    combine->is_announced = true;
    combine->in_block = false;
    combine->kernel = launch->kernel;
    combine->threads = launch_threads(launch);
    combine->copy_bytes = copies_before(combine, combine->observed->object_count);
    return fine && sink_launch_begin(combine->filter.next, launch);
}

static uint64_t grown(const struct combine *combine, uint64_t shared_bytes)
{
    return combine->copy_bytes ? round_up(shared_bytes) + combine->copy_bytes : shared_bytes;
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct combine *combine = context;
    if (!combine->in_block && !begin_block(combine, event->block))
        return false;
    if (event->kind == TRACE_WARP_END && combine->copy_bytes)
        return end_warp(combine, event);
    struct trace_event changed = *event;
    if (event->kind == TRACE_BLOCK_END) {
        combine->in_block = false;
        changed.shared_bytes = grown(combine, event->shared_bytes);
    }
    return sink_event(combine->filter.next, &changed);
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    const struct combine *combine = context;
    return sink_launch_end(combine->filter.next, grown(combine, shared_bytes));
}

struct trace_sink combine_sink(struct combine *combine)
{
    struct trace_sink sink = filter_sink(&combine->filter);
    sink.site = on_site;
    sink.launch_begin = on_launch_begin;
    sink.access = on_access;
    sink.event = on_event;
    sink.launch_end = on_launch_end;
    return sink;
}
