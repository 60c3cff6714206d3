/* cluster.c - a launch with clusters: the blocks of one are alive together, one cluster runs after another. And the barrier of a cluster.
 *
 * Decisions. A block runs until all its threads wait for what another block has to do, or have ended; then the next one runs. Which order
 * hardware chooses is not known: a kernel whose result depends on it has a race. The barrier of a cluster is one that a thread arrives at
 * and waits for, as the hardware's in shared memory are (mbarriers.c), and a stream has it as one of its block's own arrivals, at an
 * address that no array has. Threads that have ended are not waited for (PTX ISA, "barrier.cluster").
 */
#include "tracer/grid/cluster.h"

#include <stdlib.h>

#include "tracer/bulk/bulk_events.h"
#include "tracer/grid/blocks.h"
#include "tracer/grid/held_steps.h"
#include "stream/limits.h"
#include "tracer/grid/set_aside.h"
#include "tracer/runtime/runtime.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

struct cluster cluster = {.size = {1, 1, 1}, .count = 1};

/* By rank: blocks that wait; NULL: it runs, has ended, or not begun. */
static struct aside *asides[CLUSTER_BLOCKS_MAX];

void cluster_launch(dim3 size)
{
    cluster.size = size;
    cluster.count = size.x * size.y * size.z;
    cluster.rank = 0;
}

static void begin_barrier(void)
{
    const uint32_t threads = cluster.count * engine.lane_count;
    cluster.barrier = (struct mbarrier){.expected = threads, .pending = threads};
    for (uint32_t rank = 0; rank < cluster.count; rank++) {
        cluster.blocks[rank] = BLOCK_TO_COME;
        cluster.live[rank] = engine.lane_count;
        cluster.told[rank][0] = cluster.told[rank][1] = 0;
        cluster.waited[rank] = cluster.touched[rank].step = cluster.arrived[rank].step = 0;
    }
    cluster.steps = 0;
}

void cluster_alone(void)
{
    begin_barrier();
    cluster.rank = 0;
    cluster.blocks[0] = BLOCK_ALIVE;
}

/* ---- The barrier ---------------------------------------------------------------------------------- */

static uint32_t live_lanes(void)
{
    uint32_t ended = 0;
    for (uint32_t i = 0; i < engine.lane_count; i += WARP_LANES)
        ended += (uint32_t)__builtin_popcount(engine.warps[i / WARP_LANES].in_state[LANE_ENDED]);
    return (engine.lane_count + WARP_LANES - 1) / WARP_LANES * WARP_LANES - ended;
}

static void end_phase(void)
{
    struct mbarrier *b = &cluster.barrier;
    b->phase++;
    b->pending = b->expected;
    for (uint32_t rank = 0; rank < cluster.count; rank++)
        cluster.told[rank][b->phase & 1] = 0;
}

bool cluster_settle(void)
{
    struct mbarrier *b = &cluster.barrier;
    const uint32_t arrived = b->expected - b->pending;
    uint32_t live = 0;
    cluster.live[cluster.rank] =
        cluster.blocks[cluster.rank] == BLOCK_ALIVE && asides[cluster.rank] == NULL
            ? live_lanes()
            : cluster.live[cluster.rank];
    for (uint32_t rank = 0; rank < cluster.count; rank++)
        live += cluster.live[rank];
    if (arrived == 0 || arrived < live)
        return false;
    end_phase();
    return true;
}

void cluster_needs(uintptr_t pc)
{
    if (engine.current && !runtime_limits()->properties.clusterLaunch)
        engine_fail_lane(pc, "thread block clusters need sm_90 or later (Hopper: H100, H200): name "
                             "such a GPU with --gpu");
}

static void arrive(uintptr_t pc)
{
    cluster_needs(pc);
    struct mbarrier *b = &cluster.barrier;
    struct lane *lane = engine.current;
    if (lane->cluster_phase == b->phase + 1)
        engine_fail_lane(pc,
                         "two arrivals of a thread at the barrier of the cluster without a wait "
                         "between them: barrier_wait() (barrier.cluster.wait) comes first");
    lane->cluster_phase = b->phase + 1;
    cluster.told[cluster.rank][b->phase & 1]++;
    bulk_events_arrive(CLUSTER_BARRIER_ADDRESS, b->phase, 1, pc);
    if (--b->pending == 0)
        end_phase();
}

static void wait(uintptr_t pc)
{
    struct lane *lane = engine.current;
    if (lane->cluster_phase == 0)
        engine_fail_lane(pc, "a wait at the barrier of the cluster at which the thread has not "
                             "arrived: barrier_arrive() (barrier.cluster.arrive) comes first");
    const uint32_t phase = lane->cluster_phase - 1;
    lane->awaits = &cluster.barrier;
    lane->awaited_phase = phase;
    lane->only_tests = lane->gives_up = false;
    while (cluster.barrier.phase <= phase)
        lane_stop(LANE_AWAITS, pc);
    lane->awaits = NULL;
    lane->cluster_phase = 0;
    bulk_events_wait(CLUSTER_BARRIER_ADDRESS, phase, cluster.told[cluster.rank][phase & 1], 0, pc);
}

/* ---- Blocks ---------------------------------------------------------------------------------------- */

/* The linear number of the block of that rank, of the cluster that is number `number` of the grid. */
static uint32_t block_of(uint32_t number, uint32_t rank)
{
    const dim3 grid = engine_indices.grid_dim, size = cluster.size;
    const uint32_t across = grid.x / size.x, down = grid.y / size.y;
    const uint32_t x = number % across * size.x + rank % size.x;
    const uint32_t y = number / across % down * size.y + rank / size.x % size.y;
    const uint32_t z = number / across / down * size.z + rank / size.x / size.y;
    return x + grid.x * (y + grid.y * z);
}

