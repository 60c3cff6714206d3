/* sim_script.c - see the header. */
#include "sim_script.h"

#include "test_support.h"

#include "small_gpu.h"

enum { STORE_BYTES = 1 << 20 };

struct arch script_arch(int64_t sm_count)
{
    struct arch arch = small_gpu_arch(90);
    arch.sm_count = sm_count;
    arch.issue_millicycles = arch.instruction_millicycles = 1000;
    arch.instruction_percent = 100;
    arch.barrier_cycles = 10;
    arch.launch_ns = arch.block_launch_millicycles = arch.warp_launch_millicycles = 0;
    arch.block_start_cycles = arch.warp_start_cycles = 0;
    arch.loads_in_flight = 8;
    arch.requests_in_flight = 64;
    arch.l1_shared_bytes = 0;
    return arch;
}

void script_open(struct script *script, const struct arch *arch, const struct sim_options *options)
{
    static const struct sim_options none = {0};
    *script = (struct script){.block = NULL};
    step_store_init(&script->store, STORE_BYTES);
    assert_true(judge_init(&script->judge, arch, 0));
    assert_true(sim_init(&script->sim, &script->judge, options ? options : &none));
    assert_true(sim_reserve_sites(&script->sim, SCRIPT_SITES));
}

void script_close(struct script *script)
{
    sim_free(&script->sim);
    judge_free(&script->judge);
    step_store_free(&script->store);
}

static void launch(struct script *script, uint32_t blocks_per_sm, uint32_t warps, uint64_t blocks)
{
    const struct occupancy occupancy = {.blocks_per_sm = blocks_per_sm, .warps_per_block = warps};
    assert_true(sim_launch(&script->sim, &occupancy, 0, blocks));
}

void script_launch(struct script *script, uint32_t blocks_per_sm, uint32_t warps, uint32_t watched)
{
    if (watched != SIM_NOBODY)
        assert_true(sim_watch_block(&script->sim, watched));
    launch(script, blocks_per_sm, warps, UINT64_MAX);
}

void script_launch_grid(struct script *script, uint64_t blocks)
{
    launch(script, 1, 1, blocks);
}

void script_finish(struct script *script)
{
    sim_finish(&script->sim);
    assert_null(script->store.error);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

void script_block(struct script *script, uint32_t number, uint32_t warps)
{
    script->block = step_block_new(&script->store, number, warps);
    assert_non_null(script->block);
}

void script_access(struct script *script, uint32_t warp, uint32_t work, uint8_t loads_left,
                   struct warp_access access)
{
    access.warp = warp;
    access.work = (uint16_t)work;
    access.loads_left = loads_left;
    step_block_add_access(script->block, &access);
}

void script_barrier(struct script *script, uint32_t warp, uint32_t work)
{
    step_block_add(script->block, warp, STEP_BARRIER, work);
}

void script_run(struct script *script, uint32_t work)
{
    for (uint32_t warp = 0; warp < script->block->warp_count; warp++)
        step_block_add(script->block, warp, STEP_END, work);
    step_block_close(script->block);
    sim_run_block(&script->sim, script->block);
    step_block_release(script->block);
}

/* ---- What became of them --------------------------------------------------------------------- */

const struct timeline_step *script_step(const struct script *script, uint32_t warp, uint32_t n)
{
    const struct timeline *kept = script->sim.timeline->kept;
    for (size_t i = 0; i < kept->count; i++)
        if (kept->steps[i].warp == warp && n-- == 0)
            return &kept->steps[i];
    fail_msg("warp %u has no such step", warp);
    return NULL;
}

static uint64_t cycles_since_launch(const struct script *script, uint64_t ticks)
{
    uint64_t since = ticks - script->sim.timeline->kept->launch_began;
    assert_int_equal(since % TICKS_PER_CYCLE, 0);
    return since >> TICKS_LOG2;
}

uint64_t script_turn(const struct script *script, uint32_t warp, uint32_t n)
{
    return cycles_since_launch(script, script_step(script, warp, n)->turn);
}

static const struct timeline_span *span_of(const struct script *script, uint32_t warp, uint32_t n,
                                           enum timeline_stage stage)
{
    const struct timeline_step *step = script_step(script, warp, n);
    if (!timeline_has(step, stage))
        fail_msg("step %u of warp %u lacks stage %d", n, warp, (int)stage);
    return &step->span[stage];
}

uint64_t script_first(const struct script *script, uint32_t warp, uint32_t n,
                      enum timeline_stage stage)
{
    return cycles_since_launch(script, span_of(script, warp, n, stage)->first);
}

uint64_t script_last(const struct script *script, uint32_t warp, uint32_t n,
                     enum timeline_stage stage)
{
    return cycles_since_launch(script, span_of(script, warp, n, stage)->last);
}

struct counters script_total(const struct script *script)
{
    struct counters total = {0};
    for (size_t i = 0; i < script->judge.site_count; i++)
        counters_add(&total, &script->judge.sites[i]);
    sim_add_counters(&script->sim, &total);
    return total;
}

const struct counters *script_site(const struct script *script, uint32_t site)
{
    return &script->judge.sites[site];
}
