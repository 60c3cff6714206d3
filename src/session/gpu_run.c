/* gpu_run.c - rules alone: every access is judged as it comes. With the model of time: blocks of steps
 * run as they are complete; a launch begins with its first block, since only then is known what
 * shared memory a block needs. */
#include "session/gpu_run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/capabilities.h"
#include "result/shrink.h"
#include "session/sums.h"
#include "stream/launch_size.h"
#include "text/characters.h"
#include "text/memory.h"
#include "text/progress.h"
#include "text/text.h"

/* Enough rows for the first wave on any GPU whose partitions are not hashed: 30 SMs of 8 blocks. */
enum { WAVE_BLOCKS_MAX = 256, SITES_MAX = UINT16_MAX };

static bool fail(struct gpu_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool fail(struct gpu_run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->message, sizeof run->message, format, arguments);
    va_end(arguments);
    return false;
}

/* Who goes on after a run that failed, as advice does, learns that this one may not be left out. */
#define NO_MEMORY(run, ...) (memory_note_failure(), fail(run, __VA_ARGS__))

/* Rows of the table that follow one another are told as one. */
static bool fail_without_rules(struct gpu_run *run, const struct session_gpu *of)
{
    struct text known;
    text_start(&known);
    for (size_t i = 0; i < capability_count; i++) {
        const size_t first = i;
        while (i + 1 < capability_count &&
               capabilities[i + 1].sm_first == capabilities[i].sm_last + 1)
            i++;
        text_add(&known, "%ssm_%" PRId64 " to sm_%" PRId64, first ? ", " : "",
                 capabilities[first].sm_first, capabilities[i].sm_last);
    }
    return fail(run, "%s: no rules for sm_%" PRId64 ": there are rules for %s", of->model->name,
                of->arch.sm, known.s);
}

static void block_ended(void)
{
    progress_block_done(1);
}

bool gpu_run_start(struct gpu_run *run, const struct session_request *request, size_t gpu,
                   struct result *result)
{
    const struct sim_options options = {.block_ended = block_ended,
                                        .has_thread = request->processors > request->gpu_count};
    uint32_t asked = request->block_count;
    const struct session_gpu *of = &request->gpus[gpu];
    *run = (struct gpu_run){.request = request, .result = result};
    result->gpu = of->model;
    result->gpu_index = gpu;
    result->registers_per_thread = request->registers_per_thread;
    result->arch = of->arch;
    result->cold_launches = request->cold_launches && !request->rules_only;
    if (!judge_init(&run->judge, &of->arch, asked > WAVE_BLOCKS_MAX ? asked : WAVE_BLOCKS_MAX))
        return capability_find(of->arch.sm) == NULL
                   ? fail_without_rules(run, of)
                   : NO_MEMORY(run, "%s: no memory for the counters", of->model->name);
    result->rules = run->judge.rules;
    if (!request->rules_only && !sim_init(&run->sim, &run->judge, &options))
        return NO_MEMORY(run, "%s: no memory for the model of time", of->model->name);
    result->sampling.is_asked = request->samples && !request->rules_only;
    if (result->sampling.is_asked && (run->sampled = sampled_new()) == NULL)
        return NO_MEMORY(run, "%s: no memory for a sample", of->model->name);
    return true;
}

bool gpu_run_launch_begin(struct gpu_run *run, const struct launch_info *launch)
{
    struct result *result = run->result;
    uint64_t blocks = launch_blocks(launch);
    uint64_t threads = launch_threads(launch);
    if (!fit_allows_block(&result->arch, result->gpu->name, launch, run->message))
        return false;
    run->launch = *launch;
    run->before = *result;
    judge_begin_launch(&run->judge, blocks);
    memcpy(result->grid, launch->grid, sizeof result->grid);
    memcpy(result->block, launch->block, sizeof result->block);
    result->total.launches += 1;
    result->total.blocks += blocks;
    result->total.warps += blocks * ((threads + WARP_LANES - 1) / WARP_LANES);
    if (run->request->registers_per_thread == 0)
        result->registers_per_thread = launch->registers;
    run->launched = false;
    return true;
}

/* Room for sites [0, count). */
static bool reserve_sites(struct gpu_run *run, size_t count)
{
    if (count > SITES_MAX)
        return fail(run, "more than %d sites: places in the source times arrays", SITES_MAX);
    if (count <= run->judge.site_count)
        return true;
    bool done = run->request->rules_only ? judge_reserve_sites(&run->judge, count)
                                         : sim_reserve_sites(&run->sim, count);
    return done || NO_MEMORY(run, "no memory for %zu sites", count);
}

static bool has_async(const struct capability *capability)
{
    return capability->has_async_copies;
}

/* As clusters. */
static bool has_bulk(const struct capability *capability)
{
    return capability->has_bulk_copies;
}

