/* async_copies.c - cp.async and what has its form in C++ (cuda_async.h): copies from global to shared memory that a thread does
 * not wait for until it says so.
 *
 * Decision. The bytes are copied when the lane asks for them, so results are those of a program that waits where it must; that it
 * does is `check`'s to say. A copy is one event, whose `value` has the other side:
 *
 *   |63      40|39    32|31            0|
 *   |     0    |  bytes | shared address |
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/shared_faults.h"
#include "tracer/waits/hoist.h"
#include "warplens/cuda.h"
#include "warplens/cuda_async.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { BYTES_SHIFT = 32 };

bool wl_is_shared(const void *pointer); /* ptx.c */

/* ---- Lanes ------------------------------------------------------------------------------------- */

static uint64_t place_of_destination(void *to, unsigned width, uintptr_t pc)
{
    const struct place place = spaces_place(to, width, OP_STORE, pc);
    if (place.space != SPACE_SHARED)
        engine_fail_lane(pc, "an asynchronous copy whose destination is not in shared memory");
    return place.addr;
}

/* A lane that reads nothing may have any source. */
static uint64_t place_of_source(const void *from, unsigned bytes, uintptr_t pc)
{
    if (bytes == 0)
        return DEVICE_BASE_ADDRESS;
    const uint64_t addr = hooks_check_source(from, bytes, pc);
    if (addr == MEMORY_NOWHERE)
        engine_fail_lane(pc, "an asynchronous copy whose source is not in global memory");
    return addr;
}

static void check_alignment(const void *to, const void *from, unsigned width, unsigned bytes,
                            uintptr_t pc)
{
    const bool is_source = bytes && (uintptr_t)from % width;
    if (!is_source && (uintptr_t)to % width == 0)
        return;
    engine.error = cudaErrorMisalignedAddress;
    faults_stop_is(&(struct trace_fault){.kind = FAULT_MISALIGNED,
                                         .op = (uint8_t)(is_source ? OP_LOAD : OP_STORE),
                                         .width = (uint8_t)width});
    engine_fail_lane(pc,
                     "misaligned asynchronous copy: %u bytes %s an address that is no multiple of "
                     "%u",
                     width, is_source ? "from" : "to", width);
}

/* nvcc knows it when it compiles: no work. */
WORK_COST_0 bool wl_copy_is_async(const void *to, const void *from)
{
    return wl_is_shared(to) && memory_offset(from) != MEMORY_NOWHERE;
}

static void record(uint64_t to, uint64_t from, unsigned width, unsigned bytes, unsigned how,
                   uintptr_t pc)
{
    const uint64_t meta =
        hooks_meta(EVENT_COPY, pc) | (uint64_t)__builtin_ctz(width) << EVENT_WIDTH_SHIFT |
        (uint64_t)OP_LOAD << EVENT_OP_SHIFT | (uint64_t)SPACE_GLOBAL << EVENT_SPACE_SHIFT |
        (uint64_t)((how & WL_COPY_PAST_L1) != 0) << EVENT_FLOAT_SHIFT |
        (uint64_t)((how & WL_COPY_SIZED) != 0) << EVENT_INCREMENT_SHIFT;
    if (engine.is_muted)
        return;
    hooks_push_event(meta, from, pc);
    engine.cursor[EVENT_VALUE_OFFSET - WARP_LANES] = to | (uint64_t)bytes << BYTES_SHIFT;
}

static void copy_async(void *to, const void *from, unsigned width, unsigned bytes, unsigned how,
                       uintptr_t pc)
{
    char word[ACCESS_BYTES_MAX] = {0};
    if (engine.current == NULL)
        return;
    if ((width != 4 && width != 8 && width != 16) || (how & WL_COPY_PAST_L1 && width != 16))
        engine_fail_lane(pc, "an asynchronous copy of %u bytes; allowed: %s", width,
                         how & WL_COPY_PAST_L1 ? "16 past the L1 (cp.async.cg)" : "4, 8 or 16");
    if (bytes > width)
        engine_fail_lane(pc, "an asynchronous copy of %u bytes reads %u of them", width, bytes);
    check_alignment(to, from, width, bytes, pc);
    const uint64_t addr = place_of_destination(to, width, pc);
    record(addr, place_of_source(from, bytes, pc), width, bytes, how, pc);
    memcpy(word, from, bytes);
    memcpy(to, word, width);
    shared_check(to, width, OP_STORE, pc);
}

