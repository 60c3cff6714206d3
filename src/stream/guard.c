/* guard.c - sites and launches: one check a call; the limits are CUDA's own, and 48 address bits. */
#include "stream/guard_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/managed_range.h"

#include "text/characters.h"
#include "text/memory.h"
#include "stream/limits.h"

bool guard_fail(struct guard *guard, const char *format, ...)
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
        return guard_fail(guard, "site %" PRIu32 ": at most %d, numbered from 0 on, are possible",
                          number, SITES_MAX);
    if (!site_is_possible(site))
        return guard_fail(guard,
                          "site %" PRIu32 " (%.64s:%" PRIu32 ") is no access that there is: space "
                          "%u, operation %u, %u bytes",
                          number, site->file, site->line, site->space, site->op, site->width);
    guard->site_name_bytes += strlen(site->file) + strlen(site->array);
    if (guard->site_name_bytes > SITE_NAMES_BYTES_MAX)
        return guard_fail(guard,
                          "site %" PRIu32 ": the names of files and arrays take more than %d MB",
                          number, SITE_NAMES_BYTES_MAX >> 20);
    if (number == guard->site_room) {
        uint32_t room = number ? 2 * number : 64;
        struct guard_site *grown = memory_grow(guard->sites, room * sizeof *grown);
        if (grown == NULL)
            return guard_fail(guard, "no memory for %" PRIu32 " sites", room);
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
            return guard_fail(guard,
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
        return guard_fail(guard,
                          "managed memory of %" PRIu64 " bytes at 0x%" PRIx64 " is impossible",
                          range->bytes, range->address);
    for (uint32_t i = 0; i < guard->range_count; i++) {
        uint64_t first = guard->ranges[i].page, count = guard->ranges[i].pages;
        uint64_t page = range->address >> MANAGED_PAGE_LOG2;
        if (first == page && count == pages)
            known = true;
        else if (page < first + count && first < page + pages)
            return guard_fail(guard, "managed memory at 0x%" PRIx64 " overlaps another",
                              range->address);
    }
    if (known)
        return true;
    guard->page_count += pages;
    if (guard->range_count == MANAGED_ARRAYS_MAX || guard->page_count > MANAGED_PAGES_MAX)
        return guard_fail(guard, "more than %d managed arrays, or 16 GB of them",
                          MANAGED_ARRAYS_MAX);
    guard->ranges[guard->range_count].page = range->address >> MANAGED_PAGE_LOG2;
    guard->ranges[guard->range_count++].pages = pages;
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct guard *guard = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    if (guard->in_launch)
        return guard_fail(guard, "launch of %.64s before the one before has ended", launch->kernel);
    if (guard->has_stopped)
        return guard_fail(guard, "launch of %.64s behind one that a fault has stopped",
                          launch->kernel);
    if (!size_is_possible(launch))
        return guard_fail(
            guard,
            "launch of %.64s: a grid of %u x %u x %u blocks of %u x %u x %u threads: "
            "allowed are 1 to 1024 threads, and 2147483647 x 65535 x 65535 blocks, below "
            "4294967296 in all",
            launch->kernel, g[0], g[1], g[2], b[0], b[1], b[2]);
    if (launch->dynamic_shared_bytes > SHARED_BYTES_MAX || launch->registers > REGISTERS_MAX)
        return guard_fail(guard,
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
        return guard_fail(guard, guard->in_block ? "the launch ends within a block"
                                                 : "the end of a launch that has not begun");
    if (shared_bytes > SHARED_BYTES_MAX)
        return guard_fail(guard, "a block uses %" PRIu64 " bytes of shared memory: allowed are %d",
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
        return guard_fail(
            guard,
            "launch of %.64s, which was left out, within a launch, behind one that a fault "
            "has stopped, or of an impossible size",
            launch->kernel);
    if (launch->repeats && (launch->repeats > guard->launch_count ||
                            !may_be_repeated(guard, guard->launch_count - launch->repeats)))
        return guard_fail(guard,
                          "launch of %.64s repeats the one %" PRIu64
                          " before: allowed is one of the "
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
        return guard_fail(guard, "a fault that stops nothing outside of every launch");
    if (!fault_is_possible(fault))
        return guard_fail(guard,
                          "a fault that there is not: kind %u, %" PRIu64
                          " times, space %u, operation %u, %u bytes",
                          fault->kind, fault->count, fault->space, fault->op, fault->width);
    if (guard->in_launch && ++guard->fault_count > LAUNCH_FAULTS_MAX)
        return guard_fail(guard, "more than %d faults of a launch", LAUNCH_FAULTS_MAX);
    if (fault->stops) {
        guard->has_stopped |= guard->in_launch;
        guard->in_launch = guard->in_block = false;
    }
    return sink_fault(guard->next, fault);
}

struct trace_sink guard_sink(struct guard *guard)
{
    return (struct trace_sink){.context = guard,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = guard_on_access,
                               .event = guard_on_event,
                               .fault = on_fault,
                               .sync = guard_on_sync,
                               .copy = guard_on_copy,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .wants_values = guard->next && guard->next->wants_values,
                               .takes_repeats = guard->next && guard->next->takes_repeats};
}