bool gpu_run_allows_copy(struct gpu_run *run, const struct warp_access *access)
{
    const struct result *result = run->result;
    const struct trace_site *site = &result->info->sites[access->site];
    const bool bulk = access->bulk != NULL, remote = !bulk && access_is_remote(access);
    bool (*has)(const struct capability *) = bulk || remote ? has_bulk : has_async;
    const struct capability *first = capability_first(has);
    return has(capability_find(result->arch.sm)) ||
           fail(run,
                "%s:%" PRIu32 ": %s: %s is sm_%" PRId64 ", and sm_%" PRId64
                " (%s) is the first that has them",
                site->file, site->line,
                bulk     ? "a bulk copy (cp.async.bulk)"
                : remote ? "an access of another block's shared memory (a cluster's)"
                         : "an asynchronous copy (cp.async)",
                result->gpu->name, result->arch.sm, first->sm_first, first->generation);
}

bool gpu_run_access(struct gpu_run *run, const struct warp_access *access)
{
    if (!reserve_sites(run, (size_t)access->site + 1))
        return false;
    judge_access(&run->judge, access, NULL);
    return true;
}

void gpu_run_product(struct gpu_run *run, const struct trace_copy *product)
{
    judge_product(stream_product(product->left), product->warp, &run->result->total);
}

/* The block whose timeline is wanted: of the first launch. The first wave starts all at once on idle caches and
 * buses, so the one behind it shows better how a block fares. */
static bool watch_block(struct gpu_run *run)
{
    const struct result *result = run->result;
    uint64_t wave = (uint64_t)(result->occupancy.blocks_per_sm * result->arch.sm_count);
    uint32_t block = result->total.blocks > wave ? (uint32_t)wave : 0;
    if (!run->request->timeline || result->total.launches != 1)
        return true;
    if (run->request->timeline_block)
        block = *run->request->timeline_block;
    return sim_watch_block(&run->sim, block);
}

static uint64_t blocks_of(const struct gpu_run *run)
{
    const uint32_t *g = run->launch.grid;
    return (uint64_t)g[0] * g[1] * g[2];
}

static void begin_sample(struct gpu_run *run)
{
    const enum result_sampled whole = run->request->timeline      ? SAMPLED_TIMELINE
                                      : run->launch.managed_count ? SAMPLED_MANAGED
                                                                  : SAMPLED_IN_PART;
    if (run->sampled)
        sampled_begin(run->sampled, &run->sim, blocks_of(run), whole);
}

static bool begin_in_time(struct gpu_run *run, uint64_t shared_bytes)
{
    struct result *result = run->result;
    run->launched = true;
    if (!fit_find_occupancy(result, shared_bytes, run->message))
        return false;
    if (result->cold_launches)
        memsys_forget(&run->sim.memory);
    if (managed_update(&run->sim.managed, run->launch.managed, run->launch.managed_count,
                       &run->sim.loose) &&
        watch_block(run) &&
        sim_launch(&run->sim, &result->occupancy, (int64_t)shared_bytes, blocks_of(run))) {
        begin_sample(run);
        return true;
    }
    return NO_MEMORY(run, "no memory for the caches and warps of %s", result->gpu->name);
}

bool gpu_run_block(struct gpu_run *run, struct step_block *block, size_t site_count,
                   uint64_t shared_bytes)
{
    if (!reserve_sites(run, site_count ? site_count : 1) ||
        (!run->launched && !begin_in_time(run, shared_bytes)))
        return false;
    if (run->sampled == NULL)
        sim_run_block(&run->sim, block);
    else if (!sampled_run_block(run->sampled, &run->sim, block))
        return NO_MEMORY(run, "no memory for the counters of a sample");
    const char *error = step_store_error(block->store);
    return error == NULL || NO_MEMORY(run, "%s", error);
}

/* The launch's share of what belongs to no site. */
static struct counters take_apart(struct gpu_run *run)
{
    struct counters share = run->result->total, apart = {0};
    if (!run->request->rules_only)
        sim_add_counters(&run->sim, &apart);
    counters_add(&share, &apart);
    counters_subtract(&share, &run->before.total);
    counters_subtract(&share, &run->apart);
    run->apart = apart;
    return share;
}

/* Adds it to the result's launches, while there is room. */
static bool add_launch(struct gpu_run *run, const struct result_launch *launch)
{
    struct result *result = run->result;
    if (result->launch_count == RESULT_LAUNCHES_MAX)
        return true;
    size_t room = (result->launch_count + 1) * sizeof *result->launches;
    struct result_launch *launches = realloc(result->launches, room);
    if (launches == NULL)
        return NO_MEMORY(run, "no memory for the counters of a launch");
    result->launches = launches;
    launches[result->launch_count++] = *launch;
    return true;
}

