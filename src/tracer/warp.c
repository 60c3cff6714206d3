/* warp.c - the event columns of 32 lanes -> warp accesses.
 *
 * Lanes that are out of events run on until they stop; then rows are merged. When every lane that
 * is left has the same events, rows are warp accesses as they stand (nearly all of the time: 10 to
 * 20 ns a row against about 100 for a step of the general merge). Otherwise the merge picks, step
 * by step, the deepest call and the lowest program counter, and groups the lanes that are there.
 *
 * Work. A lane's event carries the instructions of the blocks it entered since its event before,
 * its present block whole. A group's lanes do their present block together and after everything that
 * other groups have done. Earlier blocks may be ones that the lanes shared with others, before they
 * parted: work of a lane that was not with the last group counts only as far as that group has not
 * kept the warp busy as long. Of an access's block the warp's event gets what is in front of the
 * access, and leaves the rest to the events behind.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/spin.h"
#include "tracer/widths/widths.h"

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

/* The most that any lane of the group adds to the warp's work; `block` of it in the present one. */
static uint64_t most_added(const struct warp *warp, const uint64_t *row, uint32_t group,
                           uint64_t block)
{
    uint64_t most = 0;
    for (uint32_t left = group; left; left &= left - 1) {
        unsigned i = lowest(left);
        bool apart = !(warp->together >> i & 1U);
        uint64_t all = row[i] >> EVENT_WORK_SHIFT, present = block < all ? block : all;
        uint64_t busy = apart ? warp->clock - warp->left_at[i] : 0, earlier = all - present;
        uint64_t added = present + (earlier > busy ? earlier - busy : 0);
        most = added > most ? added : most;
    }
    return most;
}

static inline void warp_go_on(struct warp *warp, uint32_t group, uint64_t added)
{
    for (uint32_t left = warp->together & ~group; left; left &= left - 1)
        warp->left_at[lowest(left)] = warp->clock;
    warp->together = group;
    warp->clock += added;
    warp->work += added;
}

