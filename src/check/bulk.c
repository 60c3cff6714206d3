/* bulk.c - bulk copies and barriers in shared memory: what an arrival makes visible, and a copy's bytes, is known behind a wait for their
 * phase.
 *
 * A copy is its thread's loads and stores at the moment in which it is asked for, 16 bytes each; what it brings is released at its barrier
 * then. What goes to another block of a cluster is looked at where it comes from alone. So other threads' accesses without a wait are found; the thread's own are not, nor stores without their fence of proxies.
 */
#include "check/checker.h"

#include "sim/rules/bulk_copy.h"
#include "stream/limits.h"

enum { UNIT = 16 };

static uint32_t thread_of(uint32_t warp, unsigned lane)
{
    return WARP_LANES * warp + lane;
}

/* One side of the copy, from an address on. */
static void touch(struct checker *c, const struct warp_access *a, enum mem_space space,
                  enum mem_op op, uint64_t from, uint64_t bytes)
{
    struct warp_access side = *a;
    side.bulk = NULL;
    side.flags &= (uint8_t)~ACCESS_CLUSTER;
    side.space = (uint8_t)space;
    side.op = (uint8_t)op;
    for (uint64_t at = from & ~(uint64_t)(UNIT - 1); at < from + bytes; at += UNIT) {
        side.base = at;
        if (space == SPACE_SHARED)
            copies_access(c, &side);
        checker_access(c, &side);
    }
}

static void begin(struct checker *c, const struct warp_access *a)
{
    const bool no_values = c->limits.no_values;
    const unsigned lane = (unsigned)__builtin_ctz(a->active);
    struct bulk_pieces pieces;
    struct bulk_piece piece;
    c->sites[a->site].is_copy |= a->op == OP_LOAD;
    bulk_pieces_start(&pieces, a);
    while (bulk_pieces_next(&pieces, &piece)) {
        if (piece.is_outside)
            continue;
        if (!access_is_remote(a))
            touch(c, a, SPACE_GLOBAL, (enum mem_op)a->op, piece.global, piece.bytes);
        if (a->bulk->barrier != OTHERS_BARRIER_ADDRESS)
            touch(c, a, SPACE_SHARED, a->op == OP_LOAD ? OP_STORE : OP_LOAD, piece.shared,
                  piece.bytes);
    }
    c->limits.no_values = no_values; /* not known, and not lost by the trace */
    if (a->op != OP_LOAD)
        return;
    order_fence(&c->order, a->warp, a->active);
    order_release(&c->order, thread_of(a->warp, lane), a->bulk->barrier, true, true);
}

bool checker_bulk(struct checker *c, const struct trace_copy *copy)
{
    struct order *o = &c->order;
    if (copy->step == BULK_BEGINS)
        begin(c, copy->access);
    if (copy->step == PHASE_ARRIVE)
        order_fence(o, copy->warp, copy->lanes);
    for (uint32_t left = copy->lanes; left; left &= left - 1) {
        const uint32_t thread = thread_of(copy->warp, (unsigned)__builtin_ctz(left));
        if (copy->step == PHASE_ARRIVE)
            order_release(o, thread, copy->barrier, true, true);
        else if (copy->step == PHASE_WAIT)
            order_acquire(o, thread, copy->barrier, true);
    }
    return !o->no_memory;
}
