/* sampled.c - figures are noted where waves end; the estimates are sampling.c's for the time, left_out.c's for the
 * counters.
 */
#include "session/sampled.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/time/block_kind.h"
#include "sim/time/left_out.h"
#include "stream/stream.h"

struct sampled *sampled_new(void)
{
    return calloc(1, sizeof(struct sampled));
}

void sampled_free(struct sampled *sampled)
{
    if (sampled == NULL)
        return;
    free(sampled->before);
    free(sampled->settled);
    free(sampled->left_out);
    free(sampled);
}

/* Zeros for the sites that are new. */
static bool grow(struct counters **sites, size_t had, size_t room)
{
    struct counters *grown = realloc(*sites, room * sizeof *grown);
    if (grown == NULL)
        return false;
    memset(grown + had, 0, (room - had) * sizeof *grown);
    *sites = grown;
    return true;
}

static bool reserve(struct sampled *s, size_t count)
{
    if (count <= s->room)
        return true;
    const size_t room = 2 * count;
    if (!grow(&s->before, s->room, room) || !grow(&s->settled, s->room, room) ||
        !grow(&s->left_out, s->room, room))
        return false;
    s->room = room;
    return true;
}

void sampled_begin(struct sampled *s, const struct sim *sim, uint64_t blocks,
                   enum result_sampled whole)
{
    sampling_start(&s->plan, sim->place_count, blocks);
    s->why = whole;
    if (whole == SAMPLED_IN_PART && !sampling_is_long(&s->plan))
        s->why = SAMPLED_SHORT;
    if (s->room) {
        memset(s->settled, 0, s->room * sizeof *s->settled);
        memset(s->left_out, 0, s->room * sizeof *s->left_out);
    }
    s->loose_settled = (struct sampled_loose){0};
    s->settled_blocks = 0;
    s->is_in_stretch = false;
}

/* ---- Counters by site ------------------------------------------------------------------------ */

static bool note_sites(struct sampled *s, struct sim *sim)
{
    const struct judge *judge = sim->judge;
    sim_answer_all(sim);
    judge_flush(sim->judge);
    if (!reserve(s, judge->site_count))
        return false;
    memcpy(s->before, judge->sites, judge->site_count * sizeof *judge->sites);
    s->before_count = judge->site_count;
    return true;
}

/* Adds what came since note_sites; false when memory is short. */
static bool add_sites(struct sampled *s, struct sim *sim, bool is_left_out)
{
    const struct judge *judge = sim->judge;
    sim_answer_all(sim);
    judge_flush(sim->judge);
    if (!reserve(s, judge->site_count))
        return false;
    struct counters *to = is_left_out ? s->left_out : s->settled;
    for (size_t i = 0; i < judge->site_count; i++) {
        counters_add(&to[i], &judge->sites[i]);
        if (i < s->before_count)
            counters_subtract(&to[i], &s->before[i]);
    }
    return true;
}

/* ---- Waves that are modelled ----------------------------------------------------------------- */

static void count_lines(const struct memsys *memory, struct sampling_figures *now)
{
    for (uint32_t side = 0; side < memory->sides && memory->has_l2; side++) {
        const struct cache *l2 = &memory->l2[side];
        const size_t lines = (size_t)l2->sets * l2->ways;
        now->lines += lines;
        for (size_t i = 0; i < lines; i++)
            now->free_lines += l2->lines[i].line == CACHE_NO_LINE;
    }
}

/* When all that was begun is through, as sim_finish has it: DRAM may have been given more than it has done. */
static uint64_t through_at(const struct sim *sim)
{
    const struct memsys *memory = &sim->memory;
    uint64_t end = sim->now;
    for (uint32_t i = 0; i < sim->sm_count; i++)
        end = ticks_later(end,
                          ticks_later(sim->sms[i].lsu.free_at, sim->sms[i].crossbar_out.free_at));
    for (uint32_t i = 0; i < memory->partition_count; i++)
        end = ticks_later(end, dram_through_at(&memory->partitions[i], &memory->dram,
                                               memory->map.banks, sim->now));
    return end;
}

