/* warp.c - the event columns of 32 lanes -> warp accesses.
 *
 * Lanes that are out of events run on until they stop; then rows are merged. When every lane that
 * is left has the same events, rows are warp accesses as they stand (nearly all of the time: 10 to
 * 20 ns a row against about 100 for a step of the general merge). Otherwise the merge picks, step
 * by step, the deepest call and the lowest program counter, and groups the lanes that are there.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/bulk/mbarriers.h"
#include "tracer/spin.h"
#include "tracer/waits/hoist.h"
#include "tracer/widths/widths.h"

/* A lane may stop with so many rows free: for a copy of a struct, whose parts stay together. */
enum { ROWS_SPARE = 64 };

#define META(warp, lane) event_rows.meta[(warp)->head[lane]][lane]

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* Lanes that have no events left and may run: nothing can be merged before they have. */
static uint32_t warp_hungry(const struct warp *warp)
{
    return warp->in_state[LANE_READY] & ~warp->pending;
}

/* The lanes in `group` recorded equally many events. */
static bool counts_agree(const struct warp *warp, uint32_t group)
{
    unsigned differs = 0, count = warp->count[lowest(group)];
    if (group == UINT32_MAX) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            differs |= warp->count[i] ^ count;
        return differs == 0;
    }
    for (uint32_t left = group; left; left &= left - 1)
        differs |= warp->count[lowest(left)] ^ count;
    return differs == 0;
}

/* Adds the lanes of `run` that recorded events; true when all recorded equally many. */
static bool warp_add_pending(struct warp *warp, uint32_t run)
{
    bool agree = counts_agree(warp, run);
    if (agree)
        warp->pending |= warp->count[lowest(run)] ? run : 0;
    else
        for (uint32_t left = run; left; left &= left - 1)
            warp->pending |= (uint32_t)(warp->count[lowest(left)] != 0) << lowest(left);
    return agree;
}

/* Runs lanes until each has stopped; true when all recorded equally many events. */
static bool warp_refill(struct warp *warp, uint32_t run)
{
    engine.warp = warp;
    engine.to_start = run & ~warp->started;
    engine.to_resume = run & warp->started;
    warp->started |= run;
    if (run == UINT32_MAX)
        memset(warp->head, 0, sizeof warp->head);
    else
        for (uint32_t left = run; left; left &= left - 1)
            warp->head[lowest(left)] = 0;
    warp_set_state(warp, run, LANE_ENDED); /* those that only stop say so */
    lane_run_all();
    if (engine.joins_accesses && widths_has_sites() && !engine.wants_values && !engine.failed)
        widths_join(run, warp->count);
    return warp_add_pending(warp, run);
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
        differs |= meta[lowest(left)] ^ first;
    return differs == 0;
}

/* What a lane's column has behind the event. */
static void look_ahead(struct merged_event *event, unsigned lane, unsigned row, unsigned count)
{
    event->next = &event_rows.meta[row < EVENT_ROWS ? row : 0][lane];
    event->ahead = count - row;
    event->is_full = count + ROWS_SPARE >= EVENT_ROWS;
}

/* The fast path, right after a refill of all pending lanes that gave each as many events: merges
 * rows as long as the lanes agree. Lanes that are not pending have ended or wait for a barrier. */
static void warp_merge_rows(struct warp *warp, uint32_t resident)
{
    uint32_t pending = warp->pending;
    unsigned first = lowest(pending), count = warp->count[first], row;
    for (row = 0; row < count; row++) {
        uint64_t meta = event_rows.meta[row][first];
        if (!row_agrees(event_rows.meta[row], pending, meta))
            break;
        if (row + 1 == count) /* before the event: it may make the lanes ready again */
            warp->pending = 0;
        struct merged_event event = {.meta = meta,
                                     .addr = event_rows.addr[row],
                                     .value = event_rows.value[row],
                                     .group = pending,
                                     .resident = resident};
        if (event_kind(meta) == EVENT_JUMP_BACK)
            look_ahead(&event, first, row + 1, count);
        warp_emit(warp, &event);
    }
    if (row < count)
        for (uint32_t left = pending; left; left &= left - 1)
            warp->head[lowest(left)] = (uint16_t)row;
}

/* A shuffle or vote waits until every lane that its mask names, and that has not ended, is there. */
static bool warp_op_waits(const struct warp *warp, unsigned i)
{
    uint64_t meta = META(warp, i);
    if (event_kind(meta) != EVENT_WARP_OP)
        return false;
    for (uint32_t left = warp->lanes[i].context->op.mask & warp_running(warp); left;
         left &= left - 1) {
        unsigned other = lowest(left);
        if (!(warp->pending >> other & 1U) || META(warp, other) != meta)
            return true;
    }
    return false;
}

/* Smaller goes first:
 *
 *     63      62 to 55       54 to 24         23      22 to 0
 *   | waits | 255 - depth | program counter | back | part, or how far back |
 *
 * A jump back stands at the end of its loop; of two loops with one end the inner one goes first. */
#define KEY_WAITS (1ULL << 63)
static inline uint64_t order_key(const struct warp *warp, unsigned i)
{
    uint64_t meta = META(warp, i);
    uint64_t pc = meta & UINT32_MAX, low = meta >> EVENT_PART_SHIFT, back = 0;
    if (event_kind(meta) == EVENT_JUMP_BACK) {
        uint32_t end = loops_end((uint32_t)pc);
        low = (end - pc) & 0x7fffff;
        pc = end;
        back = 1;
    }
    return (warp_op_waits(warp, i) ? KEY_WAITS : 0) |
           (0xff - (meta >> EVENT_DEPTH_SHIFT & 0xff)) << 55 | (pc & 0x7fffffff) << 24 |
           back << 23 | low;
}

