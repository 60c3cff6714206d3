/* guard_steps.c - accesses and events of a launch: whose turn it is, and what an access may be. */
#include "stream/guard_parts.h"

#include "stream/access_check.h"

#include <inttypes.h>

/* Blocks come in order, each whole; a warp that has ended does nothing more. */
static bool take_turn(struct guard *guard, uint32_t block, uint32_t warp)
{
    if (!guard->in_launch)
        return guard_fail(guard, "a step outside of every launch");
    if (!guard->in_block) {
        if (block < guard->block || block >= guard->block_count)
            return guard_fail(guard,
                              "block %" PRIu32 ": expected is one from %" PRIu64 " to %" PRIu64,
                              block, guard->block, guard->block_count - 1);
        guard->in_block = true;
        guard->block = block;
        guard->ended = 0;
    }
    if (block != guard->block)
        return guard_fail(guard, "a step of block %" PRIu32 " before block %" PRIu64 " has ended",
                          block, guard->block);
    if (warp >= guard->warp_count)
        return guard_fail(guard, "warp %" PRIu32 ": a block has warps 0 to %" PRIu32, warp,
                          guard->warp_count - 1);
    if (guard->ended >> warp & 1)
        return guard_fail(guard, "a step of warp %" PRIu32 " of block %" PRIu32 ", which has ended",
                          warp, block);
    return true;
}

static bool lane_is_possible(struct guard *guard, const struct warp_access *a, unsigned lane)
{
    uint64_t addr = access_addr(a, lane), end = limits_access_end(a);
    if (addr >= end || end - addr < a->width)
        return guard_fail(guard,
                          "block %" PRIu32 ", warp %" PRIu32 ", lane %u: address 0x%" PRIx64
                          " is beyond 0x%" PRIx64,
                          a->block, a->warp, lane, addr, end);
    if (addr & (a->width - 1U))
        return guard_fail(guard,
                          "block %" PRIu32 ", warp %" PRIu32 ", lane %u: address 0x%" PRIx64
                          " is misaligned: it must be a multiple of %u, the bytes of the access",
                          a->block, a->warp, lane, addr, a->width);
    return true;
}

/* All addresses or'ed: not below any of them, and aligned only if they all are. A product of 128^3 in 16x16 blocks, read
 * from a file and modelled, is 0.75 of the instructions that a look at each lane takes; without the loop for full warps 0.77. */
static uint64_t addresses_together(const struct warp_access *a)
{
    uint64_t together = 0;
    if (a->active == UINT32_MAX) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            together |= a->addr[lane];
        return together;
    }
    for (uint32_t left = a->active; left; left &= left - 1)
        together |= a->addr[__builtin_ctz(left)];
    return together;
}

/* Of a full affine access the two ends tell all. */
static bool addresses_are_possible(struct guard *guard, const struct warp_access *a)
{
    uint64_t span = a->stride < 0 ? 0 - (uint64_t)a->stride : (uint64_t)a->stride;
    if (a->addr == NULL && a->active == UINT32_MAX && span < ADDRESS_END / WARP_LANES &&
        (span & (a->width - 1U)) == 0)
        return lane_is_possible(guard, a, 0) && lane_is_possible(guard, a, WARP_LANES - 1);
    if (a->addr) {
        const uint64_t together = addresses_together(a);
        if ((together & (a->width - 1U)) == 0 && together <= limits_access_end(a) - a->width)
            return true;
    }
    for (uint32_t left = a->active; left; left &= left - 1)
        if (!lane_is_possible(guard, a, (unsigned)__builtin_ctz(left)))
            return false;
    return true;
}

/* Whatever the access is: of its site, by lanes that there are, at addresses that there are. */
static bool access_is_possible(struct guard *guard, const struct warp_access *a)
{
    if (a->site >= guard->site_count)
        return guard_fail(guard, "site %" PRIu32 " is not defined", a->site);
    const struct guard_site *site = &guard->sites[a->site];
    if (a->space != site->space || a->op != site->op || a->width != site->width)
        return guard_fail(guard, "the access is not of its site's kind");
    uint32_t lanes = a->warp + 1 == guard->warp_count ? guard->last_warp_lanes : UINT32_MAX;
    if (a->active == 0 || a->active & ~a->resident || a->resident & ~lanes)
        return guard_fail(guard,
                          "block %" PRIu32 ", warp %" PRIu32 ": active lanes 0x%08" PRIx32
                          " of 0x%08" PRIx32 " that run: the warp has 0x%08" PRIx32,
                          a->block, a->warp, a->active, a->resident, lanes);
    if (a->flags & ACCESS_INCREMENT && (a->op != OP_ATOMIC || a->width != 4))
        return guard_fail(guard, "an increment that is no atomic of 4 bytes");
    if (a->flags & ACCESS_FLOAT && a->op != OP_ATOMIC &&
        (a->space != SPACE_SHARED || a->width != 16))
        return guard_fail(guard, "an addition of floats that is no atomic, or rows of matrices "
                                 "that are not 16 bytes of shared memory");
    if (a->flags & (access_is_remote(a) ? ACCESS_MANAGED : ACCESS_HOST | ACCESS_MANAGED) &&
        a->space != SPACE_GLOBAL && a->space != SPACE_TEXTURE)
        return guard_fail(guard,
                          "an access of host or managed memory that is neither global nor texture");
    return addresses_are_possible(guard, a);
}

