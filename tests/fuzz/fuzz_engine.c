/* fuzz_engine.c - bytes -> a small stream, whatever they are, that the guard lets through; then the
 * whole model of time on one GPU. Six bytes are a step: what it is and of which warp, its site, and
 * where its lanes are.
 */
#include "fuzz.h"
#include "models/models.h"
#include "promise.h"
#include "sim/time/managed.h"

enum { STEPS = 200, STEP_BYTES = 6, HEAD_BYTES = 6, BLOCKS_MAX = 4, SITES = 14 };

struct bytes {
    const uint8_t *at, *end;
    uint32_t steps;
};

static uint8_t take(struct bytes *bytes)
{
    return bytes->at < bytes->end ? *bytes->at++ : 0;
}

/* Those that there are: space, operation, width. */
static const uint8_t kinds[SITES][3] = {
    {SPACE_GLOBAL, OP_LOAD, 4},   {SPACE_GLOBAL, OP_STORE, 4}, {SPACE_GLOBAL, OP_ATOMIC, 4},
    {SPACE_GLOBAL, OP_LOAD, 16},  {SPACE_GLOBAL, OP_STORE, 1}, {SPACE_GLOBAL, OP_ATOMIC, 8},
    {SPACE_SHARED, OP_LOAD, 4},   {SPACE_SHARED, OP_STORE, 8}, {SPACE_SHARED, OP_ATOMIC, 4},
    {SPACE_LOCAL, OP_LOAD, 4},    {SPACE_LOCAL, OP_STORE, 16}, {SPACE_CONSTANT, OP_LOAD, 4},
    {SPACE_TEXTURE, OP_LOAD, 16}, {SPACE_GLOBAL, OP_LOAD, 2},
};

struct launch {
    struct launch_info info;
    uint32_t warps, last_lanes;
};

static uint64_t base_of(const uint8_t *kind, uint8_t high, uint8_t low)
{
    uint64_t offset = (uint64_t)high << 8 | low;
    if (kind[0] == SPACE_SHARED || kind[0] == SPACE_CONSTANT)
        return offset / 2 / kind[2] * kind[2];
    return 0x10000000 + offset * 16 + (kind[0] == SPACE_LOCAL ? UINT64_C(1) << 40 : 0);
}

static bool give_access(const struct trace_sink *sink, const struct launch *launch, uint32_t block,
                        uint32_t warp, struct bytes *bytes)
{
    static const uint32_t masks[] = {UINT32_MAX, 1, 0xffff, 0xffff0000, 0x55555555, 0x80000001};
    uint8_t what = take(bytes), lanes = take(bytes), flags = take(bytes), high = take(bytes);
    uint8_t low = take(bytes);
    const uint8_t *kind = kinds[what % SITES];
    uint32_t present = warp + 1 == launch->warps ? launch->last_lanes : UINT32_MAX;
    bool is_global = kind[0] == SPACE_GLOBAL;
    struct warp_access access = {.base = base_of(kind, high, low),
                                 .stride = (int64_t)kind[2] * (lanes >> 3),
                                 .active = masks[lanes % 6] & present,
                                 .resident = present,
                                 .block = block,
                                 .warp = warp,
                                 .site = what % SITES,
                                 .work = (uint16_t)(1 + what / SITES),
                                 .loads_left = flags & 64 ? flags & 3 : NEEDS_NO_LOAD,
                                 .width = kind[2],
                                 .op = kind[1],
                                 .space = kind[0],
                                 .flags = is_global ? flags & 63 : flags & 48};
    return access.active == 0 || sink_access(sink, &access);
}

static bool give_block(const struct trace_sink *sink, const struct launch *launch, uint32_t block,
                       struct bytes *bytes)
{
    bool ended[BLOCK_WARPS_MAX] = {false}, good = true;
    for (uint8_t step; good && bytes->at < bytes->end && bytes->steps && (step = take(bytes)) != 0;
         bytes->steps--) {
        uint32_t warp = (step >> 2) % launch->warps;
        struct trace_event event = {
            step & 1 ? TRACE_BARRIER : TRACE_WARP_END, block, warp, 1, 0, 0};
        if (ended[warp])
            continue;
        if (step & 2) {
            good = give_access(sink, launch, block, warp, bytes);
            continue;
        }
        ended[warp] = event.kind == TRACE_WARP_END;
        good = sink_event(sink, &event);
    }
    for (uint32_t warp = 0; good && warp < launch->warps; warp++) {
        const struct trace_event end = {TRACE_WARP_END, block, warp, 1, 0, 0};
        good = ended[warp] || sink_event(sink, &end);
    }
    const struct trace_event block_end = {TRACE_BLOCK_END, block, 0, 0, 0, 0};
    return good && sink_event(sink, &block_end);
}

static bool give_launch(const struct trace_sink *sink, struct bytes *bytes)
{
    static const struct managed_range managed = {0x10000000, 1 << 20, NULL};
    uint32_t threads = 1 + take(bytes) * 3U % 256, blocks = 1 + take(bytes) % BLOCKS_MAX;
    uint32_t shared_bytes = take(bytes) * 64U, registers = take(bytes) % 64;
    struct launch launch = {.info = {.kernel = "k",
                                     .grid = {blocks, 1, 1},
                                     .block = {threads, 1, 1},
                                     .dynamic_shared_bytes = shared_bytes,
                                     .registers = registers,
                                     .managed = &managed,
                                     .managed_count = 1},
                            .warps = (threads + WARP_LANES - 1) / WARP_LANES};
    launch.last_lanes = UINT32_MAX >> (launch.warps * WARP_LANES - threads);
    bool good = sink_launch_begin(sink, &launch.info);
    for (uint32_t block = 0; good && block < launch.info.grid[0]; block++)
        good = give_block(sink, &launch, block, bytes);
    return good && sink_launch_end(sink, launch.info.dynamic_shared_bytes);
}

/* What the bytes are is never wrong. */
static const char *give(void *context, const struct trace_sink *sink)
{
    struct bytes bytes = *(const struct bytes *)context;
    struct guard guard;
    struct promise promise;
    promise_start(&promise, sink);
    const struct trace_sink promised = promise_sink(&promise);
    guard_start(&guard, &promised);
    const struct trace_sink guarded = guard_sink(&guard);
    bool good = true;
    for (uint32_t i = 0; good && i < SITES; i++) {
        const struct trace_site site = {"t.cu", i, "", kinds[i][0], kinds[i][1], kinds[i][2]};
        good = sink_site(&guarded, i, &site);
    }
    do
        good = good && give_launch(&guarded, &bytes);
    while (good && bytes.at < bytes.end && bytes.steps);
    FUZZ_ASSERT(guard.message[0] == '\0');
    guard_free(&guard);
    promise_free(&promise);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = {data, data + size, STEPS};
    if (size < HEAD_BYTES)
        return 0;
    const struct gpu_model *model = models[take(&bytes) % model_count];
    fuzz_session((struct trace_source){&bytes, give}, model, false);
    return 0;
}