WORK_COST_1 void wl_copy_async(void *to, const void *from, unsigned width, unsigned bytes,
                               unsigned how)
{
    copy_async(to, from, width, bytes, how, RETURN_ADDRESS);
}

WORK_COST_1 void wl_copy_async_at(void *to, const void *from, unsigned width, unsigned bytes,
                                  unsigned how, const char *file, int line)
{
    const uintptr_t pc = RETURN_ADDRESS;
    if (engine.current)
        call_lines_say(pc, file, (unsigned)line);
    copy_async(to, from, width, bytes, how, pc);
}

/* ---- Groups ------------------------------------------------------------------------------------ */

/* By lane of the block: groups so far, and the latest that has to arrive before a wait at a barrier is over. */
enum { COPY_BARRIERS = 8 };
static struct lane_copies {
    uint32_t groups, barriers;
    const void
        *open; /* the barrier that the copies since the last commit are bound to; NULL: none */
    struct {
        const void *barrier;
        uint32_t groups; /* up to this one: so many */
    } at[COPY_BARRIERS]; /* `barriers` of them; of more than there is room for the oldest is forgotten */
} lane_copies[BLOCK_LANES_MAX];

void async_copies_block(void)
{
    memset(lane_copies, 0, engine.lane_count * sizeof *lane_copies);
}

/* None of its lanes has asked for a group or waits at a barrier for copies: nothing is to be kept. */
size_t async_copies_aside_bytes(void)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < engine.lane_count; i++)
        used |= lane_copies[i].groups | lane_copies[i].barriers | (lane_copies[i].open != NULL);
    return used ? engine.lane_count * sizeof *lane_copies : 0;
}

void async_copies_set_aside(char *to)
{
    memcpy(to, lane_copies, async_copies_aside_bytes());
}

void async_copies_bring_back(const char *from, size_t bytes)
{
    async_copies_block();
    memcpy(lane_copies, from, bytes);
}

static void record_step(enum copy_step step, unsigned left, uintptr_t pc)
{
    if (engine.current && !engine.is_muted)
        hooks_push_event(hooks_meta(EVENT_COPY_STEP, pc) | (uint64_t)step << EVENT_WIDTH_SHIFT,
                         left, pc);
}

static void commit(uintptr_t pc)
{
    record_step(COPY_COMMIT, 0, pc);
    if (engine.current == NULL)
        return;
    lane_copies[engine.current->index].groups++;
    lane_copies[engine.current->index].open = NULL;
}

static void wait_for(unsigned left, uintptr_t pc)
{
    record_step(COPY_WAIT, left < COPY_GROUPS_LEFT_MAX ? left : COPY_GROUPS_LEFT_MAX, pc);
}

WORK_COST_1 void wl_copy_commit(void)
{
    commit(RETURN_ADDRESS);
}

WORK_COST_1 void wl_copy_wait(unsigned left)
{
    wait_for(left, RETURN_ADDRESS);
}

/* The lane's place for the barrier. */
static uint32_t place_of(struct lane_copies *lane, const void *barrier)
{
    for (uint32_t i = 0; i < COPY_BARRIERS && i < lane->barriers; i++)
        if (lane->at[i].barrier == barrier)
            return i;
    return lane->barriers++ % COPY_BARRIERS;
}

