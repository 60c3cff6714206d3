/* spool.c - a run -> records of fixed size in a temporary file.
 *
 * An access whose lanes form rows (pattern.h) is its record; others have their 32 addresses behind it. A
 * site's space, operation and width are not repeated.
 */
#define _GNU_SOURCE
#include "advise/spool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/launch_size.h"
#include "stream/limits.h"
#include "stream/managed_pages.h"
#include "advise/pattern.h"
#include "text/list.h"
#include "text/memory.h"

enum record_kind { RECORD_ROWS, RECORD_LANES, RECORD_BARRIER, RECORD_WARP_END, RECORD_BLOCK_END };

struct record {
    uint64_t base; /* rows; RECORD_BLOCK_END: bytes of shared memory */
    int64_t step, row_step;
    uint32_t active, resident, site, warp;
    uint16_t work, lag;
    uint8_t kind, row_lanes, loads_left, flags;
};

static bool fail(struct spool *spool, const char *message)
{
    if (spool->message[0] == '\0')
        snprintf(spool->message, sizeof spool->message, "%s", message);
    return false;
}

bool spool_start(struct spool *spool, uint64_t access_limit)
{
    *spool = (struct spool){.access_limit = access_limit};
    spool->info = run_info_new();
    spool->file = tmpfile();
    if (spool->info == NULL || (spool->file == NULL && errno == ENOMEM)) {
        memory_note_failure();
        return fail(spool, "no memory for a run");
    }
    return spool->file || fail(spool, "no temporary file for the accesses can be made in /tmp");
}

static void launch_free(struct spool_launch *launch)
{
    struct managed_pages pages = {(void *)launch->info.managed, launch->info.managed_count};
    managed_pages_free(&pages);
    for (size_t i = 0; i < launch->info.array_count; i++)
        free((void *)launch->info.arrays[i].name);
    free((void *)launch->info.arrays);
    free((void *)launch->info.kernel);
}

void spool_stop(struct spool *spool)
{
    for (size_t i = 0; i < spool->launch_count; i++)
        launch_free(&spool->launches[i]);
    free(spool->launches);
    free(spool->blocks);
    run_info_release(spool->info);
    if (spool->file)
        fclose(spool->file);
    *spool = (struct spool){0};
}

/* ---- Taking a run ---------------------------------------------------------------------------- */

static const char no_memory[] = "no memory for the launches and blocks of a run";

static bool on_note(void *context, const char *key, const char *value)
{
    struct spool *spool = context;
    return run_info_note(spool->info, key, value) || fail(spool, "no memory for a run's notes");
}

static bool on_site(void *context, uint32_t number, const struct trace_site *site)
{
    struct spool *spool = context;
    (void)number;
    return run_info_add_site(spool->info, site) || fail(spool, "no memory for the sites");
}

/* The launch with copies of what it points to; false when memory is short. */
static bool copy_launch(struct spool_launch *to, const struct launch_info *from)
{
    struct trace_array *arrays = memory_take(from->array_count + 1, sizeof *arrays);
    to->info = *from;
    to->info.kernel = memory_copy(from->kernel);
    to->info.arrays = arrays;
    to->info.array_count = 0;
    struct managed_pages pages;
    const bool has_pages = managed_pages_copy(&pages, from->managed, from->managed_count);
    to->info.managed = pages.ranges;
    to->info.managed_count = pages.count;
    for (size_t i = 0; arrays && i < from->array_count; i++) {
        arrays[i] = from->arrays[i];
        arrays[i].name = memory_copy(from->arrays[i].name);
        to->info.array_count = i + 1;
        if (arrays[i].name == NULL)
            return false;
    }
    return arrays && has_pages && to->info.kernel;
}

static bool on_launch_begin(void *context, const struct launch_info *launch)
{
    struct spool *spool = context;
    if (spool->info->kernel[0] == '\0' && !on_note(spool, "kernel", launch->kernel))
        return false; /* a run without a name has its first kernel's */
    if (!LIST_MAKE_ROOM(spool->launches, spool->launch_count, spool->launch_room))
        return fail(spool, no_memory);
    struct spool_launch *kept = &spool->launches[spool->launch_count++];
    *kept = (struct spool_launch){.first_block = spool->block_count};
    spool->in_launch = true;
    return copy_launch(kept, launch) || fail(spool, "no memory for a launch");
}

