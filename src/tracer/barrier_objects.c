/* barrier_objects.c - cuda::barrier of a block (cuda_barrier.h): arrivals are counted, a wait is the block's barrier.
 *
 * So only barriers of all threads of the block can be, at which all of them wait: then whoever waits has nobody in front of
 * it, and what the trace has is what it has of __syncthreads().
 */
#include "tracer/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

/* As large as the GPU's. */
struct barrier_object {
    uint16_t expected, arrived;
    uint32_t phase; /* how often all have arrived */
};
_Static_assert(sizeof(struct barrier_object) == 8, "cuda_barrier.h has room for 8 bytes");

void wl_barrier_init(struct barrier_object *barrier, long expected);
uint64_t wl_barrier_arrive(struct barrier_object *barrier, long update);
void wl_barrier_wait(const struct barrier_object *barrier, const uint64_t *phase);
void wl_barrier_arrive_and_wait(struct barrier_object *barrier);

static void check_place(const struct barrier_object *barrier, uintptr_t pc)
{
    if (engine.current == NULL ||
        spaces_place(barrier, sizeof *barrier, OP_ATOMIC, pc).space != SPACE_SHARED)
        engine_fail_lane(pc, "a cuda::barrier that is not in shared memory cannot run under "
                             "warplens: declare it __shared__");
}

WORK_COST_1 void wl_barrier_init(struct barrier_object *barrier, long expected)
{
    check_place(barrier, RETURN_ADDRESS);
    if (expected != (long)engine.lane_count)
        engine_fail_lane(RETURN_ADDRESS,
                         "a cuda::barrier of %ld of the block's %u threads cannot run under "
                         "warplens: those of all "
                         "threads can",
                         expected, engine.lane_count);
    *barrier = (struct barrier_object){.expected = (uint16_t)expected};
}

static uint64_t arrive(struct barrier_object *barrier, long update, uintptr_t pc)
{
    const uint32_t phase = barrier->phase;
    if (barrier->expected != engine.lane_count)
        engine_fail_lane(
            pc,
            "a cuda::barrier without init(&barrier, threads) in front of a barrier of the block");
    if (update != 1)
        engine_fail_lane(pc,
                         "%ld arrivals at once at a cuda::barrier cannot run under warplens: each "
                         "thread arrives once",
                         update);
    if (++barrier->arrived == barrier->expected) {
        barrier->arrived = 0;
        barrier->phase++;
    }
    return phase;
}

static void wait(const struct barrier_object *barrier, uint64_t phase, uintptr_t pc)
{
    async_copies_wait_at(barrier, pc);
    engine.warp->last_work[engine.current->index % WARP_LANES] = engine.work;
    engine.work = 0;
    lane_stop(LANE_BARRIER, pc);
    if (barrier->phase == (uint32_t)phase)
        engine_fail_lane(pc,
                         "a wait at a cuda::barrier at which only %u of %u threads have arrived: "
                         "it would never end",
                         barrier->arrived, barrier->expected);
}

WORK_COST_1 uint64_t wl_barrier_arrive(struct barrier_object *barrier, long update)
{
    return arrive(barrier, update, RETURN_ADDRESS);
}

WORK_COST_1 void wl_barrier_wait(const struct barrier_object *barrier, const uint64_t *phase)
{
    wait(barrier, *phase, RETURN_ADDRESS);
}

WORK_COST_1 void wl_barrier_arrive_and_wait(struct barrier_object *barrier)
{
    wait(barrier, arrive(barrier, 1, RETURN_ADDRESS), RETURN_ADDRESS);
}
