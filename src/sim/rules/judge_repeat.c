/* judge_repeat.c - accesses whose counters are known from an earlier one of their site. */
#include <stdlib.h>
#include <string.h>

#include "sim/rules/judge_fully.h"
#include "sim/rules/lanes.h"

/* Whether what an access adds depends on its site alone. Partitions depend on its address. */
static bool is_repeatable(const struct judge *judge, const struct warp_access *a)
{
    return access_is_contiguous(a) && a->width == 4 && a->base % LINE_BYTES == 0 &&
           a->space == SPACE_GLOBAL && a->copy == NULL && a->bulk == NULL && a->op != OP_ATOMIC &&
           a->resident == UINT32_MAX && judge->partitions.count == 0;
}

/* Room for one more; NULL when memory is short: then nothing is learnt. */
static struct judge_repeat *new_repeat(struct judge *judge)
{
    if (judge->repeat_count == judge->repeat_room) {
        const size_t room = judge->repeat_room ? 2 * judge->repeat_room : 16;
        struct judge_repeat *grown = realloc(judge->repeats, room * sizeof *grown);
        if (grown == NULL)
            return NULL;
        judge->repeats = grown;
        judge->repeat_room = room;
    }
    return &judge->repeats[judge->repeat_count];
}

static void learn(struct judge *judge, const struct warp_access *a, struct footprint *footprint)
{
    struct judge_repeat *repeat = new_repeat(judge);
    struct counters *c = judge_site(judge, a->site), before = *c;
    memset(c, 0, sizeof *c);
    judge_fully(judge, a, footprint);
    if (repeat) {
        *repeat = (struct judge_repeat){
            .added = *c, .passes = footprint->passes, .data_passes = footprint->data_passes};
        judge->repeat_of[a->site] = (uint32_t)++judge->repeat_count;
    }
    counters_add(c, &before);
}

void judge_access(struct judge *judge, const struct warp_access *access,
                  struct footprint *footprint)
{
    if (footprint == NULL || !is_repeatable(judge, access)) {
        judge_fully(judge, access, footprint);
        return;
    }
    if (judge->repeat_of[access->site] == 0) {
        learn(judge, access, footprint);
        return;
    }
    judge_site(judge, access->site);
    struct judge_repeat *repeat = &judge->repeats[judge->repeat_of[access->site] - 1];
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
    for (size_t i = 0; i < judge->touched_count; i++) {
        const uint32_t site = judge->touched[i].site;
        if (judge->repeat_of[site] == 0)
            continue;
        struct judge_repeat *repeat = &judge->repeats[judge->repeat_of[site] - 1];
        counters_add_times(&judge->sites[site], &repeat->added, repeat->times);
        repeat->times = 0;
    }
}
