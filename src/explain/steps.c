/* steps.c - the steps of the rule an access follows, as sentences: which file writes them. */
#include "explain/explained.h"

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

void steps_write(const struct explained *x, struct step_sink *sink)
{
    if (x->path == PATH_CONSTANT)
        steps_constant(x, sink);
    else if (x->path == PATH_BANKS)
        steps_banks(x, sink);
    else if (x->rule == COALESCE_HALF_WARP_STRICT || x->rule == COALESCE_HALF_WARP_SEGMENT ||
             x->rule == COALESCE_LANE)
        steps_half_warp(x, sink);
    else
        steps_sectors(x, sink);
    if (x->has_l1_stages)
        steps_l1_stages(x, sink);
}
