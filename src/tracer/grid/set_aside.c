/* set_aside.c - a block's lanes, stacks and shared memory are copied away and back. All blocks run in the same stacks
 * and the same shared memory, so pointers into them stay right; of a stack only what is in use is copied: some hundred
 * bytes a lane, where stacks of their own for all lanes of a grid would take two pages each.
 */
#include "tracer/grid/set_aside.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/grid/blocks.h"
#include "tracer/engine.h"
#include "tracer/grid/cluster.h"

struct aside {
    struct aside *next; /* of those that are spare */
    size_t room;        /* bytes behind this struct */
    uint32_t block_linear, barriers;
    uint32_t barrier_votes[2], barrier_lanes[2];
    struct block_turn turn;
    struct warp warps[BLOCK_LANES_MAX / WARP_LANES];
    size_t copies_bytes;
    /* Behind this struct; the stacks are those of lanes that wait, in their order. `shared` and `parked` are of others than clusters' blocks,
     * whose shared memory is in the window, and of these alone. */
    struct lane *lanes;
    char *parked, *copies, *shared, *stacks;
};

static bool lane_waits(uint32_t i)
{
    return !(engine.warps[i / WARP_LANES].in_state[LANE_ENDED] >> i % WARP_LANES & 1U);
}

static size_t stack_bytes(void)
{
    size_t all = 0, bytes;
    for (uint32_t i = 0; i < engine.lane_count; i++)
        if (lane_waits(i)) {
            lane_stack_used(&engine.lanes[i], &bytes);
            all += sizeof bytes + bytes;
        }
    return all;
}

/* The number of its bytes, and these: the stack's own note of it is lost when another lane runs there. */
static void take_stack(const struct lane *lane, char **stacks)
{
    size_t bytes;
    const char *used = lane_stack_used(lane, &bytes);
    memcpy(*stacks, &bytes, sizeof bytes);
    memcpy(*stacks + sizeof bytes, used, bytes);
    *stacks += sizeof bytes + bytes;
}

static void bring_stack_back(const struct lane *lane, const char **stacks)
{
    size_t bytes;
    memcpy(&bytes, *stacks, sizeof bytes);
    memcpy((char *)(lane->context + 1) - bytes, *stacks + sizeof bytes, bytes);
    *stacks += sizeof bytes + bytes;
}

/* Kept for the next block: a third of the time went into pages that the system gave anew each time. */
static struct aside *spare;

static struct aside *aside_new(size_t bytes)
{
    struct aside *aside = spare;
    spare = aside ? aside->next : NULL;
    if (aside == NULL || aside->room < bytes) {
        free(aside);
        aside = malloc(sizeof *aside + bytes);
        if (aside)
            aside->room = bytes;
    }
    return aside;
}

static size_t parked_bytes(void)
{
    const size_t warps = (engine.lane_count + WARP_LANES - 1) / WARP_LANES;
    return cluster.count > 1 ? warps * sizeof *parked_events : 0;
}

/* Where its parts are, behind the struct. */
static void lay_out(struct aside *aside, size_t shared_bytes)
{
    aside->lanes = (struct lane *)(aside + 1);
    aside->parked = (char *)(aside->lanes + engine.lane_count);
    aside->copies = aside->parked + parked_bytes();
    aside->shared = aside->copies + aside->copies_bytes;
    aside->stacks = aside->shared + shared_bytes;
}

struct aside *aside_take(void)
{
    const size_t lane_bytes = engine.lane_count * sizeof(struct lane);
    const size_t shared_bytes = cluster.count > 1 ? 0 : spaces_aside_bytes();
    const size_t copies_bytes = async_copies_aside_bytes();
    struct aside *aside =
        aside_new(lane_bytes + parked_bytes() + copies_bytes + shared_bytes + stack_bytes());
    if (aside == NULL) {
        tracer_fail("%s: no memory for blocks that wait for others", engine.kernel);
        return NULL;
    }
    aside->copies_bytes = copies_bytes;
    lay_out(aside, shared_bytes);
    aside->block_linear = engine.block_linear;
    aside->barriers = engine.barriers;
    memcpy(aside->barrier_votes, engine.barrier_votes, sizeof engine.barrier_votes);
    memcpy(aside->barrier_lanes, engine.barrier_lanes, sizeof engine.barrier_lanes);
    memcpy(aside->warps, engine.warps, sizeof engine.warps);
    aside->turn = engine.turn;
    memcpy(aside->lanes, engine.lanes, lane_bytes);
    memcpy(aside->parked, parked_events, parked_bytes());
    async_copies_set_aside(aside->copies);
    if (shared_bytes)
        spaces_set_aside(aside->shared);
    char *stacks = aside->stacks;
    for (uint32_t i = 0; i < engine.lane_count; i++)
        if (lane_waits(i))
            take_stack(&engine.lanes[i], &stacks);
    for (uint32_t i = 0; i < engine.lane_count; i++)
        engine.lanes[i].is_at_grid_barrier = false; /* the next block's are not */
    lane_free_stacks();
    return aside;
}

void aside_bring_back(struct aside *aside)
{
    const char *stacks = aside->stacks;
    block_choose(aside->block_linear);
    engine.barriers = aside->barriers;
    memcpy(engine.barrier_votes, aside->barrier_votes, sizeof engine.barrier_votes);
    memcpy(engine.barrier_lanes, aside->barrier_lanes, sizeof engine.barrier_lanes);
    memcpy(engine.warps, aside->warps, sizeof engine.warps);
    memcpy(engine.lanes, aside->lanes, engine.lane_count * sizeof(struct lane));
    engine.turn = aside->turn;
    memcpy(parked_events, aside->parked, parked_bytes());
    async_copies_bring_back(aside->copies, aside->copies_bytes);
    if (cluster.count == 1)
        spaces_bring_back(aside->shared);
    for (uint32_t i = 0; i < engine.lane_count; i++)
        if (lane_waits(i))
            bring_stack_back(&engine.lanes[i], &stacks);
    lane_take_stacks(engine.lane_count);
    aside_free(aside);
}

/* Its lane waits at what has changed: at a phase that has ended; at a cuda::barrier, which was the block's, to which another block has come. */
static bool may_go_on(struct aside *aside, uint32_t i)
{
    struct warp *warp = &aside->warps[i / WARP_LANES];
    const struct lane *lane = &aside->lanes[i];
    const uint32_t bit = 1U << i % WARP_LANES;
    if (lane->awaits && warp->in_state[LANE_BARRIER] & bit && !lane->awaits->of_block)
        warp_set_state(warp, bit, LANE_AWAITS);
    return warp->in_state[LANE_AWAITS] & bit &&
           (lane->awaits->phase > lane->awaited_phase || lane->gives_up);
}

bool aside_can_go_on(struct aside *aside)
{
    bool some = false;
    for (uint32_t i = 0; i < engine.lane_count; i++)
        some |= may_go_on(aside, i);
    return some;
}

bool aside_give_up(struct aside *aside)
{
    bool some = false;
    for (uint32_t i = 0; i < engine.lane_count; i++)
        if (aside->warps[i / WARP_LANES].in_state[LANE_AWAITS] >> i % WARP_LANES & 1U)
            some |= aside->lanes[i].gives_up = aside->lanes[i].only_tests;
    return some;
}

void aside_free(struct aside *aside)
{
    if (aside == NULL)
        return;
    aside->next = spare;
    spare = aside;
}