/* Nothing makes the block wait for an access by another one: the phase of the cluster's barrier that the other was in has not ended, and
 * it has waited at no barrier of its own since. */
static bool is_loose(uint32_t rank, const struct cluster_touch *t)
{
    return t->step && cluster.barrier.phase <= t->phase && cluster.waited[rank] < t->step;
}

/* A block has returned. Its memory may have been another block's by then where it does not wait for the others' accesses. */
static void check_end(uint32_t rank)
{
    const struct cluster_touch *t = &cluster.touched[rank], *arrival = &cluster.arrived[rank];
    if (!engine.failed && is_loose(rank, arrival)) {
        block_choose(arrival->block);
        cluster_count_arrival(rank, "returns from the kernel without waiting for it",
                              arrival->thread, arrival->pc);
    }
    if (engine.failed || !is_loose(rank, t))
        return;
    block_choose(t->block);
    engine_fail_place(t->pc, t->thread,
                      "access to the shared memory of block %u of the cluster, which returns from "
                      "the kernel without waiting for it: its memory may be another block's by "
                      "then; let all wait at a cluster.sync() before they return",
                      rank);
}

static void run_block(uint32_t number, uint32_t rank)
{
    cluster.rank = rank;
    if (cluster.blocks[rank] == BLOCK_TO_COME) {
        cluster.blocks[rank] = BLOCK_ALIVE;
        block_choose(block_of(number, rank));
        block_begin();
    } else {
        aside_bring_back(asides[rank]);
        asides[rank] = NULL;
        cluster_window_take();
    }
    if (block_go_on() == BLOCK_AWAITS_OTHERS) {
        cluster.live[rank] = live_lanes();
        cluster_window_put();
        asides[rank] = aside_take();
    } else {
        check_end(rank);
        cluster.blocks[rank] = BLOCK_GONE;
        cluster.live[rank] = 0;
        held_block_ended(engine.block_linear);
    }
}

/* Each block that can go on; false: none can. */
static bool run_round(uint32_t number, bool *alive)
{
    bool moved = false;
    *alive = false;
    for (uint32_t rank = 0; rank < cluster.count && !engine.failed; rank++) {
        if (cluster.blocks[rank] == BLOCK_GONE)
            continue;
        *alive = true;
        if (cluster.blocks[rank] == BLOCK_ALIVE && !aside_can_go_on(asides[rank]))
            continue;
        run_block(number, rank);
        moved = true;
    }
    return moved;
}

/* No block can: those that only test a barrier go on without, or the launch has failed. */
static bool give_up(void)
{
    uint32_t stuck = 0;
    bool some = false;
    while (asides[stuck] == NULL)
        stuck++;
    for (uint32_t rank = stuck; rank < cluster.count; rank++)
        some |= asides[rank] && aside_give_up(asides[rank]);
    if (some && mbarriers_count_in_vain())
        return true;
    cluster.rank = stuck;
    aside_bring_back(asides[stuck]);
    asides[stuck] = NULL;
    mbarriers_fail_stuck();
    return false;
}

static void run_cluster(uint32_t number)
{
    bool alive = true;
    begin_barrier();
    while (alive && !engine.failed)
        if (!run_round(number, &alive) && alive && !engine.failed && !cluster_settle())
            give_up();
    for (uint32_t rank = 0; rank < cluster.count; rank++) {
        aside_free(asides[rank]);
        asides[rank] = NULL;
    }
    cluster_window_clear();
}

void clusters_run(void)
{
    const dim3 grid = engine_indices.grid_dim;
    const uint32_t blocks = grid.x * grid.y * grid.z;
    const struct trace_sink *sink = engine.sink;
    if (!cluster_window_open())
        return;
    const struct trace_sink *held = held_start(sink, blocks);
    if (held) {
        engine.sink = held;
        for (uint32_t i = 0; i < blocks / cluster.count && !engine.failed; i++) {
            run_cluster(i);
            engine.sink = sink;
            if (!engine.failed)
                engine_heed(held_give_ended());
            engine.sink = held;
        }
        engine.sink = sink;
    } else {
        tracer_fail("%s: no memory for %u blocks", engine.kernel, blocks);
    }
    held_free();
}

/* ---- What kernels call (warplens/cuda_cluster.h) --------------------------------------------------------- */

void wl_cluster_arrive(void);
void wl_cluster_wait(void);
void wl_cluster_sync(void);
unsigned wl_cluster_value(unsigned which);

WORK_COST_1 void wl_cluster_arrive(void)
{
    arrive(RETURN_ADDRESS);
}

WORK_COST_1 void wl_cluster_wait(void)
{
    wait(RETURN_ADDRESS);
}

WORK_COST_2 void wl_cluster_sync(void)
{
    arrive(RETURN_ADDRESS);
    wait(RETURN_ADDRESS);
}

WORK_COST_0 unsigned wl_cluster_value(unsigned which)
{
    const uint3 block = engine_indices.block;
    const dim3 size = cluster.size, grid = engine_indices.grid_dim;
    const unsigned values[] = {
        cluster.rank,     cluster.count,   block.x % size.x, block.y % size.y, block.z % size.z,
        size.x,           size.y,          size.z,           block.x / size.x, block.y / size.y,
        block.z / size.z, grid.x / size.x, grid.y / size.y,  grid.z / size.z};
    return which < sizeof values / sizeof values[0] ? values[which] : 0;
}
