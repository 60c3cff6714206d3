/* votes.c - what lanes of a warp, or of a block, find out about each other's values: votes, matches,
 * reductions, and barriers that count.
 */
#include "tracer/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static uint64_t value_of(const struct lane *lanes, unsigned lane)
{
    return lanes[lane].context->op.value;
}

static uint64_t reduce_two(enum wl_reduction how, uint64_t a, uint64_t b)
{
    switch (how) {
    case WL_REDUCE_ADD:
        return a + b;
    case WL_REDUCE_MIN:
        return (int64_t)a < (int64_t)b ? a : b;
    case WL_REDUCE_MAX:
        return (int64_t)a > (int64_t)b ? a : b;
    case WL_REDUCE_AND:
        return a & b;
    case WL_REDUCE_OR:
        return a | b;
    case WL_REDUCE_XOR:
        return a ^ b;
    }
    return a;
}

/* Over the lanes of the group, in lane order. */
static uint64_t reduce(const struct lane *lanes, uint32_t group, enum wl_reduction how)
{
    uint64_t result = value_of(lanes, (unsigned)__builtin_ctz(group));
    for (uint32_t left = group & (group - 1); left; left &= left - 1)
        result = reduce_two(how, result, value_of(lanes, (unsigned)__builtin_ctz(left)));
    return result;
}

static uint32_t lanes_with(const struct lane *lanes, uint32_t group, uint64_t value)
{
    uint32_t same = 0;
    for (uint32_t left = group; left; left &= left - 1)
        same |= (uint32_t)(value_of(lanes, (unsigned)__builtin_ctz(left)) == value)
                << __builtin_ctz(left);
    return same;
}

uint64_t warp_op_vote(const struct lane *lanes, uint32_t group, unsigned lane)
{
    const struct warp_op *op = &lanes[lane].context->op;
    uint32_t named = op->mask ? group & op->mask : group;
    uint32_t same = lanes_with(lanes, named, op->value);
    switch (op->kind) {
    case WARP_OP_BALLOT:
        return lanes_with(lanes, group, 1);
    case WARP_OP_MATCH_ANY:
        return same;
    case WARP_OP_MATCH_ALL:
        return same == named ? same : 0;
    case WARP_OP_REDUCE:
        return reduce(lanes, named ? named : group, (enum wl_reduction)op->mode);
    default:
        return 0;
    }
}

WORK_COST_1 int wl_any(unsigned mask, int predicate)
{
    struct warp_op op = {.kind = WARP_OP_BALLOT, .mask = mask, .value = predicate != 0};
    return warp_op_run(RETURN_ADDRESS, op) != 0;
}

WORK_COST_1 int wl_all(unsigned mask, int predicate)
{
    struct warp_op op = {.kind = WARP_OP_BALLOT, .mask = mask, .value = predicate == 0};
    return warp_op_run(RETURN_ADDRESS, op) == 0;
}

WORK_COST_1 unsigned wl_ballot_here(int predicate)
{
    struct warp_op op = {.kind = WARP_OP_BALLOT, .value = predicate != 0};
    return (unsigned)warp_op_run(RETURN_ADDRESS, op);
}

WORK_COST_1 int wl_any_here(int predicate)
{
    struct warp_op op = {.kind = WARP_OP_BALLOT, .value = predicate != 0};
    return warp_op_run(RETURN_ADDRESS, op) != 0;
}

WORK_COST_1 int wl_all_here(int predicate)
{
    struct warp_op op = {.kind = WARP_OP_BALLOT, .value = predicate == 0};
    return warp_op_run(RETURN_ADDRESS, op) == 0;
}

WORK_COST_2 unsigned wl_match_any(unsigned mask, uint64_t value)
{
    struct warp_op op = {.kind = WARP_OP_MATCH_ANY, .mask = mask, .value = value};
    return (unsigned)warp_op_run(RETURN_ADDRESS, op);
}

WORK_COST_2 unsigned wl_match_all(unsigned mask, uint64_t value)
{
    struct warp_op op = {.kind = WARP_OP_MATCH_ALL, .mask = mask, .value = value};
    return (unsigned)warp_op_run(RETURN_ADDRESS, op);
}

WORK_COST_2 int64_t wl_reduce(enum wl_reduction how, unsigned mask, int64_t value)
{
    struct warp_op op = {
        .kind = WARP_OP_REDUCE, .mode = how, .mask = mask, .value = (uint64_t)value};
    return (int64_t)warp_op_run(RETURN_ADDRESS, op);
}

WORK_COST_1 void wl_syncwarp_mask(unsigned mask)
{
    warp_op_run(RETURN_ADDRESS, (struct warp_op){.kind = WARP_OP_SYNC, .mask = mask});
}

/* ---- Barriers that count ----------------------------------------------------------------------- */

/* Every other barrier has counters of its own: those of the one before may still be asked for. */
static unsigned vote_at_barrier(int predicate, uintptr_t pc)
{
    unsigned which = engine.barriers % 2;
    engine.barrier_votes[which] += predicate != 0;
    engine.barrier_lanes[which]++;
    engine_leave_work();
    lane_stop(LANE_BARRIER, pc);
    return which;
}

WORK_COST_1 int wl_syncthreads_count(int predicate)
{
    return (int)engine.barrier_votes[vote_at_barrier(predicate, RETURN_ADDRESS)];
}

WORK_COST_1 int wl_syncthreads_or(int predicate)
{
    return engine.barrier_votes[vote_at_barrier(predicate, RETURN_ADDRESS)] != 0;
}

WORK_COST_1 int wl_syncthreads_and(int predicate)
{
    unsigned which = vote_at_barrier(predicate, RETURN_ADDRESS);
    return engine.barrier_votes[which] == engine.barrier_lanes[which];
}
