/* regroup.c - collects groups of blocks, and hands on what regroup_warp.c makes of them. */
#include "advise/regroup.h"

#include <stdlib.h>
#include <string.h>

#include "advise/regroup_lanes.h"
#include "advise/regroup_warp.h"
#include "text/list.h"

void regroup_start(struct regroup *regroup, const struct regrouping *regrouping,
                   const struct observed *observed, const struct trace_sink *next)
{
    *regroup = (struct regroup){.filter = {next}, .regrouping = regrouping, .observed = observed};
}

void regroup_stop(struct regroup *regroup)
{
    group_free(&regroup->group);
    free(regroup->widths);
    regroup->widths = NULL;
}

static bool refuse(struct regroup *regroup, const char *why)
{
    if (regroup->refusal == NULL)
        regroup->refusal = why;
    return false;
}

/* ---- Sites and launches ---------------------------------------------------------------------- */

static bool kernel_is_regrouped(const struct kernel_seen *kernel, const struct regrouping *r)
{
    return strcmp(kernel->name, r->kernel) == 0 &&
           memcmp(kernel->block, r->block, sizeof r->block) == 0;
}

/* Whether neighbouring lanes take neighbouring words wherever a warp is at the site's array, and no other
 * launches come to the site. */
static bool is_vector(const struct regroup *regroup, uint32_t site, uint8_t width)
{
    const uint16_t number = observed_object(regroup->observed, site);
    if (regroup->regrouping->kind != REGROUP_VECTOR || number == NO_OBJECT)
        return false;
    const struct object *object = &regroup->observed->objects[number];
    const uint16_t of_site = regroup->observed->kernel_of_site[site];
    if (of_site == 0 || of_site == SEVERAL_KERNELS ||
        !kernel_is_regrouped(&regroup->observed->kernels[of_site - 1], regroup->regrouping))
        return false;
    return !object->lane_steps_differ && object->lane_step == width;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct regroup *regroup = context;
    struct trace_site changed = *site;
    if (!LIST_MAKE_ROOM(regroup->widths, number, regroup->site_room))
        return refuse(regroup, "no memory for the sites");
    if (is_vector(regroup, number, site->width))
        changed.width = (uint8_t)(site->width * regroup->regrouping->factor);
    regroup->widths[number] = changed.width;
    regroup->site_count = number + 1;
    return sink_site(regroup->filter.next, number, &changed);
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct regroup *regroup = context;
    struct launch_info changed = *launch;
    regroup->is_on = regrouping_applies(regroup->regrouping, launch);
    if (!regroup->is_on)
        return sink_launch_begin(regroup->filter.next, launch);
    memcpy(regroup->from.grid, launch->grid, sizeof launch->grid);
    memcpy(regroup->from.block, launch->block, sizeof launch->block);
    if (!regrouping_shape(regroup->regrouping, &regroup->from, &regroup->to))
        return refuse(regroup, "a launch of other shape");
    memcpy(changed.grid, regroup->to.grid, sizeof changed.grid);
    memcpy(changed.block, regroup->to.block, sizeof changed.block);
    regroup->next_block = regroup->new_block = regroup->group_first = 0;
    group_start(&regroup->group, shape_threads(&regroup->from));
    return sink_launch_begin(regroup->filter.next, &changed);
}

static bool on_launch_end(void *context, uint64_t shared_bytes)
{
    struct regroup *regroup = context;
    if (regroup->is_on && regroup->group.blocks)
        return refuse(regroup, "not all blocks of a group were kept");
    return sink_launch_end(regroup->filter.next, shared_bytes);
}

/* ---- Groups ---------------------------------------------------------------------------------- */

static bool give_group(struct regroup *regroup, struct lanes *lanes)
{
    const uint32_t count = regrouping_makes(regroup->regrouping, &regroup->from);
    struct warp_maker *maker = warp_maker_new(lanes, regroup->site_count, regroup->filter.next);
    bool fine = maker != NULL || refuse(regroup, "no memory for regrouped warps");
    for (uint32_t i = 0; fine && i < count; i++)
        fine = warp_maker_block(maker, i, regroup->new_block++);
    warp_maker_free(maker);
    if (!fine && lanes->refusal)
        refuse(regroup, lanes->refusal);
    return fine;
}

static bool end_group(struct regroup *regroup)
{
    struct lanes lanes = {.regrouping = regroup->regrouping,
                          .group = &regroup->group,
                          .from = regroup->from,
                          .to = regroup->to,
                          .widths = regroup->widths};
    bool fine = group_close(&regroup->group) || refuse(regroup, "no memory for a group of blocks");
    if (fine)
        fine = (lanes_begin(&lanes, regroup->site_count) || refuse(regroup, lanes.refusal)) &&
               give_group(regroup, &lanes);
    lanes_end(&lanes);
    group_empty(&regroup->group);
    regroup->group_first = regroup->next_block;
    return fine;
}

/* Whether the block is the one that is due. Where each block is a group, some may be missing. */
static bool is_due(struct regroup *regroup, uint32_t block)
{
    if (block != regroup->next_block &&
        regrouping_group(regroup->regrouping, &regroup->from, 0) == 1)
        regroup->next_block = regroup->new_block = regroup->group_first = block;
    return block == regroup->next_block || refuse(regroup, "blocks are missing");
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct regroup *regroup = context;
    if (!regroup->is_on)
        return sink_access(regroup->filter.next, a);
    if (a->space == SPACE_LOCAL)
        return refuse(regroup, "threads that move take their local memory along");
    return is_due(regroup, a->block) && (group_add_access(&regroup->group, a) ||
                                         refuse(regroup, "a group of blocks is too long"));
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct regroup *regroup = context;
    if (!regroup->is_on)
        return sink_event(regroup->filter.next, event);
    if (!is_due(regroup, event->block))
        return false;
    if (!group_add_event(&regroup->group, event))
        return refuse(regroup, "a group of blocks is too long");
    if (event->kind != TRACE_BLOCK_END)
        return true;
    regroup->next_block++;
    return regroup->group.blocks <
               regrouping_group(regroup->regrouping, &regroup->from, regroup->group_first) ||
           end_group(regroup);
}

struct trace_sink regroup_sink(struct regroup *regroup)
{
    struct trace_sink sink = filter_sink(&regroup->filter);
    sink.site = on_site;
    sink.launch_begin = on_launch_begin;
    sink.access = on_access;
    sink.event = on_event;
    sink.launch_end = on_launch_end;
    return sink;
}
