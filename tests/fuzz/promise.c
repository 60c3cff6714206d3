/* promise.c - one function a call; lanes and blocks are counted out, nothing is clever. */
#include "promise.h"

#include <string.h>

#include "fuzz.h"
#include "sim/time/managed.h"

static void mix(struct promise *p, uint64_t value)
{
    p->hash = (p->hash ^ value) * 0x9e3779b97f4a7c15U;
    p->hash ^= p->hash >> 29;
}

static void mix_text(struct promise *p, const char *text)
{
    FUZZ_ASSERT(text != NULL);
    for (; *text; text++)
        mix(p, (uint8_t)*text);
    mix(p, 256);
}

/* After each call: what the next sink said, and whether there were enough. */
static bool goes_on(struct promise *p, bool next)
{
    FUZZ_ASSERT(!p->stopped);
    p->stopped = !next || ++p->calls == PROMISE_CALLS;
    return !p->stopped;
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct promise *p = context;
    FUZZ_ASSERT(!p->stopped);
    mix_text(p, key);
    mix_text(p, value);
    return goes_on(p, p->next == NULL || sink_note(p->next, key, value));
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct promise *p = context;
    FUZZ_ASSERT(!p->stopped && number == p->site_count && number < SITES_MAX);
    FUZZ_ASSERT(site->space < SPACE_COUNT && site->op < OP_COUNT);
    FUZZ_ASSERT(site->width == 1 || site->width == 2 || site->width == 4 || site->width == 8 ||
                site->width == 16);
    if (p->site_count == p->site_room) {
        p->site_room = 2 * p->site_room + 16;
        p->sites = realloc(p->sites, p->site_room * sizeof *p->sites);
        FUZZ_ASSERT(p->sites != NULL);
    }
    p->sites[p->site_count++] = *site;
    mix_text(p, site->file);
    mix_text(p, site->array);
    mix(p, site->line);
    mix(p, (uint64_t)site->space << 16 | (uint64_t)site->op << 8 | site->width);
    return goes_on(p, p->next == NULL || sink_site(p->next, number, site));
}

static void take_arrays(struct promise *p, const struct launch_info *launch)
{
    FUZZ_ASSERT(launch->array_count <= CODEC_ARRAYS_MAX);
    for (size_t i = 0; i < launch->array_count; i++) {
        const struct trace_array *array = &launch->arrays[i];
        FUZZ_ASSERT(array->base < ADDRESS_END && array->bytes <= ADDRESS_END - array->base);
        FUZZ_ASSERT(array->home <= HOME_MANAGED);
        mix_text(p, array->name);
        mix(p, array->base);
        mix(p, array->bytes);
        mix(p, array->home);
    }
}

static void take_managed(struct promise *p, const struct launch_info *launch)
{
    uint64_t total = 0;
    FUZZ_ASSERT(launch->managed_count <= MANAGED_ARRAYS_MAX);
    for (size_t i = 0; i < launch->managed_count; i++) {
        const struct managed_range *range = &launch->managed[i];
        FUZZ_ASSERT(range->bytes && range->address < ADDRESS_END &&
                    range->bytes <= ADDRESS_END - range->address);
        uint64_t pages = (range->address + range->bytes - 1) / MANAGED_PAGE_BYTES -
                         range->address / MANAGED_PAGE_BYTES + 1;
        total += pages;
        FUZZ_ASSERT(total <= MANAGED_PAGES_MAX);
        mix(p, range->address);
        mix(p, range->bytes);
        for (uint64_t page = 0; range->touched && page < pages; page++)
            mix(p, range->touched[page]);
    }
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct promise *p = context;
    const uint32_t *g = launch->grid, *b = launch->block;
    FUZZ_ASSERT(!p->stopped && !p->in_launch);
    FUZZ_ASSERT(g[0] && g[1] && g[2] && g[0] <= INT32_MAX && g[1] <= 65535 && g[2] <= 65535);
    FUZZ_ASSERT(b[0] && b[1] && b[2] && b[0] <= 1024 && b[1] <= 1024 && b[2] <= 1024);
    p->blocks = (uint64_t)g[0] * g[1] * g[2];
    p->threads = b[0] * b[1] * b[2];
    FUZZ_ASSERT(p->blocks <= UINT32_MAX && p->threads <= 1024);
    FUZZ_ASSERT(launch->dynamic_shared_bytes <= SHARED_BYTES_MAX && launch->registers <= 255);
    p->in_launch = true;
    p->in_block = false;
    p->next_block = 0;
    p->launches++;
    mix_text(p, launch->kernel);
    for (int i = 0; i < 3; i++)
        mix(p, (uint64_t)g[i] << 32 | b[i]);
    mix(p, launch->dynamic_shared_bytes << 32 | launch->registers);
    take_arrays(p, launch);
    take_managed(p, launch);
    return goes_on(p, p->next == NULL || sink_launch_begin(p->next, launch));
}

