/* sim.c - building a GPU, launches, windows. The scheduler is in sim_run.c. */
#include "sim/time/sim.h"

#include <stdlib.h>
#include <string.h>

#include "sim/rules/gpc_sms.h"
#include "sim/time/sim_bulk.h"
#include "sim/time/sim_products.h"
#include "sim/time/sim_warp.h"

static bool init_usage(struct sim *sim, const struct arch *arch)
{
    const uint64_t sms = (uint64_t)arch->sm_count;
    const uint64_t capacity[USE_COUNT] = {
        [USE_ISSUE] = sms,
        [USE_LSU] = sms,
        [USE_CONSTANT] = arch->constant_pass_millicycles ? sms : 0,
        [USE_SHARED] = sms,
        [USE_L1] = sms,
        [USE_CROSSBAR] = sms,
        [USE_L2] = sim->memory.has_l2 ? (uint64_t)arch->l2_slices : 0,
        [USE_DRAM] = (uint64_t)arch->dram_partitions,
        [USE_PARTITION] = 1,
        [USE_HOST] = 1,
        [USE_LAUNCH] = 1,
    };
    return usage_start(&sim->usage, (uint32_t)arch->dram_partitions, capacity);
}

/* A table for each GPC; true when there is none to be made. */
static bool init_gpcs(struct sim *sim, const struct arch *arch)
{
    sim->gpc_count = (uint32_t)arch->gpcs;
    if (sim->gpc_count == 0)
        return true;
    sim->gpcs = calloc(sim->gpc_count, sizeof *sim->gpcs);
    for (uint32_t i = 0; i < sim->gpc_count && sim->gpcs; i++) {
        sim->gpcs[i] = (struct gpc_merge){
            .loads = calloc(GPC_MERGE_PLACES, sizeof(struct gpc_load)),
            .most = (uint32_t)arch->gpc_merge_loads,
            .way = ticks_of_cycles(arch->gpc_way_cycles),
        };
        if (sim->gpcs[i].loads == NULL)
            return false;
    }
    return sim->gpcs != NULL;
}

bool sim_init(struct sim *sim, struct judge *judge, const struct sim_options *options)
{
    const struct arch *arch = &judge->arch;
    memset(sim, 0, sizeof *sim);
    sim->judge = judge;
    sim->options = *options;
    sim->random = options->seed;
    sim->watched_place = SIM_NOBODY;
    sim->around = (struct sm_surroundings){
        .times = sm_times_for(arch), .queue = &sim->queue, .judge = judge, .busy = sim->usage.busy};
    sim->launch_ticks = ticks_of_ps(1000 * arch->launch_ns, arch->sm_clock_khz);
    sim->sm_count = (uint32_t)arch->sm_count;
    sim->loads_in_flight = (uint32_t)arch->loads_in_flight;
    sim->sms = aligned_alloc(64, sim->sm_count * sizeof *sim->sms);
    if (sim->sms)
        memset(sim->sms, 0, sim->sm_count * sizeof *sim->sms);
    size_t partitions = (size_t)arch->dram_partitions;
    sim->partition_busy = calloc(partitions, sizeof *sim->partition_busy);
    sim->partition_bytes = calloc(partitions, sizeof *sim->partition_bytes);
    const struct managed_parameters managed = managed_parameters_for(arch);
    if (!sim->sms || !sim->partition_busy || !sim->partition_bytes ||
        !managed_init(&sim->managed, &managed, sim->sm_count) || !memsys_init(&sim->memory, arch) ||
        !judge_init(&sim->beyond, arch, 0) || !request_queue_init(&sim->queue, &sim->memory) ||
        !init_usage(sim, arch) || !init_gpcs(sim, arch)) {
        sim_free(sim);
        return false;
    }
    sim->memory.judge = &sim->beyond;
    if (options->has_thread)
        request_queue_start_thread(&sim->queue);
    return true;
}

