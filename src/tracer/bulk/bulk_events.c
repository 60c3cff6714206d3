/* bulk_events.c - events of one kind, EVENT_BULK, with an enum copy_step less COPY_STEPS_BEFORE where others have their width and a bit more. The
 * event's address is the barrier's or the copy's, or the groups that a wait leaves, or a product's columns; its `value`:
 *
 *   a copy        which of `copies` it is
 *   arrive, wait  |63     40|39    20|19     0|
 *                 |  phase  | arrivals | bytes |
 */
#include "tracer/bulk/bulk_events.h"
#include "tracer/waits/hoist.h"

#include <stdlib.h>

enum { STEPS_BEFORE = BULK_BEGINS, ARRIVALS_SHIFT = 20, PHASE_SHIFT = 40 };
enum { STEP_MASK = 15 };
_Static_assert(COPY_STEPS - STEPS_BEFORE <= STEP_MASK + 1, "a step fits its bits");
_Static_assert(PHASE_COUNT_MAX < 1 << ARRIVALS_SHIFT, "a count fits its bits");

/* Copies that the sink does not all know of yet: `given` of them it does. */
static struct bulk_copy *copies;
static uint32_t copy_count, copy_room, given;

void bulk_events_block(void)
{
    copy_count = given = 0;
}

static void keep(const struct bulk_copy *copy, uintptr_t pc)
{
    if (copy_count == copy_room) {
        const uint32_t room = 2 * copy_room + 64;
        struct bulk_copy *grown = realloc(copies, room * sizeof *grown);
        if (grown == NULL)
            engine_fail_lane(pc, "no memory for the bulk copies of a block");
        copies = grown;
        copy_room = room;
    }
    copies[copy_count++] = *copy;
}

static void push(enum copy_step step, uint64_t bits, uint64_t addr, uint64_t value, uintptr_t pc)
{
    if (engine.current == NULL || engine.is_muted)
        return;
    hooks_push_event(hooks_meta(EVENT_BULK, pc) | bits |
                         (uint64_t)(step - STEPS_BEFORE) << EVENT_WIDTH_SHIFT,
                     addr, pc);
    engine.cursor[EVENT_VALUE_OFFSET - WARP_LANES] = value;
}

static void push_copy(const struct bulk_copy *copy, unsigned space, uint64_t addr, enum mem_op op,
                      uintptr_t pc)
{
    if (engine.is_muted)
        return;
    keep(copy, pc);
    push(BULK_BEGINS, (uint64_t)op << EVENT_OP_SHIFT | (uint64_t)space << EVENT_SPACE_SHIFT, addr,
         copy_count - 1, pc);
}

void bulk_events_copy(const struct bulk_copy *copy, uint64_t from, enum mem_op op, uintptr_t pc)
{
    push_copy(copy, SPACE_GLOBAL, from, op, pc);
}

void bulk_events_peer(const struct bulk_copy *copy, uint64_t to, uintptr_t pc)
{
    push_copy(copy, SPACE_CLUSTER, to, OP_STORE, pc);
}

void bulk_events_step(enum copy_step step, unsigned left, uintptr_t pc)
{
    push(step, 0, left < COPY_GROUPS_LEFT_MAX ? left : COPY_GROUPS_LEFT_MAX, 0, pc);
}

void bulk_events_arrive(uint32_t barrier, uint32_t phase, uint32_t arrivals, uintptr_t pc)
{
    push(PHASE_ARRIVE, 0, barrier,
         (uint64_t)phase << PHASE_SHIFT | (uint64_t)arrivals << ARRIVALS_SHIFT, pc);
}

void bulk_events_wait(uint32_t barrier, uint32_t phase, uint32_t arrivals, uint32_t bytes,
                      uintptr_t pc)
{
    push(PHASE_WAIT, 0, barrier,
         (uint64_t)phase << PHASE_SHIFT | (uint64_t)arrivals << ARRIVALS_SHIFT | bytes, pc);
}

/* ---- Warps ------------------------------------------------------------------------------------- */

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

static void give(const struct trace_copy *copy)
{
    hoist_end();
    if (!engine.failed)
        engine_heed(sink_copy(engine.sink, copy));
}