static void take_turn(struct promise *p, uint32_t block, uint32_t warp)
{
    FUZZ_ASSERT(!p->stopped && p->in_launch && block < p->blocks);
    FUZZ_ASSERT(p->in_block ? block == p->next_block : block >= p->next_block);
    if (!p->in_block)
        memset(p->ended, 0, sizeof p->ended);
    p->in_block = true;
    p->next_block = block;
    FUZZ_ASSERT((uint64_t)warp * WARP_LANES < p->threads && !p->ended[warp]);
    mix(p, (uint64_t)block << 32 | warp);
}

static void take_addresses(struct promise *p, const struct warp_access *a)
{
    uint64_t end = access_is_remote(a)          ? 16 * CLUSTER_BLOCK_BYTES
                   : a->space == SPACE_SHARED   ? SHARED_BYTES_MAX
                   : a->space == SPACE_CONSTANT ? CONSTANT_BYTES
                                                : ADDRESS_END;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(a->active >> lane & 1))
            continue;
        uint64_t addr = access_addr(a, lane);
        FUZZ_ASSERT(a->resident >> lane & 1);
        FUZZ_ASSERT(a->warp * WARP_LANES + lane < p->threads);
        FUZZ_ASSERT(addr < end && addr + a->width <= end && addr % a->width == 0);
        if (a->addr)
            mix(p, addr);
    }
    if (a->addr == NULL) {
        mix(p, a->base);
        mix(p, (uint64_t)a->stride);
    }
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct promise *p = context;
    take_turn(p, a->block, a->warp);
    FUZZ_ASSERT(a->site < p->site_count);
    const struct trace_site *site = &p->sites[a->site];
    FUZZ_ASSERT(a->space == site->space && a->op == site->op && a->width == site->width);
    FUZZ_ASSERT(a->active && a->flags < 64);
    FUZZ_ASSERT(
        !(a->flags & (access_is_remote(a) ? ACCESS_MANAGED : ACCESS_HOST | ACCESS_MANAGED)) ||
        a->space == SPACE_GLOBAL || a->space == SPACE_TEXTURE);
    mix(p, (uint64_t)a->active << 32 | a->resident);
    mix(p, (uint64_t)a->site << 32 | (uint64_t)a->work << 16 | (uint64_t)a->loads_left << 8 |
               a->flags);
    take_addresses(p, a);
    p->accesses++;
    return goes_on(p, p->next == NULL || sink_access(p->next, a));
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct promise *p = context;
    mix(p, (uint64_t)event->kind << 16 | event->work);
    if (event->kind == TRACE_BLOCK_END) {
        FUZZ_ASSERT(!p->stopped && p->in_block && event->block == p->next_block);
        FUZZ_ASSERT(event->shared_bytes <= SHARED_BYTES_MAX);
        for (uint32_t warp = 0; warp * WARP_LANES < p->threads; warp++)
            FUZZ_ASSERT(p->ended[warp]);
        mix(p, event->shared_bytes);
        p->in_block = false;
        p->next_block++;
    } else {
        take_turn(p, event->block, event->warp);
        p->ended[event->warp] = event->kind == TRACE_WARP_END;
    }
    return goes_on(p, p->next == NULL || sink_event(p->next, event));
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct promise *p = context;
    mix(p, (uint64_t)sync->kind << 32 | sync->line);
    mix(p, (uint64_t)sync->lanes << 32 | sync->mask);
    FUZZ_ASSERT(sync->kind < SYNC_KINDS && sync->lanes && (sync->lanes & ~sync->running) == 0);
    take_turn(p, sync->block, sync->warp);
    return goes_on(p, p->next == NULL || sink_sync(p->next, sync));
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    struct promise *p = context;
    FUZZ_ASSERT(!p->stopped && p->in_launch && !p->in_block && shared_bytes <= SHARED_BYTES_MAX);
    p->in_launch = false;
    mix(p, shared_bytes);
    return goes_on(p, p->next == NULL || sink_launch_end(p->next, shared_bytes));
}

void promise_start(struct promise *promise, const struct trace_sink *next)
{
    *promise = (struct promise){.next = next};
}

void promise_free(struct promise *promise)
{
    free(promise->sites);
}

struct trace_sink promise_sink(struct promise *promise)
{
    return (struct trace_sink){.context = promise,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .sync = on_sync,
                               .launch_end = on_launch_end};
}