static void free_launch(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->sm_count && sim->sms; i++)
        sm_unit_free(&sim->sms[i]);
    wheel_free(&sim->wheel);
    free(sim->blocks);
    free(sim->warps);
    free(sim->queue_next);
    free(sim->queued);
    free(sim->crowded);
    free(sim->loads);
    free(sim->load_answers);
    free(sim->copies);
    sim_bulk_free(sim);
    sim_products_free(sim);
    free(sim->waits[0]);
    free(sim->waits[1]);
    free(sim->buffers);
    free(sim->free_places);
    sim->blocks = NULL;
    sim->warps = NULL;
    sim->queue_next = NULL;
    sim->queued = NULL;
    sim->crowded = NULL;
    sim->loads = NULL;
    sim->load_answers = NULL;
    sim->copies = NULL;
    sim->waits[0] = sim->waits[1] = NULL;
    sim->buffers = NULL;
    sim->free_places = NULL;
}

void sim_free(struct sim *sim)
{
    request_queue_free(&sim->queue);
    judge_free(&sim->beyond);
    for (uint32_t i = 0; i < sim->place_count && sim->blocks; i++)
        if (sim->blocks[i].steps)
            step_block_release(sim->blocks[i].steps);
    free_launch(sim);
    free(sim->sms);
    free(sim->partition_busy);
    free(sim->partition_bytes);
    free(sim->site_bytes);
    free(sim->memory.in_window);
    timeline_recorder_free(sim->timeline);
    free(sim->usage.kept);
    for (uint32_t i = 0; i < sim->gpc_count && sim->gpcs; i++)
        free(sim->gpcs[i].loads);
    free(sim->gpcs);
    memsys_free(&sim->memory);
    managed_free(&sim->managed);
    memset(sim, 0, sizeof *sim);
}

/* Places in the order in which the first blocks take them: one a SM, then a second one each. */
static void list_places(struct sim *sim)
{
    sim->free_count = 0;
    for (uint32_t slot = sim->blocks_per_sm; slot-- > 0;)
        for (uint32_t sm = sim->sm_count; sm-- > 0;)
            sim->free_places[sim->free_count++] = sm * sim->blocks_per_sm + slot;
}

static bool allocate_launch(struct sim *sim, uint64_t l1_bytes)
{
    /* The engines for bulk copies stand behind the warps: they have events, too. */
    size_t warps = (size_t)sim->place_count * sim->warps_per_block + sim->sm_count;
    sim->blocks = calloc(sim->place_count, sizeof *sim->blocks);
    sim->warps = aligned_alloc(64, warps * sizeof *sim->warps);
    sim->queue_next = calloc(warps, sizeof *sim->queue_next);
    sim->queued = calloc(warps, sizeof *sim->queued);
    sim->crowded = calloc(warps, sizeof *sim->crowded);
    sim->loads = aligned_alloc(64, warps * sizeof *sim->loads);
    sim->load_answers = aligned_alloc(64, warps * sizeof *sim->load_answers);
    sim->copies = calloc(warps, sizeof *sim->copies);
    sim->has_copies = false;
    sim->waits[0] =
        malloc(warps * sizeof *sim->waits[0]); /* touched only as far as they are used */
    sim->waits[1] = malloc(warps * sizeof *sim->waits[1]);
    sim->buffers = malloc(warps * sizeof *sim->buffers); /* touched only for chunks in the file */
    sim->free_places = calloc(sim->place_count, sizeof *sim->free_places);
    for (uint32_t i = 0; i < sim->sm_count; i++) {
        if (!sm_unit_init(&sim->sms[i], &sim->judge->arch, l1_bytes))
            return false;
        sim->sms[i].side = sim->memory.sides == 2 ? i % 2 : 0;
    }
    return sim_bulk_init(sim) && sim_products_init(sim) && sim->blocks && sim->warps &&
           sim->queue_next && sim->queued && sim->crowded && sim->loads && sim->load_answers &&
           sim->copies && sim->waits[0] && sim->waits[1] && sim->buffers && sim->free_places &&
           wheel_init(&sim->wheel, (uint32_t)warps);
}

