/* steps.c - the steps of the rule an access follows, as sentences: which file writes them. */
#include "explain/explained.h"

#include <inttypes.h>

void steps_put(struct step_sink *sink, const struct text *t)
{
    sink->count++;
    sink->put(sink, t->s);
}

static void steps_constant(const struct explained *x, struct step_sink *sink)
{
    const struct constant_plan *plan = &x->constant;
    struct text t;
    text_start(&t);
    text_add(&t,
             "the constant cache reads one address a pass and gives it to every lane of the %s "
             "that wants it",
             x->rules.constant_half_warp ? "half-warp" : "warp");
    steps_put(sink, &t);
    text_start(&t);
    text_add_count(&t, x->lanes, "lane", "s");
    text_add(&t, x->lanes == 1 ? " wants " : " want ");
    text_add_count(&t, plan->passes, "address", "es");
    text_add(&t, x->constant_ideal == 2 ? " (counted in each half-warp): " : ": ");
    text_add_count(&t, plan->passes, "pass", "es");
    steps_put(sink, &t);
}

static uint64_t swizzled_index(const struct tile *tile, int lane)
{
    return swizzle_apply(tile->swizzle, tile->offset[lane] / tile->unit_bytes);
}

/* What the swizzle makes of the first lane that it moves. */
static void steps_swizzle(const struct explained *x, struct step_sink *sink)
{
    const struct tile *tile = x->subject->tile;
    uint32_t left = x->access->active;
    struct text t;
    if (tile == NULL || tile->swizzle.bits == 0)
        return;
    const struct swizzle s = tile->swizzle;
    const int from = s.base + (s.shift > 0 ? s.shift : 0),
              to = s.base - (s.shift < 0 ? s.shift : 0);
    text_start(&t);
    text_add(&t, "swizzle=%u,%u,%d: ", s.bits, s.base, s.shift);
    if (tile->unit_bytes == 1)
        text_add(&t, "of the offset in bytes");
    else
        text_add(&t, "of the index of an element (%u bytes)", (unsigned)tile->unit_bytes);
    text_add(&t, ", bits %d-%d are exclusive-ored into bits %d-%d", from, from + s.bits - 1, to,
             to + s.bits - 1);
    while (left != 0 && swizzled_index(tile, __builtin_ctz(left)) ==
                            tile->offset[__builtin_ctz(left)] / tile->unit_bytes)
        left &= left - 1;
    if (left == 0) {
        text_add(&t, "; here no lane is moved");
    } else {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        text_add(&t, "; lane %u: %" PRIu64 " becomes %" PRIu64 ", address 0x%" PRIx64, lane,
                 tile->offset[lane] / tile->unit_bytes, swizzled_index(tile, (int)lane),
                 explained_shared_addr(x, lane));
    }
    steps_put(sink, &t);
}

void steps_write(const struct explained *x, struct step_sink *sink)
{
    steps_swizzle(x, sink);
    if (x->path == PATH_CONSTANT)
        steps_constant(x, sink);
    else if (x->path == PATH_BANKS)
        steps_banks(x, sink);
    else if (x->path == PATH_COPY)
        steps_copy(x, sink);
    else if (x->rule == COALESCE_HALF_WARP_STRICT || x->rule == COALESCE_HALF_WARP_SEGMENT ||
             x->rule == COALESCE_LANE)
        steps_half_warp(x, sink);
    else
        steps_sectors(x, sink);
    if (x->has_l1_stages)
        steps_l1_stages(x, sink);
}
