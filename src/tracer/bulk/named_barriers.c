/* named_barriers.c - bar.sync and bar.arrive of PTX: the 16 barriers of a block, of some of its threads.
 *
 * Barrier 0 of all threads is the block's (__syncthreads). Of any other the phases are told as those of a barrier in shared memory are, at
 * addresses behind it.
 */
#include "tracer/bulk/named_barriers.h"

#include "stream/limits.h"
#include "tracer/bulk/bulk_events.h"
#include "tracer/grid/cluster.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { COUNT = NAMED_BARRIERS_END - NAMED_BARRIERS_AT, BYTES = 8, NAMED = COUNT / BYTES };

void wl_named_barrier(unsigned number, unsigned threads, bool waits);

/* By the rank of their block in its cluster. */
static struct mbarrier barriers[CLUSTER_BLOCKS_MAX][NAMED];

void named_barriers_block(void)
{
    for (unsigned i = 0; i < NAMED; i++)
        barriers[cluster.rank][i] = (struct mbarrier){
            .is_none = "a wait at a named barrier (bar.sync, barrier.sync) to which fewer threads "
                       "have come than it is of"};
}

static void check(unsigned number, unsigned threads, uintptr_t pc)
{
    if (engine.is_cooperative)
        engine_fail_lane(pc, "a named barrier (bar.sync, bar.arrive) in a cooperative launch "
                             "cannot run under warplens: use barriers in shared memory (mbarrier)");
    if (number >= NAMED)
        engine_fail_lane(pc, "named barrier %u: there are 0 to %d", number, NAMED - 1);
    if (threads % WARP_LANES || threads > engine.lane_count)
        engine_fail_lane(pc,
                         "named barrier %u of %u threads, in a block of %u: allowed are multiples "
                         "of %d, up to the block",
                         number, threads, engine.lane_count, WARP_LANES);
    const struct mbarrier *b = &barriers[cluster.rank][number];
    if (b->pending && b->expected != threads)
        engine_fail_lane(pc, "named barrier %u of %u threads, at which others wait for %u", number,
                         threads, b->expected);
}

static void arrive(struct mbarrier *b, unsigned threads)
{
    if (b->pending == 0)
        b->pending = b->expected = threads;
    b->told++;
    if (--b->pending)
        return;
    b->ended[b->phase & 1] = b->told;
    b->told = 0;
    b->phase++;
}

/* `threads`: 0 for all of the block. */
WORK_COST_1 void wl_named_barrier(unsigned number, unsigned threads, bool waits)
{
    const uintptr_t pc = RETURN_ADDRESS;
    threads = threads ? threads : engine.lane_count;
    if (number == 0 && threads == engine.lane_count && waits) {
        intrinsics_wait_for_block(pc);
        return;
    }
    check(number, threads, pc);
    struct mbarrier *b = &barriers[cluster.rank][number];
    const uint32_t at = NAMED_BARRIERS_AT + BYTES * number, phase = b->phase;
    bulk_events_arrive(at, phase, 1, pc);
    arrive(b, threads);
    if (!waits)
        return;
    mbarriers_await(b, phase, pc);
    bulk_events_wait(at, phase, b->phase - phase <= 2 ? b->ended[phase & 1] : 0, 0, pc);
}