/* The meta of the lanes of `some` that go first. *waited_for: lanes for which others wait that would have
 * gone before. */
static uint64_t first_to_go(const struct warp *warp, uint32_t some, uint32_t *waited_for)
{
    uint64_t best_key = UINT64_MAX, best_meta = 0, keys[WARP_LANES];
    uint32_t wait = 0;
    *waited_for = 0;
    for (uint32_t left = some; left; left &= left - 1) {
        const unsigned i = lowest(left);
        keys[i] = order_key(warp, i);
        wait |= (uint32_t)(keys[i] >= KEY_WAITS) << i;
        if (keys[i] < best_key) {
            best_key = keys[i];
            best_meta = META(warp, i);
        }
    }
    for (uint32_t left = best_key & KEY_WAITS ? 0 : wait; left; left &= left - 1)
        if ((keys[lowest(left)] & ~KEY_WAITS) < best_key)
            *waited_for |= warp->lanes[lowest(left)].context->op.mask;
    return best_meta;
}

static bool goes_round(uint64_t meta)
{
    return meta >> EVENT_SYNC_SHIFT & 1 || event_kind(meta) == EVENT_JUMP_BACK ||
           event_kind(meta) == EVENT_FENCE;
}

/* One step of the general merge. */
static void warp_step(struct warp *warp, uint32_t resident)
{
    uint32_t group = 0, pending = warp->pending, waited_for;
    unsigned leader = 0, most = 0;
    uint64_t meta = first_to_go(warp, spin_choose(warp), &waited_for), addr[WARP_LANES] = {0},
             value[WARP_LANES];
    const bool has_values =
        engine.wants_values || event_kind(meta) == EVENT_COPY || event_kind(meta) == EVENT_BULK;
    for (uint32_t left = warp->pending; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (META(warp, i) != meta)
            continue;
        addr[i] = event_rows.addr[warp->head[i]][i];
        if (has_values)
            value[i] = event_rows.value[warp->head[i]][i];
        group |= 1U << i;
        if (++warp->head[i] == warp->count[i])
            warp->pending &= ~(1U << i);
        if ((unsigned)warp->count[i] - warp->head[i] >= most) {
            most = (unsigned)warp->count[i] - warp->head[i];
            leader = i;
        }
    }
    warp->gone_by |= group & waited_for;
    spin_note(warp, group, pending, goes_round(meta), meta >> EVENT_SYNC_SHIFT & 1);
    struct merged_event event = {
        .meta = meta, .addr = addr, .value = value, .group = group, .resident = resident};
    if (event_kind(meta) == EVENT_JUMP_BACK)
        look_ahead(&event, leader, warp->head[leader], warp->count[leader]);
    warp_emit(warp, &event);
}

/* The lanes with events stand at operations of the warp that wait for lanes which wait at a barrier in shared memory. */
static bool waits_for_phases(const struct warp *warp)
{
    for (uint32_t left = warp->pending; left; left &= left - 1) {
        const unsigned i = lowest(left);
        if (!warp_op_waits(warp, i) ||
            !(warp->lanes[i].context->op.mask & warp->in_state[LANE_AWAITS]))
            return false;
    }
    return true;
}

/* What such lanes stand at, the last event of each: the columns are those of the warp that runs. */
struct parked_events parked_events[BLOCK_LANES_MAX / WARP_LANES];

static void park(const struct warp *warp)
{
    const size_t number = (size_t)(warp - engine.warps);
    for (uint32_t left = warp->pending; left; left &= left - 1) {
        const unsigned i = lowest(left);
        parked_events[number].meta[i] = META(warp, i);
        parked_events[number].addr[i] = event_rows.addr[warp->head[i]][i];
    }
}

static void unpark(struct warp *warp)
{
    const size_t number = (size_t)(warp - engine.warps);
    for (uint32_t left = warp->pending; left; left &= left - 1) {
        const unsigned i = lowest(left);
        event_rows.meta[0][i] = parked_events[number].meta[i];
        event_rows.addr[0][i] = parked_events[number].addr[i];
        warp->head[i] = 0;
        warp->count[i] = 1;
    }
}

/* Resident are the lanes that had not ended at the last barrier: a lane that returns early counts as
 * missing until the next one, as does one that skips the rest of the kernel. */
void warp_run(struct warp *warp)
{
    uint32_t resident = ~warp->in_state[LANE_ENDED];
    unpark(warp);
    while (!engine.failed) {
        if (warp->in_state[LANE_AWAITS])
            mbarriers_wake(warp);
        uint32_t hungry = warp_hungry(warp);
        bool all_hungry = warp->pending == 0, agree = false;
        if (hungry)
            agree = warp_refill(warp, hungry);
        if (warp->pending == 0 || engine.failed)
            break;
        if (all_hungry && agree && !warp->in_state[LANE_AWAITS])
            warp_merge_rows(warp, resident);
        else if (warp_hungry(warp))
            continue;
        else if (warp->in_state[LANE_AWAITS] && waits_for_phases(warp))
            break;
        else
            warp_step(warp, resident);
    }
    hoist_end();
    park(warp);
}
