/* trace_stream_random.c - random streams: see trace_stream.h. */
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "sim/time/managed.h"
#include "trace_stream.h"

enum { ARRAYS = 4, SITES = 48, RANGES = 2, PAGES = 40 };

static const char *const names[] = {"in",    "out", "in",     "a,b \"c\"",
                                    "block", "_x9", "9lives", "q\"\\\n\x01"};
static const char *const files[] = {"copy.cu", "?", "my file.cu", "x"};

struct maker {
    struct random_bits random;
    const struct trace_sink *sink;
    struct launch_info launch;
    struct trace_array arrays[ARRAYS];
    struct managed_range ranges[RANGES];
    uint8_t pages[RANGES][PAGES];
    struct trace_site sites[SITES];
    uint32_t site_count, warps, threads;
    bool printable;
};

static uint64_t below(struct maker *m, uint64_t limit)
{
    return random_below(&m->random, limit);
}

static const char *draw_name(struct maker *m)
{
    return names[below(m, m->printable ? 7 : 8)];
}

static bool is_possible(const struct trace_site *site)
{
    if (site->op == OP_STORE)
        return site->space != SPACE_CONSTANT && site->space != SPACE_TEXTURE;
    return site->op == OP_LOAD ||
           ((site->space == SPACE_GLOBAL || site->space == SPACE_SHARED) && site->width > 1);
}

/* A place for accesses of that kind. */
static void add_site(struct maker *m, const struct trace_site *kind)
{
    struct trace_site *site = &m->sites[m->site_count];
    *site = *kind;
    site->file = files[below(m, 4)];
    site->line = (uint32_t)below(m, 3);
    site->array = below(m, 4) ? draw_name(m) : "";
    m->sink->site(m->sink->context, m->site_count++, site);
}

static void add_any_site(struct maker *m)
{
    struct trace_site kind;
    do {
        kind = (struct trace_site){.space = (uint8_t)below(m, SPACE_COUNT),
                                   .op = (uint8_t)below(m, OP_COUNT),
                                   .width = (uint8_t)(1U << below(m, 5))};
    } while (!is_possible(&kind));
    add_site(m, &kind);
}

/* The number of a site for such an access, SITES when there is none and no room for one. */
static uint32_t find_site(struct maker *m, const struct warp_access *a)
{
    const struct trace_site kind = {.space = a->space, .op = a->op, .width = a->width};
    if (m->site_count < SITES && below(m, 4) == 0)
        add_site(m, &kind);
    for (uint32_t i = m->site_count; i-- > 0;)
        if (m->sites[i].space == a->space && m->sites[i].op == a->op &&
            m->sites[i].width == a->width && below(m, 3))
            return i;
    if (m->site_count == SITES)
        return SITES;
    add_site(m, &kind);
    return m->site_count - 1;
}

static void add_arrays(struct maker *m)
{
    uint64_t at = below(m, 2) ? 0x2a0000000 : 4096;
    m->launch.arrays = m->arrays;
    m->launch.array_count = below(m, ARRAYS + 1);
    for (size_t i = 0; i < m->launch.array_count; i++) {
        m->arrays[i] = (struct trace_array){.name = draw_name(m),
                                            .base = at,
                                            .bytes = 1 + below(m, 1 << 20),
                                            .home = (uint8_t)below(m, 3)};
        at += m->arrays[i].bytes + below(m, 1 << 20);
    }
}

static void add_managed(struct maker *m)
{
    m->launch.managed_count = below(m, RANGES + 1);
    m->launch.managed = m->launch.managed_count ? m->ranges : NULL;
    for (size_t i = 0; i < m->launch.managed_count; i++) {
        for (size_t page = 0; page < PAGES; page++)
            m->pages[i][page] = (uint8_t)(below(m, 3) ? 1 : below(m, 8));
        uint64_t bytes = 1 + below(m, (PAGES - 1) * MANAGED_PAGE_BYTES);
        m->ranges[i] =
            (struct managed_range){below(m, 1 << 30), bytes, below(m, 3) ? m->pages[i] : NULL};
    }
}

static uint32_t lanes_of(const struct maker *m, uint32_t warp)
{
    uint32_t rest = m->threads - warp * WARP_LANES;
    return rest >= WARP_LANES ? UINT32_MAX : (1U << rest) - 1;
}

/* A space in which the addresses of the case are possible, and an operation of it. */
static void choose_kind(struct maker *m, struct warp_access *a)
{
    uint64_t highest = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (access_lane_active(a, lane) && access_addr(a, lane) > highest)
            highest = access_addr(a, lane);
    struct trace_site kind = {.width = a->width};
    do {
        kind.space = (uint8_t)below(m, SPACE_COUNT);
        kind.op = (uint8_t)below(m, OP_COUNT);
    } while (!is_possible(&kind) || (highest >= (64 << 10) - 16U &&
                                     (kind.space == SPACE_SHARED || kind.space == SPACE_CONSTANT)));
    a->space = kind.space;
    a->op = kind.op;
}

