/* mbarriers.c - see mbarriers.h.
 *
 * Decisions. A try_wait waits: the time that a GPU suspends a thread for is not modelled. So does a test_wait, but where no lane of the
 * block can go on it answers that the phase has not ended, as a program that looks at something else meanwhile wants. Bytes of a copy
 * have come as soon as it is asked for (async_copies.c says why).
 */
#include "tracer/bulk/mbarriers.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/bulk/bulk_events.h"
#include "tracer/grid/cluster.h"
#include "tracer/shared_faults.h"
#include "warplens/cuda.h"

enum { IN_VAIN_MAX = 4096 };
#define TAG                                                                                        \
    0x6d626172U /* in the high half, with the block's number added; the low half has the barrier's */

static struct mbarrier **all; /* their places do not change: lanes wait for them */
static uint32_t count, room, in_vain, generation;

/* Blocks of a cooperative launch or a cluster take turns. What blocks before have left in shared memory names no barrier. */
void mbarriers_block(void)
{
    in_vain = 0;
    if ((engine.is_cooperative && engine.block_linear) || cluster.rank)
        return;
    count = 0;
    generation++;
}

static uint32_t tag(void)
{
    return TAG + generation;
}

static bool is_of_cluster(struct place place)
{
    return (unsigned)place.space == SPACE_CLUSTER;
}

/* What another block can do with a barrier is arrive and bring bytes (PTX ISA, "mbarrier": the others are of shared::cta). */
void mbarriers_check_own(const void *pointer, const char *what, uintptr_t pc)
{
    if (cluster_holds(pointer))
        engine_fail_lane(pc,
                         "%s a barrier in another block's shared memory; allowed there: "
                         "arrivals, expect_tx and bytes; the block's own threads do the rest",
                         what);
}

bool mbarriers_is_own(const struct mbarrier *barrier)
{
    return barrier->block == engine.block_linear;
}

uint32_t mbarriers_address(const void *pointer, uintptr_t pc)
{
    if (engine.current == NULL)
        return 0;
    const struct place place = spaces_place(pointer, BARRIER_BYTES, OP_ATOMIC, pc);
    if (place.space != SPACE_SHARED && !is_of_cluster(place))
        engine_fail_lane(pc, "a barrier (mbarrier, cuda::barrier) that is not in shared memory "
                             "cannot run under warplens: declare it __shared__");
    if ((uintptr_t)pointer % BARRIER_BYTES) {
        engine.error = cudaErrorMisalignedAddress;
        faults_stop_is(&(struct trace_fault){.kind = FAULT_MISALIGNED,
                                             .space = SPACE_SHARED,
                                             .op = OP_ATOMIC,
                                             .width = BARRIER_BYTES});
        engine_fail_lane(pc, "a barrier in shared memory at an address that is no multiple of %d",
                         BARRIER_BYTES);
    }
    return (uint32_t)place.addr % CLUSTER_BLOCK_BYTES;
}

static struct mbarrier *take_slot(uintptr_t pc)
{
    if (count == room) {
        const uint32_t more = 2 * room + 64;
        struct mbarrier **grown = realloc(all, more * sizeof(struct mbarrier *));
        if (grown == NULL)
            engine_fail_lane(pc, "no memory for the barriers of a block");
        memset(grown + room, 0, (more - room) * sizeof(struct mbarrier *));
        all = grown;
        room = more;
    }
    if (all[count] == NULL)
        all[count] = malloc(sizeof(struct mbarrier));
    if (all[count] == NULL)
        engine_fail_lane(pc, "no memory for the barriers of a block");
    return all[count++];
}

struct mbarrier *mbarriers_make(void *pointer, uint32_t arrivals, uintptr_t pc)
{
    mbarriers_check_own(pointer, "an initialisation of", pc);
    mbarriers_address(pointer, pc);
    if (arrivals == 0 || arrivals > MBARRIER_COUNT_MAX)
        engine_fail_lane(pc, "a barrier of %u arrivals; allowed: 1 to %d", arrivals,
                         MBARRIER_COUNT_MAX);
    struct mbarrier *barrier = take_slot(pc);
    const uint64_t word = (uint64_t)tag() << 32 | (count - 1);
    *barrier =
        (struct mbarrier){.expected = arrivals, .pending = arrivals, .block = engine.block_linear};
    memcpy(pointer, &word, sizeof word);
    shared_check(pointer, BARRIER_BYTES, OP_STORE, pc);
    return barrier;
}

