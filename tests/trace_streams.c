/* trace_streams.c - see trace_streams.h. */
#include "test_support.h"

#include "trace_streams.h"

#include "trace_io/trace_record.h"

enum { SITES = 20, SHARED_BYTES = 8192 };

struct drawing {
    uint64_t state;
    const struct trace_sink *sink;
    bool work_is_one, no_matrices;
    uint32_t threads, block;
    uint32_t resident[32];
    uint64_t loads[32];
};

static uint64_t draw(struct drawing *d, uint64_t below)
{
    d->state = d->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (d->state >> 33) % below;
}

static uint16_t draw_work(struct drawing *d)
{
    return (uint16_t)(d->work_is_one ? 1 : 2 + draw(d, 4));
}

/* An address of a lane for its space. */
static uint64_t draw_address(struct drawing *d, const struct warp_access *access, unsigned lane)
{
    uint64_t width = access->width;
    switch (access->space) {
    case SPACE_SHARED:
    case SPACE_CONSTANT:
        return draw(d, SHARED_BYTES / width) * width;
    case SPACE_LOCAL:
        return LOCAL_TRACE_BASE + access->warp * LOCAL_WARP_BYTES +
               draw(d, LANE_LOCAL_BYTES / width) * width * WARP_LANES + lane * width;
    default:
        return 0x7f2000000000 + draw(d, 1 << 20) * width;
    }
}

static bool draw_stride(struct drawing *d, struct warp_access *access, uint64_t addr[WARP_LANES])
{
    static const int64_t steps[] = {0, 1, 2, -1, 64, 1LL << 34};
    bool wide = access->space == SPACE_GLOBAL || access->space == SPACE_TEXTURE;
    access->stride =
        access->space == SPACE_LOCAL ? access->width : steps[draw(d, wide ? 6 : 3)] * access->width;
    uint64_t base = draw_address(d, access, 0) + (wide ? 1 << 20 : 0);
    if (access->space == SPACE_SHARED || access->space == SPACE_CONSTANT)
        base = base / 2 / access->width * access->width;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = base + (uint64_t)access->stride * lane;
    access->base = base;
    return access->active == UINT32_MAX;
}

static void draw_kind(struct drawing *d, struct warp_access *access)
{
    access->space = (uint8_t)draw(d, SPACE_COUNT);
    access->width = (uint8_t)(1U << draw(d, 5));
    if (access->space == SPACE_GLOBAL || access->space == SPACE_SHARED)
        access->op = (uint8_t)draw(d, OP_COUNT);
    if (access->space == SPACE_LOCAL)
        access->op = (uint8_t)draw(d, 2);
    if (access->space == SPACE_GLOBAL && access->op == OP_LOAD)
        access->flags = (uint8_t[]){0, ACCESS_READ_ONLY, ACCESS_VOLATILE}[draw(d, 3)];
    if (access->space == SPACE_SHARED && access->op == OP_ATOMIC && access->width == 4)
        access->flags = draw(d, 2) ? ACCESS_INCREMENT : 0;
    if (access->space == SPACE_SHARED && access->op != OP_ATOMIC && access->width == 16 &&
        !d->no_matrices)
        access->flags = draw(d, 2) ? ACCESS_MATRIX : 0;
}

static void give_access(struct drawing *d, uint32_t warp)
{
    uint64_t addr[WARP_LANES] = {0};
    uint32_t lanes = d->resident[warp], part = lanes & (uint32_t)draw(d, UINT32_MAX);
    struct warp_access access = {.active = draw(d, 2) && part ? part : lanes,
                                 .resident = lanes,
                                 .block = d->block,
                                 .warp = warp,
                                 .work = draw_work(d),
                                 .site = (uint32_t)draw(d, SITES)};
    draw_kind(d, &access);
    if (draw(d, 2)) {
        access.addr = draw_stride(d, &access, addr) ? NULL : addr;
    } else {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            addr[lane] = draw_address(d, &access, lane);
        access.addr = addr;
    }
    uint64_t loads = d->loads[warp] < 200 ? d->loads[warp] : 200;
    access.loads_left = loads && draw(d, 2) ? (uint8_t)draw(d, loads) : NEEDS_NO_LOAD;
    d->loads[warp] += access.op == OP_LOAD;
    assert_true(d->sink->access(d->sink->context, &access));
}

static void give_event(struct drawing *d, enum trace_event_kind kind, uint32_t warp)
{
    struct trace_event event = {.kind = kind, .block = d->block, .warp = warp};
    if (kind == TRACE_BLOCK_END)
        event.shared_bytes = SHARED_BYTES;
    else
        event.work = draw_work(d);
    assert_true(d->sink->event(d->sink->context, &event));
}

/* Some lanes end, and the work of the next access has room for that. */
static void end_lanes(struct drawing *d, uint32_t warp)
{
    uint32_t left = d->resident[warp] & (uint32_t)draw(d, UINT32_MAX);
    if (left && !d->work_is_one && draw(d, 4) == 0)
        d->resident[warp] = left;
}