static void add_access(struct maker *m, uint32_t block, uint32_t warp)
{
    struct access_case c;
    access_case_draw(&m->random, &c);
    struct warp_access *a = &c.access;
    uint32_t present = lanes_of(m, warp);
    a->active &= present;
    if (a->active == 0)
        return;
    choose_kind(m, a);
    a->site = find_site(m, a);
    if (a->site == SITES)
        return;
    if (a->addr == NULL && m->launch.array_count && below(m, 2) && a->space == SPACE_GLOBAL)
        a->base += m->arrays[0].base / 16 * 16;
    a->resident = below(m, 3) ? present : a->active | (present & (uint32_t)random_next(&m->random));
    a->block = block;
    a->warp = warp;
    a->work = (uint16_t)(below(m, 3) ? 1 : below(m, 65536));
    a->lag = (uint16_t)(below(m, 2) ? 0 : below(m, 65536));
    a->loads_left = (uint8_t)(below(m, 2) ? NEEDS_NO_LOAD : below(m, 256));
    a->flags = (uint8_t)(below(m, 2) ? 0 : below(m, 64));
    if (a->space != SPACE_GLOBAL && a->space != SPACE_TEXTURE)
        a->flags &= (uint8_t) ~(ACCESS_HOST | ACCESS_MANAGED);
    uint32_t values[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        values[lane] = (uint32_t)(below(m, 2) ? 1 : random_next(&m->random));
    a->values = a->op == OP_STORE && below(m, 2) ? values : NULL;
    m->sink->access(m->sink->context, a);
}

static void add_sync(struct maker *m, uint32_t block, uint32_t warp)
{
    uint32_t present = lanes_of(m, warp), lanes = present & (uint32_t)random_next(&m->random);
    const struct trace_sync sync = {.kind = (enum sync_kind)below(m, SYNC_KINDS),
                                    .block = block,
                                    .warp = warp,
                                    .lanes = lanes ? lanes : present,
                                    .mask = below(m, 2) ? UINT32_MAX
                                                        : (uint32_t)random_next(&m->random),
                                    .running = present,
                                    .file = files[below(m, 4)],
                                    .line = (uint32_t)below(m, 200)};
    sink_sync(m->sink, &sync);
}

static void add_event(struct maker *m, enum trace_event_kind kind, uint32_t block, uint32_t warp)
{
    struct trace_event event = {.kind = kind, .block = block, .warp = warp};
    if (kind == TRACE_BLOCK_END)
        event.shared_bytes = below(m, 2) ? m->launch.dynamic_shared_bytes : below(m, 1 << 16);
    else {
        event.work = (uint16_t)(below(m, 2) ? 1 : below(m, 65536));
        event.lag = (uint16_t)(below(m, 2) ? 0 : below(m, 65536));
    }
    m->sink->event(m->sink->context, &event);
}

static void add_block(struct maker *m, uint32_t block)
{
    uint32_t running = m->warps == 32 ? UINT32_MAX : (1U << m->warps) - 1;
    while (running) {
        uint32_t warp = (uint32_t)below(m, m->warps);
        if ((running >> warp & 1U) == 0)
            continue;
        uint64_t what = below(m, 18);
        if (what == 0 && m->site_count < SITES)
            add_any_site(m);
        else if (what < 3)
            add_event(m, TRACE_BARRIER, block, warp);
        else if (what < 6)
            add_event(m, TRACE_WARP_END, block, warp);
        else if (what >= 16)
            add_sync(m, block, warp);
        else
            add_access(m, block, warp);
        if (what >= 3 && what < 6)
            running &= ~(1U << warp);
    }
    add_event(m, TRACE_BLOCK_END, block, 0);
}

static void add_launch(struct maker *m)
{
    m->launch.kernel = draw_name(m);
    for (int i = 0; i < 3; i++) {
        m->launch.grid[i] = 1 + (uint32_t)below(m, 3);
        m->launch.block[i] = 1 + (uint32_t)below(m, below(m, 4) ? 6 : 10);
    }
    m->launch.dynamic_shared_bytes = below(m, 2) ? 0 : below(m, 4096);
    m->launch.registers = (uint32_t)(below(m, 2) ? 0 : below(m, 256));
    m->threads = m->launch.block[0] * m->launch.block[1] * m->launch.block[2];
    m->warps = (m->threads + WARP_LANES - 1) / WARP_LANES;
    if (below(m, 2))
        add_arrays(m);
    add_managed(m);
    m->sink->launch_begin(m->sink->context, &m->launch);
    uint32_t blocks = m->launch.grid[0] * m->launch.grid[1] * m->launch.grid[2];
    if (m->site_count == 0)
        add_any_site(m);
    for (uint32_t block = 0; block < blocks; block++)
        if (below(m, 3)) /* not all blocks need be in a trace */
            add_block(m, block);
    m->sink->launch_end(m->sink->context, below(m, 2) ? m->launch.dynamic_shared_bytes : 777);
}

void trace_stream_random(uint64_t seed, uint64_t number, bool printable,
                         const struct trace_sink *sink)
{
    struct maker m = {.random = random_start(seed, number), .sink = sink, .printable = printable};
    for (uint64_t left = below(&m, 3); left; left--)
        sink->note(sink->context, draw_name(&m), left == 1 ? "" : draw_name(&m));
    if (below(&m, 2))
        add_any_site(&m);
    for (uint64_t left = below(&m, 4); left; left--)
        add_launch(&m);
}
