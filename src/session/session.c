/* session.c - the tracer's accesses go to one judge a GPU; the judges' sites become lines and
 * arrays. */
#include "session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "session/fit.h"

enum { STEPS_IN_MEMORY_BYTES = 24 << 20 };

struct session {
    const struct session_request *request;
    struct result *results;
    size_t sites_reserved;
    struct step_store store;
    struct step_block *block; /* being traced */
    bool launched;            /* the GPUs have begun the launch */
    struct counters *before;  /* by GPU: the totals at the end of the launch before */
};

static void on_launch_begin(void *context, const struct launch_info *launch)
{
    struct session *session = context;
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    for (size_t i = 0; i < session->request->gpu_count; i++) {
        struct result *result = &session->results[i];
        fit_refuse_block(result, launch);
        result->launch = *launch;
        result->total.launches += 1;
        result->total.blocks += blocks;
        result->total.warps += blocks * ((threads + WARP_LANES - 1) / WARP_LANES);
    }
    session->launched = false;
}

/* Room for sites [0, count) under every GPU. */
static bool reserve_sites(struct session *session, size_t count)
{
    if (count <= session->sites_reserved)
        return true;
    session->sites_reserved = count;
    for (size_t i = 0; i < session->request->gpu_count; i++) {
        struct result *result = &session->results[i];
        bool done = result->sim ? sim_reserve_sites(result->sim, count)
                                : judge_reserve_sites(&result->judge, count);
        if (!done || count > UINT16_MAX) {
            tracer_fail("no memory for %zu sites", count);
            session->sites_reserved = 0;
            return false;
        }
    }
    return true;
}

/* The block that the tracer is in. */
static struct step_block *block_of(struct session *session, uint32_t block)
{
    const uint32_t *b = session->results[0].launch.block;
    if (session->block)
        return session->block;
    session->block =
        step_block_new(&session->store, block, (b[0] * b[1] * b[2] + WARP_LANES - 1) / WARP_LANES);
    if (session->block == NULL)
        tracer_fail("no memory for the steps of a block");
    return session->block;
}

static void on_access(void *context, const struct warp_access *access)
{
    struct session *session = context;
    if (!reserve_sites(session, access->site + 1))
        return;
    if (session->request->rules_only) {
        for (size_t i = 0; i < session->request->gpu_count; i++)
            judge_access(&session->results[i].judge, access, NULL);
        return;
    }
    struct step_block *block = block_of(session, access->block);
    if (block)
        step_block_add_access(block, access);
}

/* The first block of a launch has been traced: what a block needs is known. */
static bool begin_launch(struct session *session, uint64_t shared_bytes)
{
    session->launched = true;
    for (size_t i = 0; i < session->request->gpu_count; i++) {
        struct result *result = &session->results[i];
        if (!fit_find_occupancy(result, shared_bytes))
            return false;
        if (session->request->cold_launches)
            memsys_forget(&result->sim->memory);
        if (!managed_update(&result->sim->managed, result->launch.managed,
                            result->launch.managed_count, &result->sim->loose) ||
            !sim_launch(result->sim, &result->occupancy, (int64_t)shared_bytes)) {
            tracer_fail("no memory for the caches and warps of %s", result->gpu->name);
            return false;
        }
    }
    return true;
}

static void block_ends(struct session *session, uint32_t index)
{
    struct step_block *block = block_of(session, index);
    if (block == NULL)
        return;
    step_block_close(block);
    bool ready = reserve_sites(session, 1) &&
                 (session->launched || begin_launch(session, tracer_shared_bytes()));
    for (size_t i = 0; i < session->request->gpu_count && ready; i++)
        sim_run_block(session->results[i].sim, block);
    if (session->store.error)
        tracer_fail("%s", session->store.error);
    step_block_release(block);
    session->block = NULL;
}

static void on_event(void *context, const struct trace_event *event)
{
    struct session *session = context;
    if (session->request->rules_only)
        return;
    if (event->kind == TRACE_BLOCK_END) {
        block_ends(session, event->block);
        return;
    }
    struct step_block *block = block_of(session, event->block);
    if (block)
        step_block_add(block, event->warp, event->kind == TRACE_BARRIER ? STEP_BARRIER : STEP_END,
                       event->work);
}

/* Everything counted so far. */
static struct counters total_of(const struct result *result)
{
    struct counters total = result->total;
    if (result->sim)
        sim_add_counters(result->sim, &total);
    for (size_t i = 0; i < result->judge.site_count; i++)
        counters_add(&total, &result->judge.sites[i]);
    return total;
}

static void note_launch(struct result *result, struct counters *before)
{
    size_t room = (result->launch_count + 1) * sizeof *result->launches;
    struct result_launch *launches = realloc(result->launches, room);
    if (launches == NULL) {
        tracer_fail("no memory for the counters of a launch");
        return;
    }
    result->launches = launches;
    struct result_launch *launch = &launches[result->launch_count++];
    const struct counters total = total_of(result);
    snprintf(launch->kernel, sizeof launch->kernel, "%s", result->launch.kernel);
    memcpy(launch->grid, result->launch.grid, sizeof launch->grid);
    memcpy(launch->block, result->launch.block, sizeof launch->block);
    launch->counters = total;
    counters_subtract(&launch->counters, before);
    *before = total;
}

static void on_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    struct session *session = context;
    for (size_t i = 0; i < session->request->gpu_count; i++) {
        struct result *result = &session->results[i];
        if (result->sim && session->launched)
            sim_finish(result->sim);
        fit_find_occupancy(result, shared_bytes_per_block);
        note_launch(result, &session->before[i]);
    }
}