struct mbarrier *mbarriers_at(const void *pointer, uintptr_t pc)
{
    uint64_t word;
    mbarriers_address(pointer, pc);
    memcpy(&word, pointer, sizeof word);
    if (word >> 32 != tag() || (uint32_t)word >= count)
        engine_fail_lane(pc,
                         "a barrier in shared memory that is not initialised: mbarrier.init, or "
                         "init(&barrier, count), comes first, and a barrier of the block "
                         "behind it");
    return all[(uint32_t)word];
}

static void end_phase(struct mbarrier *b)
{
    if (b->pending || b->bytes)
        return;
    b->ended[b->phase & 1] = b->told;
    b->ended_bytes[b->phase & 1] = b->told_bytes;
    b->phase++;
    b->pending = b->expected;
    b->told = b->told_bytes = 0;
    in_vain = 0;
}

/* Bytes, or threads that wait elsewhere, make a hardware's barrier of it: lanes that wait at the block's wait for it instead. */
static void leave_block(struct mbarrier *b)
{
    if (!b->of_block)
        return;
    b->of_block = false;
    if (!mbarriers_is_own(b)) /* its lanes are told when they run (grid/set_aside.c) */
        return;
    for (uint32_t i = 0; i < engine.lane_count; i++) {
        struct warp *warp = &engine.warps[i / WARP_LANES];
        const uint32_t bit = 1U << i % WARP_LANES;
        if (warp->in_state[LANE_BARRIER] & bit && engine.lanes[i].awaits == b)
            warp_set_state(warp, bit, LANE_AWAITS);
    }
}

/* Threads that have parted once will again. */
void mbarriers_leave_block(void)
{
    for (uint32_t i = 0; i < count; i++)
        if (mbarriers_is_own(all[i]))
            leave_block(all[i]);
}

/* Another block's; NULL when that has returned. */
static struct mbarrier *arrive_far(const void *pointer, uintptr_t pc)
{
    const uint32_t rank = cluster_rank_at(pointer);
    if (rank >= cluster.count || engine.current == NULL)
        return mbarriers_at(pointer, pc); /* which refuses it */
    if (cluster.blocks[rank] == BLOCK_GONE) {
        cluster_count_arrival(rank, "has returned from the kernel", engine.current->thread, pc);
        return NULL;
    }
    const struct cluster_touch before = cluster.touched[rank];
    struct mbarrier *b = mbarriers_at(pointer, pc);
    cluster.arrived[rank] = cluster.touched[rank];
    cluster.touched[rank] = before;
    return b;
}

uint32_t mbarriers_arrive(const void *pointer, uint32_t arrivals, bool drops, uintptr_t pc)
{
    struct mbarrier *b =
        cluster_holds(pointer) ? arrive_far(pointer, pc) : mbarriers_at(pointer, pc);
    if (b == NULL)
        return 0;
    const uint32_t phase = b->phase;
    if (arrivals == 0 || arrivals > b->pending)
        engine_fail_lane(pc,
                         "%u arrivals at a barrier of which %u of %u are pending: a thread arrives "
                         "once a phase, unless the barrier expects more of it",
                         arrivals, b->pending, b->expected);
    if (!mbarriers_is_own(b))
        leave_block(b);
    if (!b->of_block && mbarriers_is_own(b)) {
        b->told += arrivals;
        bulk_events_arrive(mbarriers_address(pointer, pc), phase, arrivals, pc);
    }
    b->pending -= arrivals;
    if (drops) /* PTX ISA, mbarrier.arrive_drop: of the phases behind this one */
        b->expected -= arrivals;
    end_phase(b);
    return phase;
}

void mbarriers_expect(const void *pointer, uint32_t bytes, uintptr_t pc)
{
    struct mbarrier *b = mbarriers_at(pointer, pc);
    leave_block(b);
    if (bytes > MBARRIER_COUNT_MAX || b->bytes + bytes > MBARRIER_COUNT_MAX)
        engine_fail_lane(pc, "a barrier that expects %lld bytes; allowed: up to %d in a phase",
                         (long long)b->bytes + bytes, MBARRIER_COUNT_MAX);
    b->bytes += bytes;
}