/* A block begins; false, without a failure, when it is not kept. */
static bool block_begins(struct spool *spool, uint32_t block)
{
    spool->in_block = true;
    spool->dropping = spool->accesses >= spool->access_limit;
    if (spool->dropping) {
        spool->blocks_dropped++;
        return true;
    }
    if (!LIST_MAKE_ROOM(spool->blocks, spool->block_count, spool->block_room))
        return fail(spool, no_memory);
    spool->blocks[spool->block_count++] = (struct spool_block){spool->at, block};
    spool->launches[spool->launch_count - 1].block_count++;
    return true;
}

static bool put(struct spool *spool, const struct record *record, const uint64_t *lanes)
{
    const size_t lane_bytes = lanes ? WARP_LANES * sizeof *lanes : 0;
    if (spool->dropping)
        return true;
    spool->at += sizeof *record + lane_bytes;
    if (fwrite(record, sizeof *record, 1, spool->file) == 1 &&
        (lanes == NULL || fwrite(lanes, lane_bytes, 1, spool->file) == 1))
        return true;
    return fail(spool, strerror(errno));
}

static bool on_access(void *context, const struct warp_access *a)
{
    struct spool *spool = context;
    struct lane_pattern p;
    if (!spool->in_block && !block_begins(spool, a->block))
        return false;
    spool->accesses += !spool->dropping;
    const bool has_rows = pattern_find(a, &p);
    struct record record = {.active = a->active,
                            .resident = a->resident,
                            .site = a->site,
                            .warp = a->warp,
                            .work = a->work,
                            .lag = a->lag,
                            .kind = has_rows ? RECORD_ROWS : RECORD_LANES,
                            .loads_left = a->loads_left,
                            .flags = a->flags};
    if (!has_rows)
        return put(spool, &record, a->addr);
    record.base = p.base;
    record.step = p.step;
    record.row_step = p.row_step;
    record.row_lanes = p.row_lanes;
    return put(spool, &record, NULL);
}

static bool on_event(void *context, const struct trace_event *event)
{
    static const uint8_t kinds[] = {[TRACE_BARRIER] = RECORD_BARRIER,
                                    [TRACE_WARP_END] = RECORD_WARP_END,
                                    [TRACE_BLOCK_END] = RECORD_BLOCK_END};
    struct spool *spool = context;
    const struct record record = {.kind = kinds[event->kind],
                                  .warp = event->warp,
                                  .work = event->work,
                                  .lag = event->lag,
                                  .base = event->shared_bytes};
    if (!spool->in_block && !block_begins(spool, event->block))
        return false;
    spool->in_block = event->kind != TRACE_BLOCK_END;
    return put(spool, &record, NULL);
}

/* Forgets a launch that does not end, and its blocks; what comes next takes their place in the file. */
static bool drop_launch(struct spool *spool)
{
    struct spool_launch *launch = &spool->launches[--spool->launch_count];
    if (launch->block_count) {
        spool->at = spool->blocks[launch->first_block].at;
        spool->block_count = launch->first_block;
    }
    spool->in_launch = spool->in_block = false;
    launch_free(launch);
    return fseeko(spool->file, (off_t)spool->at, SEEK_SET) == 0 || fail(spool, strerror(errno));
}

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct spool *spool = context;
    const char *kernel =
        spool->in_launch ? spool->launches[spool->launch_count - 1].info.kernel : "";
    if (!run_info_add_fault(spool->info, kernel, fault))
        return fail(spool, "no memory for the faults");
    return !fault->stops || !spool->in_launch || drop_launch(spool);
}

static bool on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct spool *spool = context;
    spool->launches[spool->launch_count - 1].shared_bytes = shared_bytes_per_block;
    spool->in_launch = false;
    return true;
}

/* What a change of them would do is not known. */
static bool on_copy(void *context, const struct trace_copy *copy)
{
    (void)copy;
    return fail(context,
                "the run has asynchronous or bulk copies (cp.async), for which no changes can be "
                "tried: advise on the kernel without them");
}

struct trace_sink spool_sink(struct spool *spool)
{
    return (struct trace_sink){.context = spool,
                               .note = on_note,
                               .site = on_site,
                               .launch_begin = on_launch_begin,
                               .access = on_access,
                               .event = on_event,
                               .copy = on_copy,
                               .fault = on_fault,
                               .launch_end = on_launch_end};
}

/* ---- Giving it again ------------------------------------------------------------------------- */

