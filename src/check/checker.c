/* checker.c - the stream's calls, and what is kept of a run. */
#include "check/checker.h"

#include <stdlib.h>
#include <string.h>

#include "text/list.h"

/* Memory of the records: of global memory that is touched, about 90 MB a GB. */
#define GLOBAL_BYTES_MAX ((size_t)1 << 30)
#define SHARED_BYTES_OF_CELLS ((size_t)64 << 20)
enum { BLOCKS_KEPT_MAX = 1 << 20 };
#define TIME_ANEW ((uint32_t)1 << 31) /* a launch that begins later forgets all and begins at 0 */
#define TIME_MAX (UINT32_MAX - 4096)

bool checker_start(struct checker *c)
{
    memset(c, 0, sizeof *c);
    shadow_start(&c->global, GLOBAL_BYTES_MAX);
    shadow_start(&c->shared, SHARED_BYTES_OF_CELLS);
    c->order.has_syncs = true;
    c->info = run_info_new();
    return c->info != NULL;
}

void checker_free(struct checker *c)
{
    for (size_t i = 0; i < c->place_count; i++) {
        free(c->places[i]->file);
        free(c->places[i]);
    }
    free(c->places);
    free(c->sites);
    free(c->block_starts);
    copies_free(c);
    free(c->findings.met.keys);
    run_info_release(c->info);
    shadow_free(&c->global);
    shadow_free(&c->shared);
    order_free(&c->order);
}

static bool on_note(void *context, const char *key, const char *value)
{
    struct checker *c = context;
    if (strcmp(key, NOTE_UNRECORDED) == 0) {
        c->limits.no_barriers |= strstr(value, UNRECORDED_BARRIERS) != NULL;
        c->limits.no_syncs |= strstr(value, UNRECORDED_SYNCS) != NULL;
        c->order.has_syncs = !c->limits.no_syncs;
    }
    c->no_memory |= !run_info_note(c->info, key, value);
    return !c->no_memory;
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct checker *c = context;
    (void)number;
    if (!run_info_add_site(c->info, site) ||
        !LIST_MAKE_ROOM(c->sites, c->site_count, c->site_room)) {
        c->no_memory = true;
        return false;
    }
    const struct trace_site *kept = &c->info->sites[c->site_count];
    c->sites[c->site_count++] = (struct check_site){.file = kept->file,
                                                    .array = kept->array,
                                                    .line = kept->line,
                                                    .space = kept->space,
                                                    .op = kept->op,
                                                    .width = kept->width,
                                                    .lowest = UINT64_MAX};
    return true;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct checker *c = context;
    if (c->order.now >= TIME_ANEW) {
        shadow_free(&c->global);
        shadow_free(&c->shared);
        memset(c->order.warp, 0, sizeof c->order.warp);
        memset(c->order.fence, 0, sizeof c->order.fence);
        memset(c->order.known_at, 0, sizeof c->order.known_at);
        c->order.now = 0;
    }
    c->launch = *launch;
    c->launches++;
    c->in_launch = true;
    c->block_count = 0;
    c->in_block = false;
    for (size_t i = 0; i < c->site_count; i++)
        c->sites[i].lowest = UINT64_MAX;
    order_launch(&c->order, launch);
    return true;
}

static void keep_block_start(struct checker *c)
{
    if (c->block_count == BLOCKS_KEPT_MAX ||
        !LIST_MAKE_ROOM(c->block_starts, c->block_count, c->block_room))
        return;
    c->block_starts[c->block_count].time = c->order.block_start;
    c->block_starts[c->block_count++].block = c->block;
}

/* A step of the block: false when no more can be told of the launch. */
static bool take_step(struct checker *c, uint32_t block, uint32_t warp)
{
    c->limits.time_is_up |= c->order.now >= TIME_MAX;
    if (c->order.now >= TIME_MAX)
        return false;
    if (!c->in_block) {
        c->in_block = true;
        c->block = block;
        c->blocks++;
        order_block(&c->order);
        copies_block(c);
        keep_block_start(c);
    }
    order_step(&c->order, warp);
    return true;
}

static bool is_checked(const struct warp_access *a)
{
    return a->space == SPACE_GLOBAL || a->space == SPACE_SHARED || a->space == SPACE_TEXTURE;
}

static bool on_access(void *context, const struct warp_access *access)
{
    struct checker *c = context;
    c->accesses++;
    if (!is_checked(access) || !take_step(c, access->block, access->warp))
        return true;
    copies_access(c, access);
    checker_access(c, access);
    return true;
}

static bool on_copy(void *context, const struct trace_copy *copy)
{
    struct checker *c = context;
    c->accesses += copy_step_begins(copy->step);
    return !take_step(c, copy->block, copy->warp) ||
           (copy->step < BULK_BEGINS ? copies_take : checker_bulk)(c, copy);
}

static bool on_sync(void *context, const struct trace_sync *sync)
{
    struct checker *c = context;
    if (take_step(c, sync->block, sync->warp))
        checker_sync(c, sync);
    c->no_memory |= c->order.no_memory;
    return !c->no_memory;
}

static bool on_event(void *context, const struct trace_event *event)
{
    struct checker *c = context;
    if (event->kind == TRACE_BLOCK_END) {
        c->limits.out_of_step |= c->order.out_of_step;
        c->in_block = false;
        return true;
    }
    if (!take_step(c, event->block, event->warp))
        return true;
    checker_end_pending(c, event->warp);
    order_event(&c->order, event);
    return true;
}

static void end_launch(struct checker *c)
{
    c->in_launch = false;
    findings_end_launch(c);
    c->limits.memory_full |= c->global.is_full || c->shared.is_full;
    c->limits.releases_full |= c->order.releases.is_full;
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    (void)shared_bytes_per_block;
    struct checker *c = context;
    c->info->traced++;
    end_launch(c);
    return true;
}

/* What a launch that is stopped has done up to there is looked at like others. */
static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct checker *c = context;
    c->no_memory |= !run_info_add_fault(c->info, c->in_launch ? c->launch.kernel : "", fault);
    if (fault->stops && c->in_launch)
        end_launch(c);
    return !c->no_memory;
}

static bool on_launch_left_out(void *context, const struct trace_left_out *launch)
{
    struct checker *c = context;
    *(launch->repeats ? &c->info->repeated : &c->info->untraced) += 1;
    return true;
}

struct trace_sink checker_sink(struct checker *c)
{
    return (struct trace_sink){.context = c,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .fault = on_fault,
                               .sync = on_sync,
                               .copy = on_copy,
                               .launch_end = on_launch_end,
                               .launch_left_out = on_launch_left_out,
                               .wants_values = true,
                               .takes_repeats = true};
}
