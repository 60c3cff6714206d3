/* judge_repeat.c - accesses whose counters are known from an earlier one of their site. */
#include <string.h>

#include "sim/rules/judge_fully.h"
#include "sim/rules/lanes.h"

/* Whether what an access adds depends on its site alone. Partitions depend on its address. */
static bool is_repeatable(const struct judge *judge, const struct warp_access *a)
{
    return access_is_contiguous(a) && a->width == 4 && a->base % LINE_BYTES == 0 &&
           a->space == SPACE_GLOBAL && a->op != OP_ATOMIC && a->resident == UINT32_MAX &&
           judge->partitions.count == 0;
}

static void learn(struct judge *judge, const struct warp_access *a, struct footprint *footprint,
                  struct judge_repeat *repeat)
{
    struct counters before = judge->sites[a->site];
    memset(&judge->sites[a->site], 0, sizeof before);
    judge_fully(judge, a, footprint);
    repeat->added = judge->sites[a->site];
    counters_add(&judge->sites[a->site], &before);
    repeat->passes = footprint->passes;
    repeat->data_passes = footprint->data_passes;
    repeat->known = true;
}

void judge_access(struct judge *judge, const struct warp_access *access,
                  struct footprint *footprint)
{
    if (footprint == NULL || !is_repeatable(judge, access)) {
        judge_fully(judge, access, footprint);
        return;
    }
    struct judge_repeat *repeat = &judge->repeats[access->site];
    if (!repeat->known) {
        learn(judge, access, footprint, repeat);
        return;
    }
    repeat->times++;
    footprint->count = 1;
    footprint->line[0] = access->base >> LINE_LOG2;
    footprint->sectors[0] = ALL_SECTORS;
    footprint->words[0] = UINT32_MAX;
    footprint->passes = repeat->passes;
    footprint->data_passes = repeat->data_passes;
}

void judge_flush(struct judge *judge)
{
    for (size_t i = 0; i < judge->site_count; i++) {
        struct judge_repeat *repeat = &judge->repeats[i];
        counters_add_times(&judge->sites[i], &repeat->added, repeat->times);
        repeat->times = 0;
    }
}
