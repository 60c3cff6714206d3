/* sim_queue.c - warps that wait for an SM's load/store unit: first come, first served, but schedulers
 * prefer a warp that has just stored for its next store.
 */
#include "sim/time/sim_warp.h"

/* That was so long ago at most: an estimate. */
enum { GREEDY_CYCLES = 32 };

/* Behind which one such a warp waits: one of each other scheduler is in front. */
static uint32_t place_of_next(const struct sim *sim, const struct sm_unit *sm)
{
    uint32_t behind = sm->queue_first;
    for (uint32_t i = 2; i < SM_SCHEDULERS && behind != sm->queue_last; i++)
        behind = sim->queue_next[behind];
    return behind;
}

static void insert(struct sim *sim, struct sm_unit *sm, uint32_t index, uint32_t behind)
{
    const bool is_last = behind == sm->queue_last;
    sim->queue_next[index] = is_last ? SM_UNIT_NOBODY : sim->queue_next[behind];
    sim->queue_next[behind] = index;
    if (is_last)
        sm->queue_last = index;
}

void sim_wait_for_unit(struct sim *sim, struct sm_unit *sm, uint32_t index, bool stores)
{
    const uint64_t stored = sim->queued[index];
    const bool goes_on = stores && stored + ticks_of_cycles(GREEDY_CYCLES) >= sim->now;
    sim->warps[index].state = WARP_QUEUED;
    sim->queued[index] = sim->now;
    if (sm->queue_first != SM_UNIT_NOBODY) {
        insert(sim, sm, index, goes_on ? place_of_next(sim, sm) : sm->queue_last);
        return;
    }
    sim->queue_next[index] = SM_UNIT_NOBODY;
    sm->queue_first = sm->queue_last = index;
}

void sim_hand_over(struct sim *sim, struct sm_unit *sm)
{
    const uint32_t index = sm->queue_first;
    sm->owner = index;
    if (index == SM_UNIT_NOBODY)
        return;
    sm->queue_first = sim->queue_next[index];
    sim->warps[index].state = WARP_GRANTED;
    sim_go_on_at(sim, index, sm->lsu.free_at);
}