void warp_add_work(struct warp *warp, const uint64_t *row, uint32_t group, uintptr_t pc)
{
    uint64_t differs = 0, added = row[0] >> EVENT_WORK_SHIFT;
    if ((group & ~warp->together) == 0 && (group & (group - 1)) == 0) { /* a lane on its own */
        warp_go_on(warp, group, row[lowest(group)] >> EVENT_WORK_SHIFT);
        return;
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        differs |= row[i] ^ row[0];
    if (differs >> EVENT_WORK_SHIFT || group & ~warp->together)
        added = most_added(warp, row, group, pc ? work_of_block(pc) : 0);
    warp_go_on(warp, group, added);
}

uint16_t warp_take_work(struct warp *warp, uintptr_t pc)
{
    uint64_t work = warp->work, behind = pc ? work_from(pc) : 0;
    warp->work = behind < work ? behind : work;
    work -= warp->work;
    return (uint16_t)(work < WORK_MAX ? work : WORK_MAX);
}

static bool is_affine(const uint64_t *addr, uint64_t stride)
{
    uint64_t differs = 0;
    for (unsigned i = 2; i < WARP_LANES; i++)
        differs |= (addr[i] - addr[i - 1]) ^ stride;
    return differs == 0;
}

/* An affine access spares the model its loops over lanes. Strides this small mean that all lanes
 * have equal work, too. */
static bool row_is_affine(const uint64_t *addr, uint32_t active)
{
    uint64_t stride = addr[1] - addr[0], limit = 1ULL << 40;
    return active == UINT32_MAX && stride + limit < 2 * limit && is_affine(addr, stride);
}

/* What the lanes store; NULL when that of some is not known. */
static const uint32_t *known_values(const uint64_t *value, uint32_t active)
{
    static uint32_t known[WARP_LANES];
    for (uint32_t left = active; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (value[i] == VALUE_UNKNOWN)
            return NULL;
        known[i] = (uint32_t)value[i];
    }
    return known;
}

/* Whether the compiler for the GPU unrolls the loop that the access at that place is in. */
static uint8_t unrolled_flag(uint32_t pc)
{
    uint32_t together = loops_together(pc);
    return together == LOOP_ROLLED      ? 0
           : together == LOOP_FLATTENED ? ACCESS_FLATTENED
                                        : ACCESS_UNROLLED;
}

static void emit_access(struct warp *warp, uint64_t meta, uint64_t *addr, const uint64_t *value,
                        uint32_t active, uint32_t resident)
{
    bool affine = row_is_affine(addr, active), next_part = meta >> EVENT_PART_SHIFT & 127;
    uintptr_t pc = engine.image_base + (meta & UINT32_MAX);
    warp->work += next_part;
    if (affine && warp->together == UINT32_MAX)
        warp_go_on(warp, active, addr[0] >> EVENT_WORK_SHIFT);
    else
        warp_add_work(warp, addr, active, pc);
    if (engine.is_muted)
        return;
    if (!affine)
        for (unsigned i = 0; i < WARP_LANES; i++)
            addr[i] &= EVENT_ADDR_MASK;
    const uint32_t site = sites_find(meta, addr[lowest(active)] & EVENT_ADDR_MASK);
    if (engine.failed) /* by this site, or in a row before: the sink wants nothing more */
        return;
    struct warp_access access = {
        .addr = affine ? NULL : addr,
        .base = addr[0] & EVENT_ADDR_MASK,
        .stride = (int64_t)(addr[1] - addr[0]),
        .active = active,
        .resident = resident,
        .block = engine.block_linear,
        .warp = (uint32_t)(warp - engine.warps),
        .site = site,
        .work = warp_take_work(warp, pc),
        .width = (uint8_t)(1U << (meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK)),
        .op = (uint8_t)(meta >> EVENT_OP_SHIFT & 7),
        .space = (uint8_t)(meta >> EVENT_SPACE_SHIFT & 7),
        .flags = (uint8_t)((meta >> EVENT_READ_ONLY_SHIFT & 1 ? ACCESS_READ_ONLY : 0) |
                           (meta >> EVENT_SYNC_SHIFT & 1 ? ACCESS_VOLATILE : 0) |
                           (meta >> EVENT_INCREMENT_SHIFT & 1 ? ACCESS_INCREMENT : 0)),
    };
    if (device_arena.host_arrays && (access.space == SPACE_GLOBAL || access.space == SPACE_TEXTURE))
        access.flags |= memory_home_flags(access_addr(&access, lowest(active)));
    access.loads_left = dependence_find(&warp->recent, &access);
    access.flags |= unrolled_flag((uint32_t)meta);
    loop_wait_access(&warp->loop, meta, &access);
    if (access.op == OP_LOAD)
        dependence_note(&warp->recent, &access);
    if (engine.wants_values && access.op == OP_STORE)
        access.values = known_values(value, active);
    engine.accesses++;
    engine_heed(sink_access(engine.sink, &access));
}

/* Lanes that have not come to their ends: those that have run there may have events to merge. */
static uint32_t warp_running(const struct warp *warp)
{
    return warp->pending | ~warp->in_state[LANE_ENDED];
}

/* The same at a warp operation, with those that went by while others waited for them, to their ends. */
static uint32_t take_running(struct warp *warp, uint32_t group)
{
    uint32_t running = warp_running(warp) | group | warp->gone_by;
    warp->gone_by = 0;
    return running;
}

static enum event_kind event_kind(uint64_t meta)
{
    return (enum event_kind)(meta >> EVENT_KIND_SHIFT & 7);
}

/* What a merged event does; `group` lanes had it, their addresses are in `addr`, what they store in
 * `value`. */
static void emit_event(struct warp *warp, uint64_t meta, uint64_t *addr, const uint64_t *value,
                       uint32_t group, uint32_t resident)
{
    uintptr_t pc = engine.image_base + (meta & UINT32_MAX);
    switch (event_kind(meta)) {
    case EVENT_ACCESS:
        emit_access(warp, meta, addr, value, group, resident);
        break;
    case EVENT_WARP_OP:
        warp_add_work(warp, addr, group, pc);
        warp_resolve(warp->lanes, group);
        syncs_report_op(warp, group, take_running(warp, group), pc);
        break;
    case EVENT_FENCE:
        warp_add_work(warp, addr, group, pc);
        syncs_report_fence(warp, (enum sync_kind)(meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK),
                           group, warp_running(warp) | group, pc);
        return;
    case EVENT_JUMP_BACK: /* `pc` is not where the lanes come from */
        warp_add_work(warp, addr, group, 0);
        loop_wait_jump(&warp->loop, meta, (uint32_t)addr[lowest(group)]);
        return;
    case EVENT_CALL:
        warp_add_work(warp, addr, group, pc);
        return;
    }
    if (meta >> EVENT_SYNC_SHIFT & 1)
        warp_set_state(warp, group, LANE_READY);
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
        emit_event(warp, meta, event_rows.addr[row], event_rows.value[row], pending, resident);
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
    uint64_t meta = first_to_go(warp, spin_choose(warp), &waited_for), addr[WARP_LANES] = {0},
             value[WARP_LANES];
    for (uint32_t left = warp->pending; left; left &= left - 1) {
        unsigned i = lowest(left);
        if (META(warp, i) != meta)
            continue;
        addr[i] = event_rows.addr[warp->head[i]][i];
        if (engine.wants_values)
            value[i] = event_rows.value[warp->head[i]][i];
        group |= 1U << i;
        if (++warp->head[i] == warp->count[i])
            warp->pending &= ~(1U << i);
    }
    warp->gone_by |= group & waited_for;
    spin_note(warp, group, pending, goes_round(meta), meta >> EVENT_SYNC_SHIFT & 1);
    emit_event(warp, meta, addr, value, group, resident);
}

/* Resident are the lanes that had not ended at the last barrier: a lane that returns early counts as
 * missing until the next one, as does one that skips the rest of the kernel. */
void warp_run(struct warp *warp)
{
    uint32_t resident = ~warp->in_state[LANE_ENDED];
    while (!engine.failed) {
        uint32_t hungry = warp_hungry(warp);
        bool all_hungry = warp->pending == 0, agree = false;
        if (hungry)
            agree = warp_refill(warp, hungry);
        if (warp->pending == 0 || engine.failed)
            return;
        if (all_hungry && agree)
            warp_merge_rows(warp, resident);
        else if (warp_hungry(warp) == 0)
            warp_step(warp, resident);
    }
}