bool guard_on_access(void *context, const struct warp_access *a)
{
    struct guard *guard = context;
    if (!take_turn(guard, a->block, a->warp) || !access_is_possible(guard, a))
        return false;
    if (a->copy || a->bulk)
        return guard_fail(guard, "an asynchronous copy in place of an access");
    guard->accesses++;
    return sink_access(guard->next, a);
}

static bool copy_is_possible(struct guard *guard, const struct trace_copy *copy)
{
    const struct warp_access *a = copy->access;
    char text[CHECK_TEXT_BYTES];
    if (a == NULL || (copy->step == BULK_BEGINS ? a->bulk == NULL : a->copy == NULL) ||
        a->block != copy->block || a->warp != copy->warp || a->active != copy->lanes)
        return guard_fail(guard, "an asynchronous copy without its access");
    if (!access_is_possible(guard, a))
        return false;
    const char *error = access_check_copy(a, text);
    return error == NULL ||
           guard_fail(guard, "block %" PRIu32 ", warp %" PRIu32 ": %s", a->block, a->warp, error);
}

bool guard_on_copy(void *context, const struct trace_copy *copy)
{
    struct guard *guard = context;
    if (!take_turn(guard, copy->block, copy->warp))
        return false;
    const uint32_t lanes =
        copy->warp + 1 == guard->warp_count ? guard->last_warp_lanes : UINT32_MAX;
    char text[CHECK_TEXT_BYTES];
    if (copy->step >= COPY_STEPS || copy->lanes == 0 || copy->lanes & ~lanes ||
        access_check_step(copy, text))
        return guard_fail(guard,
                          "block %" PRIu32 ", warp %" PRIu32 ": step %u of asynchronous copies by "
                          "lanes 0x%08" PRIx32 " that leaves %" PRIu32 " groups",
                          copy->block, copy->warp, (unsigned)copy->step, copy->lanes, copy->left);
    if (copy_step_begins(copy->step) && !copy_is_possible(guard, copy))
        return false;
    guard->events++;
    return sink_copy(guard->next, copy);
}

static bool end_block(struct guard *guard, const struct trace_event *event)
{
    uint32_t all = guard->warp_count == WARP_LANES ? UINT32_MAX : (1U << guard->warp_count) - 1;
    if (guard->ended != all)
        return guard_fail(guard, "block %" PRIu32 " ends, its warp %d does not", event->block,
                          __builtin_ctz(~guard->ended));
    if (event->shared_bytes > SHARED_BYTES_MAX)
        return guard_fail(
            guard, "block %" PRIu32 " uses %" PRIu64 " bytes of shared memory: allowed are %d",
            event->block, event->shared_bytes, SHARED_BYTES_MAX);
    guard->in_block = false;
    guard->block++;
    return true;
}

bool guard_on_event(void *context, const struct trace_event *event)
{
    struct guard *guard = context;
    if (event->kind == TRACE_BLOCK_END) {
        if (!guard->in_block || event->block != guard->block)
            return guard_fail(guard, "the end of block %" PRIu32 ", which does not run",
                              event->block);
        if (!end_block(guard, event))
            return false;
    } else if (!take_turn(guard, event->block, event->warp)) {
        return false;
    }
    if (event->kind == TRACE_WARP_END)
        guard->ended |= 1U << event->warp;
    guard->events++;
    return sink_event(guard->next, event);
}

bool guard_on_sync(void *context, const struct trace_sync *sync)
{
    struct guard *guard = context;
    if (!take_turn(guard, sync->block, sync->warp))
        return false;
    uint32_t lanes = sync->warp + 1 == guard->warp_count ? guard->last_warp_lanes : UINT32_MAX;
    if (sync->kind >= SYNC_KINDS || sync->lanes == 0 || sync->lanes & ~sync->running ||
        sync->running & ~lanes)
        return guard_fail(
            guard,
            "block %" PRIu32 ", warp %" PRIu32 ": lanes 0x%08" PRIx32 " of 0x%08" PRIx32
            " that run come to a synchronisation of kind %u: the warp has 0x%08" PRIx32,
            sync->block, sync->warp, sync->lanes, sync->running, (unsigned)sync->kind, lanes);
    return sink_sync(guard->next, sync);
}
