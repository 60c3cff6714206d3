/* warp.c - the event columns of 32 lanes -> warp accesses.
 *
 * Lanes that are out of events run on until they stop; then rows are merged. When every lane that is
 * left has the same events, rows are warp accesses as they stand (nearly all of the time: 10 to 20 ns
 * a row against about 100 for a step of the general merge). Otherwise the merge picks, step by step,
 * the deepest call and the lowest program counter, and groups the lanes that are there.
 */
#include <string.h>

#include "trace/engine.h"

#define META(row, lane) engine.rows->meta[row][lane]

static bool lane_is_out(const struct lane *lane)
{
    return lane->head == lane->count;
}

/* Runs every lane that has no events left and may run. */
static void warp_refill(struct lane *lanes, uint32_t present)
{
    uint32_t run = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if ((present >> i & 1U) && lane_is_out(&lanes[i]) && lanes[i].state == LANE_READY) {
            lanes[i].head = lanes[i].count = 0;
            run |= 1U << i;
        }
    engine.to_start = 0;
    for (uint32_t left = run; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (lanes[i].stack == NULL)
            engine.to_start |= 1U << i;
    }
    for (uint32_t left = run & ~engine.to_start; left && !engine.failed; left &= left - 1)
        lane_run(&lanes[__builtin_ctz(left)]);
    while (engine.to_start && !engine.failed) {
        unsigned i = (unsigned)__builtin_ctz(engine.to_start);
        engine.to_start &= engine.to_start - 1;
        lane_run(&lanes[i]); /* and, on the same stack, those that start after it */
    }
}

/* Lanes with an event to merge. */
static uint32_t warp_pending(const struct lane *lanes, uint32_t present)
{
    uint32_t pending = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if ((present >> i & 1U) && !lane_is_out(&lanes[i]))
            pending |= 1U << i;
    return pending;
}

static uint32_t warp_resident(const struct lane *lanes, uint32_t present)
{
    uint32_t resident = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        if ((present >> i & 1U) && !(lane_is_out(&lanes[i]) && lanes[i].state == LANE_ENDED))
            resident |= 1U << i;
    return resident;
}

static void emit_access(uint64_t meta, const uint64_t *addr, uint32_t active, uint32_t resident)
{
    unsigned first = (unsigned)__builtin_ctz(active);
    uint64_t differs = 0, stride = addr[1] - addr[0];
    struct warp_access access = {
        .addr = addr,
        .base = addr[0],
        .active = active,
        .resident = resident,
        .block = engine.block_linear,
        .width = (uint8_t)(1U << (meta >> EVENT_WIDTH_SHIFT & 31)),
        .op = (uint8_t)(meta >> EVENT_OP_SHIFT & 7),
        .space = (uint8_t)(meta >> EVENT_SPACE_SHIFT & 7),
        .flags = (uint8_t)(meta >> EVENT_READ_ONLY_SHIFT & 1 ? ACCESS_READ_ONLY : 0),
    };
    access.site = sites_find(meta, addr[first]);
    if (active == UINT32_MAX) { /* an affine access spares the model its loops over lanes */
        for (unsigned i = 2; i < WARP_LANES; i++)
            differs |= (addr[i] - addr[i - 1]) ^ stride;
        if (differs == 0) {
            access.addr = NULL;
            access.stride = (int64_t)stride;
        }
    }
    engine.sink->access(engine.sink->context, &access);
}

/* What a merged event does; `group` lanes had it, their addresses are in `addr`. */
static void emit_event(struct lane *lanes, uint64_t meta, const uint64_t *addr, uint32_t group,
                       uint32_t resident)
{
    switch ((enum event_kind)(meta >> EVENT_KIND_SHIFT & 7)) {
    case EVENT_ACCESS:
        emit_access(meta, addr, group, resident);
        break;
    case EVENT_WARP_OP:
        warp_resolve(lanes, group);
        break;
    case EVENT_BLOCK:
    case EVENT_CALL:
        return;
    }
    if (meta >> EVENT_SYNC_SHIFT & 1)
        for (uint32_t left = group; left; left &= left - 1)
            lanes[__builtin_ctz(left)].state = LANE_READY;
}