static bool same_part(const struct result_part *part, const struct trace_site *site, bool by_array)
{
    if (part->space != site->space)
        return false;
    if (by_array)
        return strcmp(part->array, site->array) == 0;
    return part->op == site->op && part->line == site->line && strcmp(part->file, site->file) == 0;
}

/* The part of that line or array, added at the end when it is new. `room` suffices. */
static struct result_part *part_for(struct result_part *parts, size_t *count,
                                    const struct trace_site *site, bool by_array)
{
    for (size_t i = 0; i < *count; i++)
        if (same_part(&parts[i], site, by_array))
            return &parts[i];
    struct result_part *part = &parts[(*count)++];
    *part = by_array
                ? (struct result_part){.array = site->array, .space = site->space}
                : (struct result_part){
                      .file = site->file, .line = site->line, .space = site->space, .op = site->op};
    return part;
}

static int compare_lines(const void *a, const void *b)
{
    const struct result_part *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    if (order == 0)
        order = x->space - y->space;
    return order ? order : x->op - y->op;
}

static bool sum_sites(struct result *result, const struct trace_site *sites, size_t site_count)
{
    result->lines = calloc(site_count + 1, sizeof *result->lines);
    result->arrays = calloc(site_count + 1, sizeof *result->arrays);
    if (result->lines == NULL || result->arrays == NULL)
        return false;
    for (size_t i = 0; i < site_count && i < result->judge.site_count; i++) {
        const struct counters *c = &result->judge.sites[i];
        counters_add(&part_for(result->lines, &result->line_count, &sites[i], false)->counters, c);
        counters_add(&part_for(result->arrays, &result->array_count, &sites[i], true)->counters, c);
        counters_add(&result->total, c);
    }
    qsort(result->lines, result->line_count, sizeof *result->lines, compare_lines);
    return true;
}

static bool finish(struct result *result)
{
    size_t site_count;
    const struct trace_site *sites = tracer_sites(&site_count);
    if (result->launch.block[0] == 0)
        tracer_fail("nothing was launched");
    uint64_t blocks = result->total.blocks;
    uint64_t wave = (uint64_t)(result->occupancy.blocks_per_sm * result->judge.arch.sm_count);
    result->wave_blocks = (uint32_t)(wave < blocks ? wave : blocks);
    if (result->sim)
        sim_add_counters(result->sim, &result->total);
    return sum_sites(result, sites, site_count);
}

/* Enough rows for the first wave on any GPU whose partitions are not hashed: 30 SMs of 8 blocks. */
enum { WAVE_BLOCKS_MAX = 256 };

static bool start_sim(struct result *result)
{
    static const struct sim_options options = {0};
    result->sim = malloc(sizeof *result->sim);
    if (result->sim && sim_init(result->sim, &result->judge, &options))
        return true;
    free(result->sim);
    result->sim = NULL;
    return false;
}

static bool start(const struct session_request *request, struct result *results)
{
    uint32_t asked = request->block_count;
    uint32_t rows = asked > WAVE_BLOCKS_MAX ? asked : WAVE_BLOCKS_MAX;
    for (size_t i = 0; i < request->gpu_count; i++) {
        results[i] =
            (struct result){.kernel = request->kernel,
                            .args = request->args,
                            .label = request->label ? request->label : request->kernel->name,
                            .gpu = request->gpus[i].model,
                            .registers_per_thread = request->registers_per_thread};
        if (!judge_init(&results[i].judge, &request->gpus[i].arch, rows)) {
            tracer_fail("%s: no memory, or no rules for sm_%lld: there are rules for sm_10 to "
                        "sm_13, sm_20, "
                        "sm_21, sm_30 to sm_37, sm_50 to sm_62 and sm_70 to sm_90",
                        results[i].gpu->name, (long long)request->gpus[i].arch.sm);
            return false;
        }
        if (!request->rules_only && !start_sim(&results[i])) {
            tracer_fail("%s: no memory for the model of time", results[i].gpu->name);
            return false;
        }
    }
    return true;
}

const char *session_run(const struct session_request *request, struct result *results)
{
    struct session session = {.request = request, .results = results};
    struct trace_sink sink = {&session, on_launch_begin, on_access, on_launch_end, on_event};
    memset(results, 0, request->gpu_count * sizeof *results);
    session.before = calloc(request->gpu_count, sizeof *session.before);
    step_store_init(&session.store, STEPS_IN_MEMORY_BYTES);
    tracer_start(&sink);
    if (session.before == NULL)
        tracer_fail("no memory for the counters");
    else if (start(request, results))
        request->kernel->run(request->args);
    for (size_t i = 0; i < request->gpu_count && tracer_error() == NULL; i++)
        if (!finish(&results[i]))
            tracer_fail("no memory for the report");
    const char *error = tracer_error();
    if (error)
        session_free(results, request->gpu_count);
    if (session.block) { /* cut short by an error */
        step_block_close(session.block);
        step_block_release(session.block);
    }
    step_store_free(&session.store);
    free(session.before);
    tracer_stop();
    return error;
}

void session_free(struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (results[i].sim)
            sim_free(results[i].sim);
        free(results[i].sim);
        results[i].sim = NULL;
        judge_free(&results[i].judge);
        free(results[i].lines);
        free(results[i].arrays);
        free(results[i].launches);
        results[i].lines = results[i].arrays = NULL;
        results[i].launches = NULL;
    }
}