/* Whose bytes lie on the hottest partition of a window that camps: on it twice its fair share. */
static void note_campers(struct sim *sim, const struct usage_window *window)
{
    uint32_t partitions = sim->memory.partition_count, hottest = 0;
    uint64_t sum = 0;
    for (uint32_t p = 0; p < partitions; p++) {
        sum += window->bytes[p];
        if (window->bytes[p] > window->bytes[hottest])
            hottest = p;
    }
    bool camps = window->bytes[hottest] * partitions > 2 * sum;
    for (size_t i = 0; i < sim->memory.in_window_count; i++) {
        const struct site_partition at = sim->memory.in_window[i];
        uint64_t *bytes = &sim->site_bytes[(size_t)at.site * partitions + at.partition];
        if (camps && at.partition == hottest)
            judge_site(sim->judge, at.site)->camped_bytes += *bytes;
        *bytes = 0;
    }
    sim->memory.in_window_count = 0;
}

void sim_close_window(struct sim *sim)
{
    struct usage_window window;
    request_queue_wait(&sim->queue, sim->queue.asked);
    for (size_t i = 0; i < USE_COUNT; i++) {
        sim->usage.busy[i] += sim->memory.busy[i];
        sim->memory.busy[i] = 0;
    }
    for (uint32_t p = 0; p < sim->memory.partition_count; p++) {
        const struct dram_partition *partition = &sim->memory.partitions[p];
        sim->partition_busy[p] = ticks_later(partition->busy, partition->write_busy);
        sim->partition_bytes[p] = partition->bytes_read + partition->bytes_written;
    }
    usage_close(&sim->usage, sim->now, sim->partition_busy, sim->partition_bytes, &window);
    note_campers(sim, &window);
}

static uint64_t whole_cycle(uint64_t ticks)
{
    return (ticks + TICKS_PER_CYCLE - 1) >> TICKS_LOG2 << TICKS_LOG2;
}

/* The GPU begins with a launch: windows until `end` that are of nothing else. */
static void pass_launch_time(struct sim *sim, uint64_t end)
{
    while (sim->now < end) {
        const uint64_t window_end = sim->usage.window_begin + sim->usage.window_ticks;
        const uint64_t to = window_end < end && window_end > sim->now ? window_end : end;
        sim->usage.busy[USE_LAUNCH] += to - sim->now;
        sim->now = to;
        sim_close_window(sim);
    }
}

/* The first blocks go to an SM each, in the order of the SMs. */
static void place_sms_in_gpcs(struct sim *sim, uint64_t blocks)
{
    const uint32_t used = blocks < sim->sm_count ? (uint32_t)blocks : sim->sm_count;
    uint32_t sms[GPCS_MOST], sm = 0;
    if (sim->gpcs == NULL)
        return;
    gpc_sms(&sim->judge->arch, used, sms);
    for (uint32_t gpc = 0; gpc < sim->gpc_count; gpc++)
        for (uint32_t i = 0; i < sms[gpc]; i++)
            sim->sms[sm++].gpc = &sim->gpcs[gpc];
}

bool sim_launch(struct sim *sim, const struct occupancy *occupancy, int64_t shared_bytes,
                uint64_t blocks)
{
    const struct arch *arch = &sim->judge->arch;
    usage_begin_launch(&sim->usage);
    managed_launch(&sim->managed, &sim->loose); /* ends before the kernel's time begins */
    free_launch(sim);
    sim->blocks_per_sm = (uint32_t)occupancy->blocks_per_sm;
    sim->warps_per_block = (uint32_t)occupancy->warps_per_block;
    sim->place_count = sim->sm_count * sim->blocks_per_sm;
    sim->total.l1_bytes = sm_unit_l1_bytes(arch, occupancy, shared_bytes);
    if (!allocate_launch(sim, sim->total.l1_bytes))
        return false;
    place_sms_in_gpcs(sim, blocks);
    list_places(sim);
    for (uint32_t i = 0; i < sim->sm_count; i++)
        sim->warps[sim->place_count * sim->warps_per_block + i] =
            (struct sim_warp){.cursor = {.chunk = sim->buffers}, .state = WARP_ENDED};
    sim->launch_began = sim->now = whole_cycle(sim->now);
    pass_launch_time(sim, sim->now + sim->launch_ticks);
    sim->now = whole_cycle(sim->now);
    sim->wheel.cycle = sim->now >> TICKS_LOG2;
    sim_begin_quanta(sim);
    return true;
}