static struct sampling_figures figures_now(const struct sim *sim)
{
    struct sampling_figures now = {.ticks = through_at(sim)};
    count_lines(&sim->memory, &now);
    for (size_t i = 0; i < sim->judge->site_count; i++) {
        const struct counters *c = &sim->judge->sites[i];
        now.traffic[0] += c->l1_hit_sectors + c->read_only_hit_sectors;
        now.traffic[1] += (c->crossbar_read_bytes + c->crossbar_write_bytes) / SECTOR_BYTES;
        now.traffic[2] += c->dram_read_sectors;
        now.traffic[3] += c->dram_write_sectors;
    }
    return now;
}

static struct sampled_loose loose_now(const struct sim *sim)
{
    return (struct sampled_loose){sim->now, sim->total.warp_ticks, sim->loose.barrier_stall_cycles};
}

static void add_loose(struct sampled *s, const struct sim *sim)
{
    const struct sampled_loose now = loose_now(sim);
    s->loose_settled.ticks += now.ticks - s->loose_before.ticks;
    s->loose_settled.warp_ticks += now.warp_ticks - s->loose_before.warp_ticks;
    s->loose_settled.barrier_stall_cycles +=
        now.barrier_stall_cycles - s->loose_before.barrier_stall_cycles;
    s->settled_blocks += SAMPLING_GROUP_WAVES * s->plan.wave_blocks;
}

