/* intrinsics.c - what a kernel calls besides memory: indices, barriers, shuffles, votes, the clock.
 */
#include <time.h>

#include "tracer/engine.h"
#include "tracer/matrix/matrices.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

void intrinsics_wait_for_block(uintptr_t pc)
{
    engine_leave_work();
    lane_stop(LANE_BARRIER, pc);
}

WORK_COST_1 void wl_syncthreads(void)
{
    intrinsics_wait_for_block(RETURN_ADDRESS);
}

WORK_COST_1 bool wl_grid_is_valid(void)
{
    return engine.is_cooperative;
}

WORK_COST_1 void wl_grid_sync(void)
{
    if (!engine.is_cooperative)
        engine_fail_lane(RETURN_ADDRESS, "barrier of the grid in a launch that is not cooperative: "
                                         "launch with cudaLaunchCooperativeKernel");
    struct lane *lane = engine.current;
    lane->is_at_grid_barrier = true;
    engine_leave_work();
    lane_stop(LANE_BARRIER, RETURN_ADDRESS);
    lane->is_at_grid_barrier = false;
}

WORK_COST_1 long wl_clock(void)
{
    if (engine.current ==
        NULL) /* the C library's: in parentheses, as cuda.h has a macro of that name */
        return (long)(clock)();
    engine.depends_on_more = true;
    return (long)(engine.current->context->events + engine_events());
}

uint64_t warp_op_run(uintptr_t pc, struct warp_op op)
{
    struct lane_context *context = engine.current->context;
    context->op = op;
    hooks_push(EVENT_WARP_OP, true, 0, pc);
    lane_stop(LANE_TURN, pc);
    return context->op.result;
}

WORK_COST_1 uint64_t wl_shuffle(enum wl_shuffle mode, unsigned mask, uint64_t bits, unsigned lane,
                                unsigned width)
{
    if (width == 0 || width > WARP_LANES || (width & (width - 1)))
        engine_fail_lane(RETURN_ADDRESS, "shuffle width %u: 1, 2, 4, 8, 16 or 32 is possible",
                         width);
    return warp_op_run(RETURN_ADDRESS, (struct warp_op){.kind = WARP_OP_SHUFFLE,
                                                        .mode = mode,
                                                        .mask = mask,
                                                        .lane = lane,
                                                        .width = width,
                                                        .value = bits});
}

WORK_COST_1 unsigned wl_ballot(unsigned mask, int predicate)
{
    return (unsigned)warp_op_run(
        RETURN_ADDRESS,
        (struct warp_op){.kind = WARP_OP_BALLOT, .mask = mask, .value = predicate != 0});
}

/* The lanes that are converged here: a vote of those that are, waiting for nobody. */
WORK_COST_1 unsigned wl_activemask(void)
{
    return (unsigned)warp_op_run(RETURN_ADDRESS,
                                 (struct warp_op){.kind = WARP_OP_BALLOT, .value = 1});
}

WORK_COST_1 void wl_syncwarp(void)
{
    warp_op_run(RETURN_ADDRESS, (struct warp_op){.kind = WARP_OP_SYNC, .mask = UINT32_MAX});
}

/* The lane a shuffle reads: itself when the source is outside its segment. */
static unsigned shuffle_source(const struct warp_op *op, unsigned lane)
{
    unsigned segment = lane & ~(op->width - 1), source = lane;
    switch ((enum wl_shuffle)op->mode) {
    case WL_SHFL_IDX:
        return segment | (op->lane & (op->width - 1));
    case WL_SHFL_UP:
        source = lane - op->lane;
        return op->lane <= lane - segment ? source : lane;
    case WL_SHFL_DOWN:
        source = lane + op->lane;
        return op->lane < segment + op->width - lane ? source : lane;
    case WL_SHFL_XOR:
        source = lane ^ op->lane;
        return source < segment + op->width ? source : lane;
    }
    return lane;
}

void warp_resolve(struct lane *lanes, uint32_t group)
{
    if (lanes[__builtin_ctz(group)].context->op.kind == WARP_OP_MATRIX) {
        matrices_resolve(lanes, group);
        return;
    }
    for (uint32_t left = group; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        struct warp_op *op = &lanes[i].context->op;
        if (op->kind == WARP_OP_SHUFFLE) {
            unsigned source = shuffle_source(op, i) % WARP_LANES;
            op->result = lanes[group >> source & 1U ? source : i].context->op.value;
        } else {
            op->result = warp_op_vote(lanes, group, i);
        }
    }
}