static bool keep_launch(struct gpu_run *run, uint64_t number, const struct counters *apart,
                        const struct result_launch *launch)
{
    if (run->repeats == NULL)
        run->repeats = calloc(1, sizeof *run->repeats);
    return (run->repeats && repeats_keep(run->repeats, run->result, &run->judge, number, apart,
                                         &run->told, launch)) ||
           NO_MEMORY(run, "no memory for the figures of a launch that is repeated");
}

static bool note_launch(struct gpu_run *run, uint64_t number)
{
    const struct result *result = run->result;
    const struct counters apart = take_apart(run);
    struct result_launch launch = {.counters = apart};
    const bool is_listed = result->launch_count < RESULT_LAUNCHES_MAX;
    snprintf(launch.kernel, sizeof launch.kernel, "%s", run->launch.kernel);
    text_make_printable(launch.kernel); /* a character that is cut */
    memcpy(launch.grid, result->grid, sizeof launch.grid);
    memcpy(launch.block, result->block, sizeof launch.block);
    if ((is_listed || run->launch.may_repeat) && !judge_add_launch(&run->judge, &launch.counters))
        return NO_MEMORY(run, "no memory for the counters of a launch");
    return (!run->launch.may_repeat || keep_launch(run, number, &apart, &launch)) &&
           add_launch(run, &launch);
}

bool gpu_run_launch_end(struct gpu_run *run, uint64_t shared_bytes, uint64_t number)
{
    if (run->launched)
        sim_finish(&run->sim);
    if (run->launched && run->sampled && !sampled_end(run->sampled, &run->sim, &run->told))
        return NO_MEMORY(run, "no memory for the counters of a sample");
    if (run->launched && run->sampled)
        result_sampling_add(&run->result->sampling, &run->told);
    return fit_find_occupancy(run->result, shared_bytes, run->message) && note_launch(run, number);
}

bool gpu_run_launch_repeats(struct gpu_run *run, uint64_t number)
{
    const struct repeatable *kept =
        run->repeats ? repeats_count(run->repeats, run->result, &run->judge, number) : NULL;
    if (kept == NULL)
        return fail(run, "a launch repeats one whose figures were not kept");
    struct result_launch launch = kept->launch;
    launch.repeats = kept->place;
    return add_launch(run, &launch);
}

bool gpu_run_launch_drop(struct gpu_run *run)
{
    *run->result = run->before;
    if (run->launched)
        sim_drop_launch(&run->sim);
    judge_flush(&run->judge);
    return judge_drop_launch(&run->judge) ||
           NO_MEMORY(run, "no memory for the counters of a launch");
}

static void hand_over_partitions(struct gpu_run *run)
{
    const uint32_t asked = run->request->block_count, wave = run->result->wave_blocks;
    struct partition_table *table = &run->judge.partitions;
    const uint32_t wanted = asked > wave ? asked : wave;
    if (table->count == 0)
        return;
    table->block_count = wanted < table->block_count ? wanted : table->block_count;
    table->rows =
        shrink(table->rows, ((size_t)table->block_count + 1) * table->count * sizeof *table->rows);
    run->result->partitions = *table;
    table->rows = NULL;
}

/* The simulator's figures become the result's. */
static void hand_over(struct gpu_run *run)
{
    struct result *result = run->result;
    struct judge *judge = &run->judge;
    if (!run->request->rules_only) {
        counters_add(&result->total, &run->apart);
        result->usage = usage_take(&run->sim.usage);
        result->timeline = timeline_take(run->sim.timeline);
    }
    if (run->repeats)
        repeats_hand_over(run->repeats, result);
    hand_over_partitions(run);
    result->sums = judge->sites;
    judge->sites = NULL;
    gpu_run_free(run);
}

static bool keep_sites(struct result *result, size_t met)
{
    result->sites = calloc(met + 1, sizeof *result->sites);
    if (result->sites == NULL)
        return false;
    memcpy(result->sites, result->sums, met * sizeof *result->sites);
    result->site_count = met;
    return true;
}

bool gpu_run_finish(struct gpu_run *run)
{
    struct result *result = run->result;
    uint64_t blocks = result->total.blocks;
    uint64_t wave = (uint64_t)(result->occupancy.blocks_per_sm * result->arch.sm_count);
    const size_t met = run->judge.site_count;
    result->wave_blocks = (uint32_t)(wave < blocks ? wave : blocks);
    hand_over(run);
    return ((!run->request->keeps_sites || keep_sites(result, met)) && sums_make(result, met)) ||
           NO_MEMORY(run, "no memory for the report");
}

void gpu_run_free(struct gpu_run *run)
{
    sim_free(&run->sim);
    judge_free(&run->judge);
    sampled_free(run->sampled);
    run->sampled = NULL;
    if (run->repeats)
        repeats_free(run->repeats);
    free(run->repeats);
    run->repeats = NULL;
}
