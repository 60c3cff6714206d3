/* barrier_objects.c - cuda::barrier of a block (cuda_barrier.h) over the hardware's (bulk/mbarriers.c).
 *
 * One of all threads of the block, to which no bytes come, is the block's barrier: what the trace has of a wait is what it has of
 * __syncthreads(). Any other is waited for phase by phase.
 */
#include "tracer/bulk/bulk_events.h"
#include "tracer/bulk/mbarriers.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

void wl_barrier_init(void *barrier, long expected);
uint64_t wl_barrier_arrive(void *barrier, long update);
uint64_t wl_barrier_arrive_tx(void *barrier, long update, long bytes);
void wl_barrier_drop(void *barrier);
void wl_barrier_wait(const void *barrier, const uint64_t *phase);
void wl_barrier_arrive_and_wait(void *barrier);
void wl_barrier_wait_parity(const void *barrier, bool parity);

WORK_COST_1 void wl_barrier_init(void *barrier, long expected)
{
    const uintptr_t pc = RETURN_ADDRESS;
    if (expected < 0 || expected > MBARRIER_COUNT_MAX)
        engine_fail_lane(pc, "a cuda::barrier of %ld threads; allowed: 1 to %d", expected,
                         MBARRIER_COUNT_MAX);
    mbarriers_make(barrier, (uint32_t)expected, pc)->of_block = expected == (long)engine.lane_count;
}

static uint64_t arrive(void *barrier, long update, uintptr_t pc)
{
    if (update < 1 || update > MBARRIER_COUNT_MAX)
        engine_fail_lane(pc,
                         "%ld arrivals at once at a cuda::barrier; allowed: 1 to what is "
                         "pending",
                         update);
    return mbarriers_arrive(barrier, (uint32_t)update, false, pc);
}

/* The block's barrier, unless bytes come to it while lanes wait. */
static bool waits_as_block(const struct mbarrier *b, const void *barrier, uint32_t phase,
                           uintptr_t pc)
{
    const uint64_t work = engine.work;
    const uint32_t lag = engine.lag;
    if (!b->of_block)
        return false;
    async_copies_wait_at(barrier, pc);
    engine.current->awaits = b;
    engine.current->awaited_phase = phase;
    engine_leave_work();
    lane_stop(LANE_BARRIER, pc);
    engine.current->awaits = NULL;
    if (!b->of_block) {
        engine.work = work;
        engine.lag = lag;
        return false;
    }
    if (b->phase == phase)
        engine_fail_lane(pc,
                         "a wait at a cuda::barrier at which only %u of %u threads have arrived: "
                         "it would never end",
                         b->expected - b->pending, b->expected);
    return true;
}

static void wait(const void *barrier, uint32_t phase, uintptr_t pc)
{
    if (waits_as_block(mbarriers_at(barrier, pc), barrier, phase, pc))
        return;
    async_copies_wait_at(barrier, pc);
    mbarriers_wait(barrier, phase, false, pc);
}

WORK_COST_1 uint64_t wl_barrier_arrive(void *barrier, long update)
{
    return arrive(barrier, update, RETURN_ADDRESS);
}

enum { HOPPER = 9 };

WORK_COST_1 uint64_t wl_barrier_arrive_tx(void *barrier, long update, long bytes)
{
    int major = HOPPER;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    if (major < HOPPER)
        engine_fail_lane(RETURN_ADDRESS, "cuda::device::barrier_arrive_tx needs sm_90 or later: "
                                         "name such a GPU with --gpu");
    mbarriers_expect(barrier, (uint32_t)bytes, RETURN_ADDRESS);
    return arrive(barrier, update, RETURN_ADDRESS);
}

/* Fewer threads from the next phase on: no longer the block's barrier. */
WORK_COST_1 void wl_barrier_drop(void *barrier)
{
    mbarriers_expect(barrier, 0, RETURN_ADDRESS);
    mbarriers_arrive(barrier, 1, true, RETURN_ADDRESS);
}

WORK_COST_1 void wl_barrier_wait(const void *barrier, const uint64_t *phase)
{
    wait(barrier, (uint32_t)*phase, RETURN_ADDRESS);
}

WORK_COST_1 void wl_barrier_arrive_and_wait(void *barrier)
{
    wait(barrier, (uint32_t)arrive(barrier, 1, RETURN_ADDRESS), RETURN_ADDRESS);
}

WORK_COST_1 void wl_barrier_wait_parity(const void *barrier, bool parity)
{
    const struct mbarrier *b = mbarriers_at(barrier, RETURN_ADDRESS);
    const uint32_t phase = (b->phase & 1) == parity ? b->phase : b->phase - 1;
    if (phase != UINT32_MAX)
        wait(barrier, phase, RETURN_ADDRESS);
}