uint32_t mbarriers_complete(const void *pointer, uint32_t bytes, uintptr_t pc)
{
    struct mbarrier *b = mbarriers_at(pointer, pc);
    const uint32_t phase = b->phase;
    leave_block(b);
    b->bytes -= bytes;
    b->told_bytes += mbarriers_is_own(b) ? bytes : 0;
    if (b->bytes < -(int64_t)MBARRIER_COUNT_MAX)
        engine_fail_lane(pc,
                         "a barrier to which %lld bytes have come that it does not expect: "
                         "expect_tx says how many a phase has",
                         -(long long)b->bytes);
    end_phase(b);
    return phase;
}

static void await(const struct mbarrier *b, uint32_t phase, bool tests, uintptr_t pc)
{
    struct lane *lane = engine.current;
    lane->awaits = b;
    lane->awaited_phase = phase;
    lane->only_tests = tests;
    lane->gives_up = false;
    while (b->phase <= phase && !lane->gives_up)
        lane_stop(LANE_AWAITS, pc);
    lane->awaits = NULL;
}

void mbarriers_await(const struct mbarrier *barrier, uint32_t phase, uintptr_t pc)
{
    await(barrier, phase, false, pc);
}

bool mbarriers_wait(const void *pointer, uint32_t phase, bool tests, uintptr_t pc)
{
    mbarriers_check_own(pointer, "a wait at", pc);
    const struct mbarrier *b = mbarriers_at(pointer, pc);
    await(b, phase, tests, pc);
    if (b->phase <= phase)
        return false;
    cluster.waited[cluster.rank] = cluster.steps;
    const unsigned bit = phase & 1;
    const bool is_latest = b->phase - phase <= 2;
    bulk_events_wait(mbarriers_address(pointer, pc), phase, is_latest ? b->ended[bit] : 0,
                     is_latest ? b->ended_bytes[bit] : 0, pc);
    return true;
}

bool mbarriers_wake(struct warp *warp)
{
    uint32_t ready = 0;
    for (uint32_t left = warp->in_state[LANE_AWAITS]; left; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        const struct lane *lane = &warp->lanes[i];
        if (lane->awaits->phase > lane->awaited_phase || lane->gives_up)
            ready |= 1U << i;
    }
    if (ready)
        warp_set_state(warp, ready, LANE_READY);
    return ready != 0;
}

static void fail_stuck(const struct lane *waiting)
{
    const struct mbarrier *b = waiting->awaits;
    faults_stop_is(&(struct trace_fault){.kind = FAULT_BARRIER_NOT_REACHED, .array = ""});
    if (b == &cluster.barrier)
        engine_fail_barrier(waiting,
                            "a barrier of the cluster at which only %u of its %u threads have "
                            "arrived: it would never end; all threads that have not returned "
                            "arrive at it",
                            b->expected - b->pending, b->expected);
    else if (b->is_none)
        engine_fail_barrier(waiting, "%s: it would never end", b->is_none);
    else if (b->pending)
        engine_fail_barrier(waiting,
                            "a wait at a barrier in shared memory at which only %u of %u have "
                            "arrived: it would never end",
                            b->expected - b->pending, b->expected);
    else
        engine_fail_barrier(waiting,
                            b->bytes > 0
                                ? "a wait at a barrier in shared memory that expects %lld bytes "
                                  "more than copies bring: it would never end"
                                : "a wait at a barrier in shared memory to which %lld bytes have "
                                  "come that no expect_tx has announced: it would never end",
                            b->bytes > 0 ? (long long)b->bytes : -(long long)b->bytes);
}

bool mbarriers_count_in_vain(void)
{
    return in_vain++ < IN_VAIN_MAX;
}

void mbarriers_fail_stuck(void)
{
    uint32_t i = 0;
    while (!(engine.warps[i / WARP_LANES].in_state[LANE_AWAITS] >> i % WARP_LANES & 1U))
        i++;
    fail_stuck(&engine.lanes[i]);
}

bool mbarriers_give_up(void)
{
    struct lane *waiting = NULL;
    bool some = false;
    for (uint32_t i = 0; i < engine.lane_count; i++) {
        struct lane *lane = &engine.lanes[i];
        if (!(engine.warps[i / WARP_LANES].in_state[LANE_AWAITS] >> i % WARP_LANES & 1U))
            continue;
        waiting = waiting ? waiting : lane;
        some |= lane->gives_up = lane->only_tests && in_vain < IN_VAIN_MAX;
    }
    in_vain++;
    if (!some)
        fail_stuck(waiting);
    return some;
}