static bool give_notes(const struct run_info *info, const struct trace_sink *sink)
{
    bool fine = sink_note(sink, "kernel", info->kernel) &&
                sink_note(sink, "summary", info->summary) &&
                sink_note(sink, "compiler", info->compiler) &&
                (*info->nvcc == '\0' || sink_note(sink, "nvcc", info->nvcc));
    for (size_t i = 0; fine && i < info->param_count; i++) {
        char key[96];
        snprintf(key, sizeof key, "param.%s", info->params[i].name);
        fine = sink_note(sink, key, info->params[i].value);
    }
    for (size_t i = 0; fine && i < info->library_count; i++) {
        char key[CODEC_TEXT_MAX], calls[24];
        snprintf(key, sizeof key, NOTE_LIBRARY "%s", info->libraries[i].function);
        snprintf(calls, sizeof calls, "%" PRIu64, info->libraries[i].calls);
        fine = sink_note(sink, key, calls);
    }
    for (size_t i = 0; fine && i < info->site_count; i++)
        fine = sink_site(sink, (uint32_t)i, &info->sites[i]);
    return fine;
}

static bool give_access(struct spool *spool, const struct record *r, uint32_t block,
                        const struct trace_sink *sink)
{
    const struct trace_site *site = &spool->info->sites[r->site];
    const struct lane_pattern p = {r->base, r->step, r->row_step, r->row_lanes};
    uint64_t lanes[WARP_LANES];
    struct warp_access a = {.base = r->base,
                            .stride = r->step,
                            .active = r->active,
                            .resident = r->resident,
                            .block = block,
                            .warp = r->warp,
                            .site = r->site,
                            .work = r->work,
                            .lag = r->lag,
                            .loads_left = r->loads_left,
                            .width = site->width,
                            .op = site->op,
                            .space = site->space,
                            .flags = r->flags};
    if (r->kind == RECORD_LANES && fread(lanes, sizeof lanes, 1, spool->file) != 1)
        return fail(spool, "the temporary file of the accesses cannot be read");
    for (unsigned lane = 0; r->kind == RECORD_ROWS && lane < WARP_LANES; lane++)
        lanes[lane] = pattern_addr(&p, lane);
    if (r->kind == RECORD_LANES || r->row_lanes < WARP_LANES)
        a.addr = lanes;
    return sink_access(sink, &a);
}

static bool give_event(const struct record *r, uint32_t block, const struct trace_sink *sink)
{
    const struct trace_event event = {
        .kind = (enum trace_event_kind)(r->kind - RECORD_BARRIER + TRACE_BARRIER),
        .block = block,
        .warp = r->warp,
        .work = r->work,
        .shared_bytes = r->base,
        .lag = r->lag};
    return sink_event(sink, &event);
}

/* A block's records, as those of the block in place `place`. *at is where the file is. */
static bool give_block(struct spool *spool, const struct spool_block *block, uint32_t place,
                       const struct trace_sink *sink, uint64_t *at)
{
    struct record r = {.kind = RECORD_ROWS};
    if (*at != block->at && fseeko(spool->file, (off_t)block->at, SEEK_SET) != 0)
        return fail(spool, strerror(errno));
    *at = block->at;
    while (r.kind != RECORD_BLOCK_END) {
        if (fread(&r, sizeof r, 1, spool->file) != 1)
            return fail(spool, "the temporary file of the accesses cannot be read");
        *at += sizeof r + (r.kind == RECORD_LANES ? WARP_LANES * sizeof(uint64_t) : 0);
        if (!(r.kind <= RECORD_LANES ? give_access(spool, &r, place, sink)
                                     : give_event(&r, place, sink)))
            return false;
    }
    return true;
}

static bool give_launch(struct spool *spool, const struct spool_launch *launch,
                        struct block_order order, const struct trace_sink *sink, uint64_t *at)
{
    const struct spool_block *blocks = &spool->blocks[launch->first_block];
    const bool reorders = order.of && launch->block_count == launch_blocks(&launch->info) &&
                          (order.kernel == NULL || strcmp(order.kernel, launch->info.kernel) == 0);
    if (launch->block_count == 0) /* nothing of it was kept */
        return true;
    if (!sink_launch_begin(sink, &launch->info))
        return false;
    for (size_t i = 0; i < launch->block_count; i++) {
        const uint32_t place = reorders ? (uint32_t)i : blocks[i].block;
        const struct spool_block *block =
            reorders ? &blocks[order.of(&launch->info, place)] : &blocks[i];
        if (!give_block(spool, block, place, sink, at))
            return false;
    }
    return sink_launch_end(sink, launch->shared_bytes);
}

bool spool_replay(struct spool *spool, struct block_order order, const struct trace_sink *sink)
{
    uint64_t at = 0;
    if (fflush(spool->file) != 0 || fseeko(spool->file, 0, SEEK_SET) != 0)
        return fail(spool, strerror(errno));
    if (!give_notes(spool->info, sink))
        return false;
    for (size_t i = 0; i < spool->launch_count; i++)
        if (!give_launch(spool, &spool->launches[i], order, sink, &at))
            return false;
    return true;
}
