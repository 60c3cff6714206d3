/* warp_events.c - what merged events do: accesses for the sink, warp operations, fences; and the work that lanes have done.
 *
 * A lane's event carries the instructions of the blocks it entered since its event before, its present block whole. A group's
 * lanes do their present block together and after everything that other groups have done. Earlier blocks may be ones that the
 * lanes shared with others, before they parted: work of a lane that was not with the last group counts only as far as that group
 * has not kept the warp busy as long. Of an access's block the warp's event gets what is in front of the access, and leaves the
 * rest to the events behind.
 */
#include "tracer/bulk/bulk_events.h"
#include "tracer/combine.h"
#include "tracer/engine.h"
#include "tracer/made/loops.h"
#include "tracer/matrix/matrices.h"
#include "tracer/waits/hoist.h"
#include "tracer/widths/widths.h"
#include "tracer/work/lag.h"

static unsigned lowest(uint32_t lanes)
{
    return (unsigned)__builtin_ctz(lanes);
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

/* The bits that differ between the lanes of a row, also those that are not in the group: a vector loop tells in most rows that none do. */
static inline uint64_t bits_that_differ(const uint64_t *row)
{
    uint64_t differs = 0;
    for (unsigned i = 1; i < WARP_LANES; i++)
        differs |= row[i] ^ row[0];
    return differs;
}

void warp_add_work(struct warp *warp, const uint64_t *row, uint32_t group, uintptr_t pc)
{
    uint64_t added = row[0] >> EVENT_WORK_SHIFT;
    if ((group & ~warp->together) == 0 && (group & (group - 1)) == 0) { /* a lane on its own */
        warp_go_on(warp, group, row[lowest(group)] >> EVENT_WORK_SHIFT);
        return;
    }
    if (bits_that_differ(row) >> EVENT_WORK_SHIFT || group & ~warp->together)
        added = most_added(warp, row, group, pc ? work_of_block(pc) : 0);
    warp_go_on(warp, group, added);
}

uint16_t warp_take_work(struct warp *warp, uintptr_t pc)
{
    uint64_t work = warp->work, behind = pc ? work_from(pc).instructions : 0;
    warp->work = behind < work ? behind : work;
    work -= warp->work;
    return (uint16_t)(work < WORK_MAX ? work : WORK_MAX);
}

uint16_t warp_take_lag(struct warp *warp)
{
    const uint64_t lag = warp->lag;
    warp->lag = 0;
    return (uint16_t)(lag < WORK_MAX ? lag : WORK_MAX);
}

static inline uint64_t lag_in(uint64_t addr)
{
    return addr >> EVENT_LAG_SHIFT & UINT16_MAX;
}

/* Lanes that come together are held up together. */
static void add_lag(struct warp *warp, const uint64_t *addr, uint32_t group)
{
    uint64_t most = lag_in(addr[lowest(group)]);
    if (lag_in(bits_that_differ(addr)))
        for (uint32_t left = group; left; left &= left - 1)
            most = lag_in(addr[lowest(left)]) > most ? lag_in(addr[lowest(left)]) : most;
    warp->lag += most;
}

/* A shuffle of what the one before it took from its lanes, as in a loop that goes through them, does not wait for that one: they are under
 * way together. So are those of iterations that are. */
static void add_lag_of_shuffle(struct warp *warp, uint32_t group, uint32_t pc)
{
    const uint64_t odd = 0x9e3779b97f4a7c15U;
    uint64_t values = group;
    for (uint32_t left = group; left; left &= left - 1)
        values = (values ^ warp->lanes[lowest(left)].context->op.value) * odd;
    if (values != warp->shuffled)
        warp->lag += LAG_SHUFFLE / loops_together(pc);
    warp->shuffled = values;
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
    const enum loop_kind kind = loops_kind(pc);
    return kind == LOOP_ROLLED ? 0 : kind == LOOP_FLATTENED ? ACCESS_FLATTENED : ACCESS_UNROLLED;
}

/* Of another block's shared memory. */
static uint8_t cluster_flags_of(uint64_t meta)
{
    const unsigned space = meta >> EVENT_SPACE_SHIFT & 7;
    return (uint8_t)((space >= SPACE_CLUSTER ? ACCESS_CLUSTER : 0) |
                     (space == SPACE_CLUSTER_ASYNC ? ACCESS_CLUSTER_ASYNC : 0));
}

static uint8_t flags_of(uint64_t meta)
{
    const bool is_atomic = (meta >> EVENT_OP_SHIFT & 7) == OP_ATOMIC;
    return (uint8_t)((meta >> EVENT_READ_ONLY_SHIFT & 1 && !is_atomic ? ACCESS_READ_ONLY : 0) |
                     (meta >> EVENT_SYNC_SHIFT & 1 ? ACCESS_VOLATILE : 0) |
                     (meta >> EVENT_FLOAT_SHIFT & 1 ? ACCESS_FLOAT : 0) |
                     (meta >> EVENT_INCREMENT_SHIFT & 1 ? ACCESS_INCREMENT : 0) |
                     cluster_flags_of(meta));
}

static void note_load(struct warp *warp, uintptr_t pc, const struct warp_access *load)
{
    dependence_note(&warp->recent, load);
    needed_note(&warp->needed, pc);
}

/* `affine`: its addresses are, in all lanes. */
static void give_access(struct warp *warp, const struct merged_event *event, bool affine)
{
    const uint64_t meta = event->meta;
    uint64_t *addr = event->addr;
    const uint32_t active = event->group;
    const uintptr_t pc = engine.image_base + (meta & UINT32_MAX);
    if (!affine)
        for (unsigned i = 0; i < WARP_LANES; i++)
            addr[i] &= EVENT_ADDR_MASK;
    const uint32_t site = sites_find(meta, addr[lowest(active)] & EVENT_ADDR_MASK);
    const uint8_t unrolled = unrolled_flag((uint32_t)meta);
    if (engine.failed) /* by this site, or in a row before: the sink wants nothing more */
        return;
    struct warp_access access = {
        .addr = affine ? NULL : addr,
        .base = addr[0] & EVENT_ADDR_MASK,
        .stride = (int64_t)(addr[1] - addr[0]),
        .active = active,
        .resident = event->resident,
        .block = engine.block_linear,
        .warp = (uint32_t)(warp - engine.warps),
        .site = site,
        .work = warp_take_work(warp, pc),
        .lag = warp_take_lag(warp),
        .width = (uint8_t)(1U << (meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK)),
        .op = (uint8_t)(meta >> EVENT_OP_SHIFT & 7),
        .space = (uint8_t)space_of_event(meta >> EVENT_SPACE_SHIFT & 7),
        .flags = flags_of(meta),
    };
    if (access.op == OP_ATOMIC && combine_may(meta))
        combine_lanes(&access, meta);
    if (device_arena.host_arrays && (access.space == SPACE_GLOBAL || access.space == SPACE_TEXTURE))
        access.flags |= memory_home_flags(access_addr(&access, lowest(active)));
    access.loads_left = dependence_find(&warp->recent, &access);
    const uint16_t needed = access.op == OP_LOAD ? needed_find(&warp->needed, pc) : 0;
    if (access.loads_left == NEEDS_NO_LOAD && needed)
        access.loads_left = (uint8_t)__builtin_ctz(needed);
    access.flags |= unrolled;
    loop_wait_access(&warp->loop, meta, &access);
    const struct code_region there = store_wait_asks(&warp->store, &access)
                                         ? widths_region((uint32_t)meta)
                                         : (struct code_region){0, 0};
    store_wait_access(&warp->store, there, &access);
    if (access.op == OP_LOAD)
        note_load(warp, pc, &access);
    if (engine.wants_values && access.op == OP_STORE)
        access.values = known_values(event->value, active);
    engine.accesses++;
    hoist_access(&access, meta, needed);
}

static void emit_jump(struct warp *warp, const struct merged_event *event, uint32_t from_pc)
{
    const uint32_t head = (uint32_t)event->meta;
    const struct loop_shape shape = loops_shape(head);
    needed_jump(&warp->needed);
    hoist_jump(event->meta, shape.bytes, loop_wait_jump(&warp->loop, event, from_pc, shape),
               shape.together == 0);
}

static void emit_access(struct warp *warp, const struct merged_event *event)
{
    const uint64_t meta = event->meta;
    uint64_t *addr = event->addr;
    const uint32_t active = event->group;
    bool affine = row_is_affine(addr, active), next_part = meta >> EVENT_PART_SHIFT & 127;
    uintptr_t pc = engine.image_base + (meta & UINT32_MAX);
    warp->work += next_part;
    if (affine && warp->together == UINT32_MAX)
        warp_go_on(warp, active, addr[0] >> EVENT_WORK_SHIFT);
    else
        warp_add_work(warp, addr, active, pc);
    if (!engine.is_muted)
        give_access(warp, event, affine);
}

void warp_give_access(struct warp *warp, const struct merged_event *event)
{
    warp->work += event->meta >> EVENT_PART_SHIFT & 127 ? 1 : 0;
    if (!engine.is_muted)
        give_access(warp, event, row_is_affine(event->addr, event->group));
}

/* The same at a warp operation, with those that went by while others waited for them, to their ends. */
static uint32_t take_running(struct warp *warp, uint32_t group)
{
    uint32_t running = warp_running(warp) | group | warp->gone_by;
    warp->gone_by = 0;
    return running;
}

/* __syncwarp is a fence for memory, and matrices are loaded and stored. */
static void hoist_warp_op(enum warp_op_kind kind)
{
    if (kind == WARP_OP_SYNC || kind == WARP_OP_MATRIX)
        hoist_end();
    else
        hoist_exchange();
}

void warp_emit(struct warp *warp, const struct merged_event *event)
{
    const uint64_t meta = event->meta, *addr = event->addr;
    const uint32_t group = event->group;
    uintptr_t pc = engine.image_base + (meta & UINT32_MAX);
    switch (event_kind(meta)) {
    case EVENT_ACCESS:
        emit_access(warp, event);
        break;
    case EVENT_WARP_OP:
        hoist_warp_op(warp->lanes[lowest(group)].context->op.kind);
        warp_add_work(warp, addr, group, pc);
        if (warp->lanes[lowest(group)].context->op.kind == WARP_OP_SHUFFLE)
            add_lag_of_shuffle(warp, group, (uint32_t)meta);
        if (warp->lanes[lowest(group)].context->op.kind == WARP_OP_MATRIX)
            matrices_emit(warp, event);
        warp_resolve(warp->lanes, group);
        syncs_report_op(warp, group, take_running(warp, group), pc);
        break;
    case EVENT_FENCE:
        hoist_end();
        warp_add_work(warp, addr, group, pc);
        syncs_report_fence(warp, (enum sync_kind)(meta >> EVENT_WIDTH_SHIFT & EVENT_SYNC_KIND_MASK),
                           group, warp_running(warp) | group, pc);
        return;
    case EVENT_COPY:
        async_copies_emit(warp, event);
        return;
    case EVENT_COPY_STEP:
        async_copies_emit_step(warp, event);
        return;
    case EVENT_BULK:
        bulk_events_emit(warp, event);
        return;
    case EVENT_JUMP_BACK: /* `pc` is not where the lanes come from */
        warp_add_work(warp, addr, group, 0);
        add_lag(warp, addr, group);
        emit_jump(warp, event, (uint32_t)addr[lowest(group)]);
        return;
    case EVENT_CALL:
        warp_add_work(warp, addr, group, pc);
        return;
    }
    if (meta >> EVENT_SYNC_SHIFT & 1)
        warp_set_state(warp, group, LANE_READY);
}
