/* guard.c - one check a call; the limits are CUDA's own, and 48 address bits. */
#include "stream/guard.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/managed_range.h"

#include "text/characters.h"
#include "text/memory.h"
#include "stream/limits.h"

static bool fail(struct guard *guard, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct guard *guard, const char *format, ...)
{
    va_list arguments;
    int used = snprintf(guard->message, sizeof guard->message, "step %" PRIu64 ": ",
                        guard->accesses + guard->events + 1);
    va_start(arguments, format);
    vsnprintf(guard->message + used, sizeof guard->message - (size_t)used, format, arguments);
    va_end(arguments);
    text_make_printable(guard->message); /* names from the file */
    return false;
}

void guard_start(struct guard *guard, const struct trace_sink *next)
{
    memset(guard, 0, sizeof *guard);
    guard->next = next;
}

void guard_free(struct guard *guard)
{
    free(guard->sites);
    guard->sites = NULL;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct guard *guard = context;
    guard->has_libraries |= strncmp(key, NOTE_LIBRARY, strlen(NOTE_LIBRARY)) == 0;
    return sink_note(guard->next, key, value);
}

/* ---- Sites ----------------------------------------------------------------------------------- */

static bool site_is_possible(const struct trace_site *site)
{
    uint8_t width = site->width;
    bool stored = site->space == SPACE_CONSTANT || site->space == SPACE_TEXTURE;
    return site->space < SPACE_COUNT && site->op < OP_COUNT && width && width <= 16 &&
           (width & (width - 1)) == 0 && (!stored || site->op == OP_LOAD) &&
           (site->op != OP_ATOMIC || site->space == SPACE_GLOBAL || site->space == SPACE_SHARED);
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct guard *guard = context;
    if (number != guard->site_count || number >= SITES_MAX)
        return fail(guard, "site %" PRIu32 ": at most %d, numbered from 0 on, are possible", number,
                    SITES_MAX);
    if (!site_is_possible(site))
        return fail(guard,
                    "site %" PRIu32 " (%.64s:%" PRIu32 ") is no access that there is: space "
                    "%u, operation %u, %u bytes",
                    number, site->file, site->line, site->space, site->op, site->width);
    guard->site_name_bytes += strlen(site->file) + strlen(site->array);
    if (guard->site_name_bytes > SITE_NAMES_BYTES_MAX)
        return fail(guard, "site %" PRIu32 ": the names of files and arrays take more than %d MB",
                    number, SITE_NAMES_BYTES_MAX >> 20);
    if (number == guard->site_room) {
        uint32_t room = number ? 2 * number : 64;
        struct guard_site *grown = memory_grow(guard->sites, room * sizeof *grown);
        if (grown == NULL)
            return fail(guard, "no memory for %" PRIu32 " sites", room);
        guard->sites = grown;
        guard->site_room = room;
    }
    guard->sites[guard->site_count++] = (struct guard_site){site->space, site->op, site->width};
    return sink_site(guard->next, number, site);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static bool is_range(uint64_t base, uint64_t bytes)
{
    return base < ADDRESS_END && bytes <= ADDRESS_END - base;
}

static bool size_is_possible(const struct launch_info *launch)
{
    const uint32_t *g = launch->grid, *b = launch->block;
    uint64_t threads = (uint64_t)b[0] * b[1] * b[2];
    if (g[0] == 0 || g[1] == 0 || g[2] == 0 || b[0] > BLOCK_THREADS_MAX ||
        b[1] > BLOCK_THREADS_MAX || b[2] > BLOCK_THREADS_MAX)
        return false;
    return g[0] <= INT32_MAX && g[1] <= UINT16_MAX && g[2] <= UINT16_MAX && threads > 0 &&
           threads <= BLOCK_THREADS_MAX && (uint64_t)g[0] * g[1] <= UINT32_MAX / g[2];
}

static bool arrays_are_possible(struct guard *guard, const struct launch_info *launch)
{
    for (size_t i = 0; i < launch->array_count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        if (!is_range(array->base, array->bytes) || array->home > HOME_MANAGED)
            return fail(guard,
                        "array %.64s of %" PRIu64 " bytes at 0x%" PRIx64
                        " is beyond the address space",
                        array->name, array->bytes, array->base);
    }
    return true;
}

/* Memory for pages is taken once for each range: a range that comes again must be the same one. */
static bool take_range(struct guard *guard, const struct managed_range *range)
{
    uint64_t pages = managed_range_pages(range);
    bool known = false;
    if (!is_range(range->address, range->bytes) || pages == 0)
        return fail(guard, "managed memory of %" PRIu64 " bytes at 0x%" PRIx64 " is impossible",
                    range->bytes, range->address);
    for (uint32_t i = 0; i < guard->range_count; i++) {
        uint64_t first = guard->ranges[i].page, count = guard->ranges[i].pages;
        uint64_t page = range->address >> MANAGED_PAGE_LOG2;
        if (first == page && count == pages)
            known = true;
        else if (page < first + count && first < page + pages)
            return fail(guard, "managed memory at 0x%" PRIx64 " overlaps another", range->address);
    }
    if (known)
        return true;
    guard->page_count += pages;
    if (guard->range_count == MANAGED_ARRAYS_MAX || guard->page_count > MANAGED_PAGES_MAX)
        return fail(guard, "more than %d managed arrays, or 16 GB of them", MANAGED_ARRAYS_MAX);
    guard->ranges[guard->range_count].page = range->address >> MANAGED_PAGE_LOG2;
    guard->ranges[guard->range_count++].pages = pages;
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct guard *guard = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    if (guard->in_launch)
        return fail(guard, "launch of %.64s before the one before has ended", launch->kernel);
    if (guard->has_stopped)
        return fail(guard, "launch of %.64s behind one that a fault has stopped", launch->kernel);
    if (!size_is_possible(launch))
        return fail(guard,
                    "launch of %.64s: a grid of %u x %u x %u blocks of %u x %u x %u threads: "
                    "allowed are 1 to 1024 threads, and 2147483647 x 65535 x 65535 blocks, below "
                    "4294967296 in all",
                    launch->kernel, g[0], g[1], g[2], b[0], b[1], b[2]);
    if (launch->dynamic_shared_bytes > SHARED_BYTES_MAX || launch->registers > REGISTERS_MAX)
        return fail(guard,
                    "launch of %.64s: %" PRIu64 " bytes of shared memory and %" PRIu32
                    " registers a thread: allowed are %d and %d",
                    launch->kernel, launch->dynamic_shared_bytes, launch->registers,
                    SHARED_BYTES_MAX, REGISTERS_MAX);
    if (!arrays_are_possible(guard, launch))
        return false;
    for (size_t i = 0; i < launch->managed_count; i++)
        if (!take_range(guard, &launch->managed[i]))
            return false;
    uint32_t threads = b[0] * b[1] * b[2];
    guard->in_launch = true;
    guard->may_repeat = launch->may_repeat;
    guard->launch_count++;
    guard->launches++;
    guard->fault_count = 0;
    guard->in_block = false;
    guard->block = 0;
    guard->block_count = (uint64_t)g[0] * g[1] * g[2];
    guard->warp_count = (threads + WARP_LANES - 1) / WARP_LANES;
    guard->last_warp_lanes = threads % WARP_LANES ? (1U << threads % WARP_LANES) - 1 : UINT32_MAX;
    return sink_launch_begin(guard->next, launch);
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    struct guard *guard = context;
    if (!guard->in_launch || guard->in_block)
        return fail(guard, guard->in_block ? "the launch ends within a block"
                                           : "the end of a launch that has not begun");
    if (shared_bytes > SHARED_BYTES_MAX)
        return fail(guard, "a block uses %" PRIu64 " bytes of shared memory: allowed are %d",
                    shared_bytes, SHARED_BYTES_MAX);
    guard->in_launch = false;
    if (guard->may_repeat)
        guard->repeatable[guard->repeatable_count++ % REPEATED_LAUNCHES_MAX] =
            guard->launch_count - 1;
    return sink_launch_end(guard->next, shared_bytes);
}

static bool may_be_repeated(const struct guard *guard, uint64_t number)
{
    for (uint64_t i = 0; i < guard->repeatable_count && i < REPEATED_LAUNCHES_MAX; i++)
        if (guard->repeatable[i] == number)
            return true;
    return false;
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct guard *guard = context;
    const struct launch_info shape = {
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .block = {launch->block[0], launch->block[1], launch->block[2]}};
    if (launch->dynamic_shared_bytes > SHARED_BYTES_MAX || guard->in_launch || guard->has_stopped ||
        !size_is_possible(&shape))
        return fail(guard,
                    "launch of %.64s, which was left out, within a launch, behind one that a fault "
                    "has stopped, or of an impossible size",
                    launch->kernel);
    if (launch->repeats && (launch->repeats > guard->launch_count ||
                            !may_be_repeated(guard, guard->launch_count - launch->repeats)))
        return fail(guard,
                    "launch of %.64s repeats the one %" PRIu64 " before: allowed is one of the "
                    "latest %d complete ones that say they may be repeated",
                    launch->kernel, launch->repeats, REPEATED_LAUNCHES_MAX);
    guard->launch_count++;
    return sink_launch_left_out(guard->next, launch);
}

static bool fault_is_possible(const struct trace_fault *fault)
{
    return fault->kind < FAULT_KINDS && fault->count && fault->space < SPACE_COUNT &&
           fault->op < OP_COUNT && fault->width <= 16 && fault->text[0] &&
           strlen(fault->file) <= CODEC_TEXT_MAX && strlen(fault->array) <= CODEC_TEXT_MAX &&
           strlen(fault->text) <= CODEC_TEXT_MAX;
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct guard *guard = context;
    if (!fault->stops && !guard->in_launch)
        return fail(guard, "a fault that stops nothing outside of every launch");
    if (!fault_is_possible(fault))
        return fail(guard,
                    "a fault that there is not: kind %u, %" PRIu64
                    " times, space %u, operation %u, %u bytes",
                    fault->kind, fault->count, fault->space, fault->op, fault->width);
    if (guard->in_launch && ++guard->fault_count > LAUNCH_FAULTS_MAX)
        return fail(guard, "more than %d faults of a launch", LAUNCH_FAULTS_MAX);
    if (fault->stops) {
        guard->has_stopped |= guard->in_launch;
        guard->in_launch = guard->in_block = false;
    }
    return sink_fault(guard->next, fault);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Blocks come in order, each whole; a warp that has ended does nothing more. */
static bool take_turn(struct guard *guard, uint32_t block, uint32_t warp)
{
    if (!guard->in_launch)
        return fail(guard, "a step outside of every launch");
    if (!guard->in_block) {
        if (block < guard->block || block >= guard->block_count)
            return fail(guard, "block %" PRIu32 ": expected is one from %" PRIu64 " to %" PRIu64,
                        block, guard->block, guard->block_count - 1);
        guard->in_block = true;
        guard->block = block;
        guard->ended = 0;
    }
    if (block != guard->block)
        return fail(guard, "a step of block %" PRIu32 " before block %" PRIu64 " has ended", block,
                    guard->block);
    if (warp >= guard->warp_count)
        return fail(guard, "warp %" PRIu32 ": a block has warps 0 to %" PRIu32, warp,
                    guard->warp_count - 1);
    if (guard->ended >> warp & 1)
        return fail(guard, "a step of warp %" PRIu32 " of block %" PRIu32 ", which has ended", warp,
                    block);
    return true;
}

static bool lane_is_possible(struct guard *guard, const struct warp_access *a, unsigned lane)
{
    uint64_t addr = access_addr(a, lane), end = limits_space_end((enum mem_space)a->space);
    if (addr >= end || end - addr < a->width)
        return fail(guard,
                    "block %" PRIu32 ", warp %" PRIu32 ", lane %u: address 0x%" PRIx64
                    " is beyond 0x%" PRIx64,
                    a->block, a->warp, lane, addr, end);
    if (addr & (a->width - 1U))
        return fail(guard,
                    "block %" PRIu32 ", warp %" PRIu32 ", lane %u: address 0x%" PRIx64
                    " is misaligned: it must be a multiple of %u, the bytes of the access",
                    a->block, a->warp, lane, addr, a->width);
    return true;
}

/* All addresses or'ed: not below any of them, and aligned only if they all are. Product of 16x16 blocks, read from a file and
 * modelled: 0.88 of the time that a look at each lane takes. */
static uint64_t addresses_together(const struct warp_access *a)
{
    uint64_t together = 0;
    if (a->active == UINT32_MAX) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            together |= a->addr[lane];
        return together;
    }
    for (uint32_t left = a->active; left; left &= left - 1)
        together |= a->addr[__builtin_ctz(left)];
    return together;
}

/* Of a full affine access the two ends tell all. */
static bool addresses_are_possible(struct guard *guard, const struct warp_access *a)
{
    uint64_t span = a->stride < 0 ? 0 - (uint64_t)a->stride : (uint64_t)a->stride;
    if (a->addr == NULL && a->active == UINT32_MAX && span < ADDRESS_END / WARP_LANES &&
        (span & (a->width - 1U)) == 0)
        return lane_is_possible(guard, a, 0) && lane_is_possible(guard, a, WARP_LANES - 1);
    if (a->addr) {
        const uint64_t together = addresses_together(a);
        if ((together & (a->width - 1U)) == 0 &&
            together <= limits_space_end((enum mem_space)a->space) - a->width)
            return true;
    }
    for (uint32_t left = a->active; left; left &= left - 1)
        if (!lane_is_possible(guard, a, (unsigned)__builtin_ctz(left)))
            return false;
    return true;
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct guard *guard = context;
    if (!take_turn(guard, a->block, a->warp))
        return false;
    if (a->site >= guard->site_count)
        return fail(guard, "site %" PRIu32 " is not defined", a->site);
    const struct guard_site *site = &guard->sites[a->site];
    if (a->space != site->space || a->op != site->op || a->width != site->width)
        return fail(guard, "the access is not of its site's kind");
    uint32_t lanes = a->warp + 1 == guard->warp_count ? guard->last_warp_lanes : UINT32_MAX;
    if (a->active == 0 || a->active & ~a->resident || a->resident & ~lanes)
        return fail(guard,
                    "block %" PRIu32 ", warp %" PRIu32 ": active lanes 0x%08" PRIx32
                    " of 0x%08" PRIx32 " that run: the warp has 0x%08" PRIx32,
                    a->block, a->warp, a->active, a->resident, lanes);
    if (a->flags >= ACCESS_FLAGS_END)
        return fail(guard, "unknown flags 0x%x", a->flags);
    if (a->flags & ACCESS_INCREMENT && (a->op != OP_ATOMIC || a->width != 4))
        return fail(guard, "an increment that is no atomic of 4 bytes");
    if (a->flags & (ACCESS_HOST | ACCESS_MANAGED) && a->space != SPACE_GLOBAL &&
        a->space != SPACE_TEXTURE)
        return fail(guard,
                    "an access of host or managed memory that is neither global nor texture");
    if (!addresses_are_possible(guard, a))
        return false;
    guard->accesses++;
    return sink_access(guard->next, a);
}

static bool end_block(struct guard *guard, const struct trace_event *event)
{
    uint32_t all = guard->warp_count == WARP_LANES ? UINT32_MAX : (1U << guard->warp_count) - 1;
    if (guard->ended != all)
        return fail(guard, "block %" PRIu32 " ends, its warp %d does not", event->block,
                    __builtin_ctz(~guard->ended));
    if (event->shared_bytes > SHARED_BYTES_MAX)
        return fail(guard,
                    "block %" PRIu32 " uses %" PRIu64 " bytes of shared memory: allowed are %d",
                    event->block, event->shared_bytes, SHARED_BYTES_MAX);
    guard->in_block = false;
    guard->block++;
    return true;
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct guard *guard = context;
    if (event->kind == TRACE_BLOCK_END) {
        if (!guard->in_block || event->block != guard->block)
            return fail(guard, "the end of block %" PRIu32 ", which does not run", event->block);
        if (!end_block(guard, event))
            return false;
    } else if (!take_turn(guard, event->block, event->warp)) {
        return false;
    }
    if (event->kind == TRACE_WARP_END)
        guard->ended |= 1U << event->warp;
    guard->events++;
    return sink_event(guard->next, event);
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct guard *guard = context;
    if (!take_turn(guard, sync->block, sync->warp))
        return false;
    uint32_t lanes = sync->warp + 1 == guard->warp_count ? guard->last_warp_lanes : UINT32_MAX;
    if (sync->kind >= SYNC_KINDS || sync->lanes == 0 || sync->lanes & ~sync->running ||
        sync->running & ~lanes)
        return fail(guard,
                    "block %" PRIu32 ", warp %" PRIu32 ": lanes 0x%08" PRIx32 " of 0x%08" PRIx32
                    " that run come to a synchronisation of kind %u: the warp has 0x%08" PRIx32,
                    sync->block, sync->warp, sync->lanes, sync->running, (unsigned)sync->kind,
                    lanes);
    return sink_sync(guard->next, sync);
}

struct trace_sink guard_sink(struct guard *guard)
{
    return (struct trace_sink){.context = guard,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .fault = on_fault,
                               .sync = on_sync,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .wants_values = guard->next && guard->next->wants_values,
                               .takes_repeats = guard->next && guard->next->takes_repeats};
}