static bool row_agrees(const uint64_t *meta, uint32_t group, uint64_t first)
{
    uint64_t differs = 0;
    if (group == UINT32_MAX) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            differs |= meta[i] ^ first;
        return differs == 0;
    }
    for (uint32_t left = group; left; left &= left - 1)
        differs |= meta[__builtin_ctz(left)] ^ first;
    return differs == 0;
}

/* The fast path: every pending lane is at row `*row`, with the same number of rows. Merges rows from
 * there as long as they agree; true when none is left. Lanes that are not pending have ended or wait
 * for a barrier. */
static bool warp_merge_rows(struct lane *lanes, uint32_t pending, uint32_t resident)
{
    unsigned first = (unsigned)__builtin_ctz(pending);
    uint32_t count = lanes[first].count, row = lanes[first].head;
    for (uint32_t left = pending; left; left &= left - 1) {
        const struct lane *lane = &lanes[__builtin_ctz(left)];
        if (lane->count != count || lane->head != row)
            return false;
    }
    for (; row < count; row++) {
        uint64_t meta = META(row, first);
        if (!row_agrees(engine.rows->meta[row], pending, meta))
            break;
        if ((meta >> EVENT_KIND_SHIFT & 7) != EVENT_BLOCK)
            emit_event(lanes, meta, engine.rows->addr[row], pending, resident);
    }
    for (uint32_t left = pending; left; left &= left - 1)
        lanes[__builtin_ctz(left)].head = row;
    return row == count;
}

/* A shuffle or vote waits until every lane that its mask names is there too. */
static bool warp_op_waits(const struct lane *lanes, uint32_t resident, uint32_t pending, unsigned i)
{
    uint64_t meta = META(lanes[i].head, i);
    if ((meta >> EVENT_KIND_SHIFT & 7) != EVENT_WARP_OP)
        return false;
    for (uint32_t left = lanes[i].op.mask & resident; left; left &= left - 1) {
        unsigned other = (unsigned)__builtin_ctz(left);
        if (!(pending >> other & 1U) || META(lanes[other].head, other) != meta)
            return true;
    }
    return false;
}

/* Smaller goes first: waiting warp intrinsics last, then deeper calls, lower program counter, part. */
static uint64_t order_key(const struct lane *lanes, uint32_t resident, uint32_t pending, unsigned i)
{
    uint64_t meta = META(lanes[i].head, i);
    uint64_t depth = meta >> EVENT_DEPTH_SHIFT & 0xff;
    return (uint64_t)warp_op_waits(lanes, resident, pending, i) << 63 | (0xff - depth) << 40 |
           (meta & UINT32_MAX) << 8 | meta >> EVENT_PART_SHIFT;
}

/* One step of the general merge: the lanes that go first, and what they do. */
static void warp_step(struct lane *lanes, uint32_t pending, uint32_t resident)
{
    uint64_t best_key = UINT64_MAX, best_meta = 0, addr[WARP_LANES];
    for (uint32_t left = pending; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        uint64_t key = order_key(lanes, resident, pending, i);
        if (key < best_key) {
            best_key = key;
            best_meta = META(lanes[i].head, i);
        }
    }
    uint32_t group = 0;
    memset(addr, 0, sizeof addr);
    for (uint32_t left = pending; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        if (META(lanes[i].head, i) != best_meta)
            continue;
        addr[i] = engine.rows->addr[lanes[i].head][i];
        lanes[i].head++;
        group |= 1U << i;
    }
    emit_event(lanes, best_meta, addr, group, resident);
}

/* True when some lane is out of events and may run: nothing can be merged before it has. */
static bool warp_needs_refill(const struct lane *lanes, uint32_t present)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        if ((present >> i & 1U) && lane_is_out(&lanes[i]) && lanes[i].state == LANE_READY)
            return true;
    return false;
}

void warp_run(struct lane *lanes, uint32_t present)
{
    engine.warp_lanes = lanes;
    while (!engine.failed) {
        warp_refill(lanes, present);
        uint32_t pending = warp_pending(lanes, present);
        if (pending == 0 || engine.failed)
            return;
        uint32_t resident = warp_resident(lanes, present);
        if (warp_merge_rows(lanes, pending, resident))
            continue;
        while (!warp_needs_refill(lanes, present)) {
            pending = warp_pending(lanes, present);
            if (pending == 0)
                break;
            warp_step(lanes, pending, warp_resident(lanes, present));
        }
    }
}