static void give_block(struct drawing *d, unsigned rounds)
{
    uint32_t warps = (d->threads + WARP_LANES - 1) / WARP_LANES;
    for (uint32_t w = 0; w < warps; w++) {
        d->resident[w] = warp_lanes(d->threads, w);
        d->loads[w] = 0;
    }
    for (unsigned round = 0; round < rounds; round++)
        for (uint32_t w = 0; w < warps; w++) {
            uint64_t count = 1 + draw(d, round == 0 ? 6 : 300);
            end_lanes(d, w);
            for (uint64_t i = 0; i < count; i++)
                give_access(d, w);
            give_event(d, round + 1 == rounds ? TRACE_WARP_END : TRACE_BARRIER, w);
        }
    give_event(d, TRACE_BLOCK_END, 0);
    d->block++;
}

static void give_sites(const struct trace_sink *sink)
{
    for (uint32_t i = 0; i < SITES; i++) {
        struct trace_site site = {.file = "k.c", .line = 10 + i, .array = "", .width = 4};
        assert_true(sink->site(sink->context, i, &site));
    }
}

void trace_stream_give(struct trace_stream_kind kind, const struct trace_sink *sink)
{
    static const struct trace_array arrays[] = {{"a", 0x7f2000000000, 4096, HOME_DEVICE},
                                                {"b", 0x7f2000004000, 100, HOME_DEVICE}};
    static const struct launch_info launches[] = {
        {.kernel = "first", .grid = {2, 2, 2}, .block = {16, 5, 1}, .registers = 20},
        {.kernel = "second (int, 2)", .grid = {1, 1, 1}, .block = {32, 1, 1}, .registers = 255},
        {.kernel = "third", .grid = {3, 1, 1}, .block = {8, 8, 2}, .registers = 1},
    };
    struct drawing d = {.state = kind.seed,
                        .sink = sink,
                        .work_is_one = kind.work_is_one,
                        .no_matrices = kind.no_matrices};
    assert_true(sink->note(sink->context, "kernel", "drawn"));
    give_sites(sink);
    for (unsigned i = 0; i < 3; i++) {
        struct launch_info launch = launches[i];
        launch.arrays = arrays;
        launch.array_count = i ? 2 : 1;
        launch.dynamic_shared_bytes = 512;
        assert_true(sink->launch_begin(sink->context, &launch));
        d.threads = launch.block[0] * launch.block[1] * launch.block[2];
        d.block = 0;
        for (uint32_t b = launch.grid[0] * launch.grid[1] * launch.grid[2]; b; b--)
            give_block(&d, 1 + i);
        assert_true(sink->launch_end(sink->context, SHARED_BYTES));
    }
}

static void small_event(const struct trace_sink *sink, enum trace_event_kind kind, uint32_t warp,
                        uint16_t work)
{
    struct trace_event event = {.kind = kind, .warp = warp, .work = work};
    assert_true(sink->event(sink->context, &event));
}

void trace_stream_small(const struct trace_sink *sink)
{
    static const uint64_t gather[WARP_LANES] = {0x2000, 0, 0x1000};
    const struct launch_info launch = {
        .kernel = "copy", .grid = {1, 1, 1}, .block = {40, 1, 1}, .registers = 24};
    const struct warp_access accesses[] = {
        {.base = 0x1000,
         .stride = 8,
         .active = UINT32_MAX,
         .resident = UINT32_MAX,
         .work = 2,
         .loads_left = NEEDS_NO_LOAD,
         .width = 8,
         .flags = ACCESS_READ_ONLY},
        {.addr = gather, .active = 5, .resident = UINT32_MAX, .site = 1, .work = 1, .width = 4},
        {.base = 0x100,
         .stride = 2,
         .active = UINT32_MAX,
         .resident = UINT32_MAX,
         .site = 2,
         .work = 1,
         .width = 2,
         .op = OP_STORE,
         .space = SPACE_SHARED},
        {.base = LOCAL_TRACE_BASE + LOCAL_WARP_BYTES + 0x40 * WARP_LANES,
         .stride = 8,
         .active = 0xf,
         .resident = 0xf,
         .warp = 1,
         .site = 3,
         .work = 1,
         .width = 8,
         .op = OP_STORE,
         .space = SPACE_LOCAL},
    };
    for (uint32_t i = 0; i < 4; i++) {
        struct trace_site site = {.file = "k.c", .line = 17 + i, .array = "", .width = 4};
        assert_true(sink->site(sink->context, i, &site));
    }
    assert_true(sink->launch_begin(sink->context, &launch));
    assert_true(sink->access(sink->context, &accesses[0]));
    assert_true(sink->access(sink->context, &accesses[1]));
    small_event(sink, TRACE_BARRIER, 0, 1);
    small_event(sink, TRACE_BARRIER, 1, 1);
    assert_true(sink->access(sink->context, &accesses[2]));
    small_event(sink, TRACE_WARP_END, 0, 2);
    assert_true(sink->access(sink->context, &accesses[3]));
    small_event(sink, TRACE_WARP_END, 1, 1);
    small_event(sink, TRACE_BLOCK_END, 0, 0);
    assert_true(sink->launch_end(sink->context, 512));
}