static bool note_wave(struct sampled *s, struct sim *sim)
{
    sim_answer_all(sim);
    const struct sampling_figures now = figures_now(sim);
    switch (sampling_note(&s->plan, &now)) {
    case SAMPLING_GOES_ON:
        break;
    case SAMPLING_GROUP_BEGINS:
        s->loose_before = loose_now(sim);
        return note_sites(s, sim);
    case SAMPLING_GROUP_SETTLED:
        add_loose(s, sim);
        return add_sites(s, sim, false);
    }
    return true;
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void count_step(struct sim *sim, const struct step *step, uint32_t warp)
{
    if (step->kind == STEP_ACCESS) {
        judge_access(sim->judge, &step->access, NULL);
        return;
    }
    if (step->kind == STEP_PRODUCT)
        judge_product(stream_product(step->left), warp, &sim->loose);
    sim->loose.barriers += step->kind == STEP_BARRIER;
    sim->loose.instructions += step->work;
}

/* By the rules alone; barriers, and instructions that belong to no access, are known as well. */
static void count_block(struct sampled *s, struct sim *sim, const struct step_block *block)
{
    for (uint32_t w = 0; w < block->warp_count; w++) {
        struct step_cursor cursor;
        step_cursor_start(&cursor, block, w, &s->chunk);
        do {
            step_cursor_next(&cursor, block, &s->step);
            count_step(sim, &s->step, w);
        } while (s->step.kind != STEP_END);
    }
    if (sim->options.block_ended)
        sim->options.block_ended();
}

bool sampled_run_block(struct sampled *s, struct sim *sim, struct step_block *block)
{
    if (s->why != SAMPLED_IN_PART) {
        sim_run_block(sim, block);
        return true;
    }
    if (!sampling_models(&s->plan, block_kind_of(block->kind, block->warp_count))) {
        if (!s->is_in_stretch && !note_sites(s, sim))
            return false;
        s->is_in_stretch = true;
        count_block(s, sim, block);
        return true;
    }
    if (s->is_in_stretch && !add_sites(s, sim, true))
        return false;
    s->is_in_stretch = false;
    sim_run_block(sim, block);
    return !sampling_ends_wave(&s->plan) || note_wave(s, sim);
}

/* ---- What the blocks left out add ------------------------------------------------------------ */

/* What blocks left out add to what belongs to no site. `times`: how often what warps did in the waves that were
 * measured. */
struct loose_share {
    uint64_t ticks, busy_ticks; /* that they take; in which blocks run */
    double times;
};

/* Blocks may run faster than DRAM takes what they write, which the launch waits for at its end. */
static struct loose_share loose_share_of(const struct sampled *s)
{
    struct loose_share share = {.ticks = (uint64_t)llround(s->plan.ticks)};
    const double times = (double)s->plan.left_out / (double)s->settled_blocks;
    const double busy = fmin(times * (double)s->loose_settled.ticks, s->plan.ticks);
    share.busy_ticks = (uint64_t)busy;
    share.times = busy / (double)s->loose_settled.ticks;
    return share;
}

/* Stalls begin and end in other waves than those in which they are counted: no more of them than there are warps. */
static void limit_stalls(const struct sampled *s, const struct sim *sim, struct loose_share *share)
{
    const double most = (double)(share->busy_ticks * sim->place_count * sim->warps_per_block);
    double stalls = (double)s->loose_settled.barrier_stall_cycles;
    for (size_t i = 0; i < s->room; i++)
        stalls += (double)s->settled[i].stall_cycles;
    if (share->times * stalls * TICKS_PER_CYCLE > most)
        share->times = most / (stalls * TICKS_PER_CYCLE);
}

static void estimate_site(const struct sampled *s, struct judge *judge, uint32_t site,
                          const struct counters *modelled, double times, struct counters *sum)
{
    struct counters added = s->left_out[site];
    left_out_site(&added, &s->settled[site], modelled, &judge->arch);
    added.stall_cycles = (uint64_t)((double)s->settled[site].stall_cycles * times);
    counters_subtract(&added, &s->left_out[site]); /* those are counted */
    counters_add(judge_site(judge, site), &added);
    counters_add(sum, &added);
}

/* Of all sites; *sum gets what is added. */
static bool estimate_sites(const struct sampled *s, struct judge *judge, double times,
                           struct counters *sum)
{
    struct judge_share launch;
    if (!judge_take_share(judge, &launch))
        return false;
    for (size_t i = 0; i < launch.count; i++) {
        const uint32_t site = launch.sites[i];
        if (site >= s->room || s->left_out[site].warp_accesses == 0)
            continue;
        counters_subtract(&launch.added[i], &s->left_out[site]);
        estimate_site(s, judge, site, &launch.added[i], times, sum);
    }
    judge_free_share(&launch);
    return true;
}

/* While blocks wait for a place every SM has some. */
static void estimate_loose(const struct sampled *s, struct sim *sim,
                           const struct loose_share *share, const struct counters *sum)
{
    const uint64_t barriers =
        (uint64_t)((double)s->loose_settled.barrier_stall_cycles * share->times);
    const uint64_t stalls = (sum->stall_cycles + barriers) << TICKS_LOG2;
    const uint64_t most = share->busy_ticks * sim->place_count * sim->warps_per_block;
    uint64_t warp_ticks = (uint64_t)((double)s->loose_settled.warp_ticks * share->times);
    warp_ticks = warp_ticks < most ? warp_ticks : most;
    warp_ticks = warp_ticks > stalls ? warp_ticks : stalls;
    sim->loose.barrier_stall_cycles += barriers;
    sim->total.ticks += share->ticks;
    sim->total.warp_ticks += warp_ticks;
    sim->total.active_sm_ticks += sim->sm_count * share->busy_ticks;
    usage_add_left_out(&sim->usage, share->ticks,
                       SECTOR_BYTES * (sum->dram_read_sectors + sum->dram_write_sectors),
                       sum->camped_bytes);
}

/* Nothing was left out. */
static enum result_sampled why_whole(const struct sampled *s)
{
    if (s->why != SAMPLED_IN_PART)
        return s->why;
    if (s->plan.has_unlike)
        return SAMPLED_UNLIKE;
    return s->plan.has_settled ? SAMPLED_SHORT : SAMPLED_UNSETTLED;
}

static void tell(const struct sampled *s, struct result_sampling *told)
{
    const struct sampling *plan = &s->plan;
    *told = (struct result_sampling){.is_asked = true};
    if (plan->left_out == 0) {
        told->launches[why_whole(s)]++;
        return;
    }
    told->launches[SAMPLED_IN_PART]++;
    told->blocks = plan->taken;
    told->left_out = plan->left_out;
    told->waves = (plan->taken + plan->wave_blocks - 1) / plan->wave_blocks;
    told->waves_modelled = told->waves - plan->left_out / plan->wave_blocks;
    told->ticks = plan->ticks;
    told->error_ticks = plan->error_ticks;
}

bool sampled_end(struct sampled *s, struct sim *sim, struct result_sampling *told)
{
    struct counters sum = {0};
    if (s->is_in_stretch && !add_sites(s, sim, true))
        return false;
    s->is_in_stretch = false;
    sampling_end(&s->plan);
    tell(s, told);
    if (s->plan.left_out == 0)
        return true;
    struct loose_share share = loose_share_of(s);
    limit_stalls(s, sim, &share);
    if (!estimate_sites(s, sim->judge, share.times, &sum))
        return false;
    estimate_loose(s, sim, &share, &sum);
    return true;
}