bool sim_watch_block(struct sim *sim, uint32_t block)
{
    sim->timeline = timeline_recorder_new(block);
    return sim->timeline != NULL;
}

bool sim_reserve_sites(struct sim *sim, size_t count)
{
    request_queue_wait(&sim->queue, sim->queue.asked);
    if (!judge_reserve_sites(sim->judge, count) || !judge_reserve_sites(&sim->beyond, count))
        return false;
    if (count <= sim->site_room)
        return true;
    size_t room = 2 * count, partitions = sim->memory.partition_count;
    uint64_t *bytes = calloc(room * partitions, sizeof *bytes);
    struct site_partition *in_window =
        realloc(sim->memory.in_window, room * partitions * sizeof *in_window);
    if (in_window)
        sim->memory.in_window = in_window;
    if (bytes == NULL || in_window == NULL) {
        free(bytes);
        return false;
    }
    if (sim->site_room)
        memcpy(bytes, sim->site_bytes, sim->site_room * partitions * sizeof *bytes);
    free(sim->site_bytes);
    sim->site_bytes = sim->memory.site_bytes = bytes;
    sim->site_room = room;
    return true;
}

void sim_answer_all(struct sim *sim)
{
    request_queue_wait(&sim->queue, sim->queue.asked);
    judge_move_counters(&sim->beyond, sim->judge);
}

void sim_finish(struct sim *sim)
{
    while (sim->resident || (sim->bulk && sim->bulk->busy))
        sim_run_until_place(sim);
    judge_flush(sim->judge);
    for (uint32_t i = 0; i < sim->sm_count; i++)
        sm_unit_flush(&sim->sms[i], &sim->around, sim->now);
    sim_answer_all(sim);
    uint64_t end = memsys_drain(&sim->memory, sim->now);
    for (uint32_t i = 0; i < sim->sm_count; i++)
        end = ticks_later(end,
                          ticks_later(sim->sms[i].lsu.free_at, sim->sms[i].crossbar_out.free_at));
    sim->total.ticks += end - sim->launch_began;
    sim->now = end;
    if (end > sim->usage.window_begin)
        sim_close_window(sim);
    if (sim->timeline)
        sim->timeline->awaited = false;
}

void sim_drop_launch(struct sim *sim)
{
    request_queue_wait(&sim->queue, sim->queue.asked);
    judge_move_counters(&sim->beyond, NULL);
    usage_drop_launch(&sim->usage);
    if (sim->launch_began == 0) {
        timeline_recorder_free(sim->timeline);
        sim->timeline = NULL;
    }
}

static uint64_t cycles(uint64_t ticks)
{
    return (ticks + TICKS_PER_CYCLE / 2) >> TICKS_LOG2;
}

static void add_limiters(const struct sim *sim, struct counters *c)
{
    uint64_t ticks[USE_COUNT];
    usage_shares(sim->usage.kept, ticks);
#define LIMITER(resource, counter, ...) c->counter += cycles(ticks[USE_##resource]);
#include "sim/counters/limiters.def"
#undef LIMITER
}

void sim_add_counters(const struct sim *sim, struct counters *c)
{
    uint64_t clock_khz = (uint64_t)sim->judge->arch.sm_clock_khz;
    uint64_t warps_per_sm = (uint64_t)sim->judge->arch.warps_per_sm;
    counters_add(c, &sim->loose);
    c->elapsed_cycles += cycles(sim->total.ticks);
    c->elapsed_ns +=
        (uint64_t)((double)sim->total.ticks / TICKS_PER_CYCLE * 1e6 / (double)clock_khz);
    c->resident_warp_cycles += cycles(sim->total.warp_ticks);
    c->warp_room_cycles += cycles(sim->total.active_sm_ticks) * warps_per_sm;
    add_limiters(sim, c);
    usage_partition_bytes(sim->usage.kept, &c->hottest_partition_bytes, &c->mean_partition_bytes);
}
