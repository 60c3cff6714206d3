/* steps_l1.c - the tag stage and the data stage of the L1 of sm_70 to sm_90 in words.
 *
 * Source: those of sim/rules/l1stage.c; measured on sm_90, which the steps say on other parts.
 */
#include "explain/explained.h"

#include "sim/rules/l1stage.h"

#include <inttypes.h>

enum { TOLD_MOST = 6, LISTED_MOST = 2 };

/* "bank 2 has 3 lines", with their addresses when they are few. */
static void add_tag_bank(const struct l1_plan *plan, uint32_t bank, const char **separator,
                         struct text *t)
{
    uint32_t lines = 0, told = 0;
    for (uint32_t i = 0; i < plan->lines; i++)
        lines += plan->line[i].bank == bank;
    if (lines == 0)
        return;
    text_add(t, "%sbank %" PRIu32 " has ", *separator, bank);
    *separator = ", ";
    text_add_count(t, lines, "line", "s");
    for (uint32_t i = 0; i < plan->lines && lines <= LISTED_MOST; i++) {
        if (plan->line[i].bank == bank)
            text_add(t, " %s0x%" PRIx64, told++ == 0 ? "" : "and ", plan->line[i].addr);
    }
}

static void put_tag_stage(const struct explained *x, struct step_sink *sink)
{
    const char *separator = ": ";
    struct text t;
    text_start(&t);
    text_add(&t, "L1 tag stage: four tag banks look up one 128-byte line each in a wavefront");
    for (uint32_t bank = 0; bank < TAG_BANKS; bank++)
        add_tag_bank(&x->l1, bank, &separator, &t);
    text_add(&t, "; ");
    text_add_count(&t, x->l1.wavefronts, "tag wavefront", "s");
    if (!capability_find(x->arch->sm)->l1_stages_measured)
        text_add(&t, " (measured on sm_90, applied here)");
    steps_put(sink, &t);
}

static void put_data_stage(const struct explained *x, struct step_sink *sink)
{
    const struct l1_plan *plan = &x->l1;
    struct text t;
    text_start(&t);
    if (x->access->op == OP_STORE)
        text_add(&t,
                 "L1 data stage: a store's first %" PRIu32 " tag wavefronts pass through 32 banks "
                 "of 4 bytes together",
                 l1stage_store_places(x->access->width));
    else
        text_add(&t,
                 "L1 data stage: the lanes of each tag wavefront pass through 32 banks of 4 bytes");
    for (uint32_t i = 0; i < plan->batches && i < TOLD_MOST; i++) {
        text_add(&t, "%s%s %" PRIu32 " (", i == 0 ? ": " : ", ",
                 x->access->op == OP_STORE ? "batch" : "wavefront", i + 1);
        text_add_lanes(&t, plan->batch_lanes[i]);
        text_add(&t, ") in ");
        text_add_count(&t, plan->passes[i], "pass", "es");
    }
    if (plan->batches > TOLD_MOST)
        text_add(&t, " and so on");
    if (plan->repeats != 0)
        text_add(&t, "; %" PRIu32 " of them are made again", plan->repeats);
    text_add(&t, "; ");
    text_add_count(&t, plan->data_passes, "data pass", "es");
    if (x->access->op == OP_STORE && plan->wavefronts > l1stage_store_places(x->access->width))
        text_add(&t, " (approximate for this store: see docs/model.md)");
    steps_put(sink, &t);
}

void steps_l1_stages(const struct explained *x, struct step_sink *sink)
{
    put_tag_stage(x, sink);
    put_data_stage(x, sink);
}
