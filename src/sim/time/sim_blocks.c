/* sim_blocks.c - blocks and their warps begin, meet at barriers, and end. */
#include "sim/time/sim_bulk.h"
#include "sim/time/sim_products.h"
#include "sim/time/sim_warp.h"

static uint64_t next_random(struct sim *sim)
{
    sim->random = sim->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return sim->random >> 33;
}

void sim_go_on_at(struct sim *sim, uint32_t warp, uint64_t ticks)
{
    wheel_add(&sim->wheel, warp, (ticks + TICKS_PER_CYCLE - 1) >> TICKS_LOG2);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

static void warp_begin(struct sim *sim, uint32_t place, uint32_t i, uint64_t at)
{
    uint32_t index = place * sim->warps_per_block + i;
    struct sim_warp *warp = &sim->warps[index];
    const struct sim_block *block = &sim->blocks[place];
    uint64_t late = 0;
    *warp = (struct sim_warp){.place = place};
    sim_forget_copies(sim, index);
    step_cursor_start(&warp->cursor, block->steps, i, &sim->buffers[index]);
    if (sim->options.jitter_cycles)
        late = ticks_of_cycles((int64_t)(next_random(sim) % sim->options.jitter_cycles));
    sim_go_on_at(sim, index, at + late);
}

void sim_block_begin(struct sim *sim, uint32_t place, struct step_block *steps)
{
    struct sim_block *block = &sim->blocks[place];
    struct sm_unit *sm = &sim->sms[place / sim->blocks_per_sm];
    step_block_hold(steps);
    *block = (struct sim_block){.steps = steps,
                                .running = steps->warp_count,
                                .sm = place / sim->blocks_per_sm,
                                .began = sim->now};
    sim->resident++;
    sim_bulk_block(sim, place);
    sim_products_block(sim, place);
    if (sim->timeline && sim->timeline->awaited && sim->timeline->kept->block == steps->block) {
        sim->watched_place = place;
        timeline_begin(sim->timeline, block->sm, steps->warp_count, sim->launch_began, sim->now);
    }
    if (sm->resident_warps == 0)
        sm->active_since = sim->now;
    sm->resident_warps += steps->warp_count;
    uint64_t launch =
        sim->around.times.block_launch + steps->warp_count * sim->around.times.warp_launch;
    uint64_t at = port_take(&sim->dispatcher, sim->now, launch) + sim->around.times.block_start;
    for (uint32_t i = 0; i < steps->warp_count; i++)
        warp_begin(sim, place, i, at + i * sim->around.times.warp_start);
}

static void block_end(struct sim *sim, uint32_t place)
{
    struct sim_block *block = &sim->blocks[place];
    struct sm_unit *sm = &sim->sms[block->sm];
    sm->resident_warps -= block->steps->warp_count;
    if (sm->resident_warps == 0)
        sim->total.active_sm_ticks += sim->now - sm->active_since;
    step_block_release(block->steps);
    block->steps = NULL;
    if (place == sim->watched_place) {
        sim->watched_place = SIM_NOBODY;
        sim->timeline->kept->ended = sim->now;
    }
    sim->resident--;
    if (sim->options.block_ended)
        sim->options.block_ended();
    sim->free_places[sim->free_count++] = place;
}

/* All warps that still run wait at the barrier: they go on. */
static void barrier_opens(struct sim *sim, uint32_t place)
{
    struct sim_block *block = &sim->blocks[place];
    uint32_t first = place * sim->warps_per_block;
    sim->loose.barrier_stall_cycles += (block->waiting * sim->now - block->came) >> TICKS_LOG2;
    block->waiting = 0;
    block->came = 0;
    for (uint32_t i = first; i < first + block->steps->warp_count; i++) {
        if (sim->warps[i].state != WARP_BARRIER)
            continue;
        sim->warps[i].state = WARP_FETCH;
        sim_go_on_at(sim, i, sim->now + sim->around.times.barrier);
        if (place == sim->watched_place)
            timeline_note(sim->timeline->latest[i - first], TIMELINE_BARRIER, sim->now,
                          sim->now + sim->around.times.barrier);
    }
}

void sim_warp_waits_at_barrier(struct sim *sim, struct sim_warp *warp)
{
    struct sim_block *block = &sim->blocks[warp->place];
    warp->state = WARP_BARRIER;
    timeline_note(sim->memory.watched, TIMELINE_BARRIER, sim->now, sim->now);
    sim->loose.barriers++;
    block->came += sim->now;
    if (++block->waiting == block->running)
        barrier_opens(sim, warp->place);
}

void sim_warp_end(struct sim *sim, struct sim_warp *warp)
{
    struct sim_block *block = &sim->blocks[warp->place];
    warp->state = WARP_ENDED;
    timeline_note(sim->memory.watched, TIMELINE_ENDED, sim->now, sim->now);
    sim->total.warp_ticks += sim->now - block->began;
    if (--block->running == 0)
        block_end(sim, warp->place);
    else if (block->waiting == block->running)
        barrier_opens(sim, warp->place);
}