WORK_COST_1 void wl_copy_at_barrier(const void *barrier)
{
    if (engine.current == NULL)
        return;
    struct lane_copies *lane = &lane_copies[engine.current->index];
    if (lane->open && lane->open != barrier)
        commit(RETURN_ADDRESS);
    const uint32_t place = place_of(lane, barrier);
    lane->open = barrier;
    lane->at[place].barrier = barrier;
    lane->at[place].groups = lane->groups + 1;
}

void async_copies_wait_at(const void *barrier, uintptr_t pc)
{
    struct lane_copies *lane = &lane_copies[engine.current->index];
    if (lane->open == barrier)
        commit(pc);
    for (uint32_t i = 0; i < COPY_BARRIERS && i < lane->barriers; i++)
        if (lane->at[i].barrier == barrier && lane->at[i].groups) {
            wait_for(lane->groups - lane->at[i].groups, pc);
            lane->at[i].groups = 0;
        }
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

static struct async_copy copy_of(const struct merged_event *event)
{
    struct async_copy copy = {.past_l1 = event->meta >> EVENT_FLOAT_SHIFT & 1,
                              .sized = event->meta >> EVENT_INCREMENT_SHIFT & 1};
    for (uint32_t left = event->group; left; left &= left - 1) {
        const unsigned lane = lowest(left);
        copy.to[lane] = (uint32_t)event->value[lane];
        copy.bytes[lane] = (uint8_t)(event->value[lane] >> BYTES_SHIFT);
    }
    return copy;
}

/* The lane whose source says which array the copy is of: one that reads, if any does. */
static unsigned lane_of_site(const struct async_copy *copy, uint32_t group)
{
    for (uint32_t left = group; left; left &= left - 1)
        if (copy->bytes[lowest(left)])
            return lowest(left);
    return lowest(group);
}

void async_copies_emit(struct warp *warp, const struct merged_event *event)
{
    const uint64_t meta = event->meta;
    const uint32_t group = event->group;
    const uintptr_t pc = engine.image_base + (meta & UINT32_MAX);
    const struct async_copy copy = copy_of(event);
    uint64_t addr[WARP_LANES] = {0};
    warp_add_work(warp, event->addr, group, pc);
    for (uint32_t left = group; left; left &= left - 1)
        addr[lowest(left)] = event->addr[lowest(left)] & EVENT_ADDR_MASK;
    const uint64_t source = addr[lane_of_site(&copy, group)];
    const uint32_t site = sites_find(meta, source);
    if (engine.failed)
        return;
    struct warp_access access = {
        .addr = addr,
        .active = group,
        .resident = event->resident,
        .block = engine.block_linear,
        .warp = (uint32_t)(warp - engine.warps),
        .site = site,
        .work = warp_take_work(warp, pc),
        .width = (uint8_t)(1U << (meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK)),
        .op = OP_LOAD,
        .space = SPACE_GLOBAL,
        .flags = device_arena.host_arrays ? memory_home_flags(source) : 0,
        .copy = &copy,
    };
    access.loads_left = dependence_find(&warp->recent, &access);
    engine.accesses++;
    const struct trace_copy begins = copy_begins(&access);
    give(&begins);
}

/* Of lanes that leave different numbers of groups the warp waits as the strictest does. */
void async_copies_emit_step(struct warp *warp, const struct merged_event *event)
{
    const uintptr_t pc = engine.image_base + (event->meta & UINT32_MAX);
    uint64_t least = COPY_GROUPS_LEFT_MAX;
    warp_add_work(warp, event->addr, event->group, pc);
    for (uint32_t left = event->group; left; left &= left - 1) {
        const uint64_t groups = event->addr[lowest(left)] & EVENT_ADDR_MASK;
        least = groups < least ? groups : least;
    }
    const enum copy_step step =
        (enum copy_step)(event->meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK);
    give(&(struct trace_copy){.step = step,
                              .block = engine.block_linear,
                              .warp = (uint32_t)(warp - engine.warps),
                              .lanes = event->group,
                              .left = (uint32_t)least,
                              .work = warp_take_work(warp, pc)});
}