static void give_copy(struct warp *warp, const struct merged_event *event, unsigned lane)
{
    const uintptr_t pc = engine.image_base + (event->meta & UINT32_MAX);
    const uint64_t from = event->addr[lane] & EVENT_ADDR_MASK;
    /* A site is of an access 16 bytes wide. */
    const uint64_t meta = (event->meta & ~((uint64_t)EVENT_WIDTH_MASK << EVENT_WIDTH_SHIFT)) |
                          4ULL << EVENT_WIDTH_SHIFT;
    const uint32_t site = sites_find(meta, from);
    const bool is_peer = (meta >> EVENT_SPACE_SHIFT & 7) == SPACE_CLUSTER;
    if (engine.failed)
        return;
    struct warp_access access = {
        .base = from,
        .active = 1U << lane,
        .resident = event->resident,
        .block = engine.block_linear,
        .warp = (uint32_t)(warp - engine.warps),
        .site = site,
        .work = warp_take_work(warp, pc),
        .loads_left = NEEDS_NO_LOAD,
        .width = 16,
        .op = (uint8_t)(meta >> EVENT_OP_SHIFT & 7),
        .space = is_peer ? SPACE_SHARED : SPACE_GLOBAL,
        .flags = is_peer                    ? ACCESS_CLUSTER
                 : device_arena.host_arrays ? memory_home_flags(from)
                                            : 0,
        .bulk = &copies[event->value[lane]],
    };
    engine.accesses++;
    const struct trace_copy begins = copy_begins(&access);
    give(&begins);
    if (++given == copy_count)
        copy_count = given = 0;
}

/* Lanes with the same address and value, from the lowest of `group` on. */
static uint32_t alike(const struct merged_event *event, uint32_t group)
{
    const unsigned first = lowest(group);
    uint32_t same = 0;
    for (uint32_t left = group; left; left &= left - 1) {
        const unsigned i = lowest(left);
        if (((event->addr[i] ^ event->addr[first]) & EVENT_ADDR_MASK) == 0 &&
            event->value[i] == event->value[first])
            same |= 1U << i;
    }
    return same;
}

static void give_step(struct warp *warp, const struct merged_event *event, enum copy_step step,
                      uint32_t lanes)
{
    const uintptr_t pc = engine.image_base + (event->meta & UINT32_MAX);
    const uint64_t value = event->value[lowest(lanes)];
    const uint32_t address = (uint32_t)(event->addr[lowest(lanes)] & EVENT_ADDR_MASK);
    const uint32_t arrivals = (uint32_t)(value >> ARRIVALS_SHIFT) & PHASE_COUNT_MAX;
    const bool of_phase = step == PHASE_ARRIVE || step == PHASE_WAIT;
    struct trace_copy copy = {.step = step,
                              .block = engine.block_linear,
                              .warp = (uint32_t)(warp - engine.warps),
                              .lanes = lanes,
                              .left = of_phase ? 0 : address,
                              .work = warp_take_work(warp, pc)};
    if (of_phase) {
        copy.barrier = address;
        copy.phase = (uint32_t)(value >> PHASE_SHIFT);
        copy.bytes = (uint32_t)value & PHASE_COUNT_MAX;
        copy.needs = step == PHASE_WAIT ? arrivals : arrivals * (uint32_t)__builtin_popcount(lanes);
    }
    give(&copy);
}

void bulk_events_emit(struct warp *warp, const struct merged_event *event)
{
    const uintptr_t pc = engine.image_base + (event->meta & UINT32_MAX);
    const enum copy_step step =
        (enum copy_step)(STEPS_BEFORE + (event->meta >> EVENT_WIDTH_SHIFT & STEP_MASK));
    warp_add_work(warp, event->addr, event->group, pc);
    for (uint32_t left = event->group; left;) {
        const uint32_t lanes = step == BULK_BEGINS ? left & -left : alike(event, left);
        if (step == BULK_BEGINS)
            give_copy(warp, event, lowest(left));
        else
            give_step(warp, event, step, lanes);
        left &= ~lanes;
    }
}
