/* sim_bulk.c - see sim_bulk.h. What is decided: a piece a cycle [?]; a wait for stores ends when their last piece has left the SM [?]; data in
 * managed memory are taken to be on the GPU. */
#include "sim/time/sim_bulk.h"

#include <stdlib.h>

/* ---- Launches and blocks --------------------------------------------------------------------------- */

bool sim_bulk_init(struct sim *sim)
{
    const size_t warps = (size_t)sim->place_count * sim->warps_per_block;
    struct sim_bulk *bulk = sim->bulk = calloc(1, sizeof *sim->bulk);
    if (bulk == NULL)
        return false;
    bulk->free_job = SIM_NOBODY;
    bulk->first = malloc(sim->sm_count * sizeof *bulk->first);
    bulk->last = malloc(sim->sm_count * sizeof *bulk->last);
    bulk->phases = calloc(sim->place_count, sizeof *bulk->phases); /* touched where they are used */
    bulk->groups = calloc(warps, sizeof *bulk->groups);
    for (uint32_t i = 0; i < sim->sm_count && bulk->first; i++)
        bulk->first[i] = SIM_NOBODY;
    return bulk->first && bulk->last && bulk->phases && bulk->groups;
}

void sim_bulk_free(struct sim *sim)
{
    if (sim->bulk == NULL)
        return;
    free(sim->bulk->jobs);
    free(sim->bulk->first);
    free(sim->bulk->last);
    free(sim->bulk->phases);
    free(sim->bulk->groups);
    free(sim->bulk);
    sim->bulk = NULL;
}

void sim_bulk_block(struct sim *sim, uint32_t place)
{
    struct sim_bulk *bulk = sim->bulk;
    sim->blocks[place].serial = ++bulk->serial;
    if (!bulk->used)
        return;
    for (uint32_t i = 0; i < SIM_PHASES; i++)
        bulk->phases[place][i] = (struct sim_phase){0};
    for (uint32_t i = 0; i < sim->warps_per_block; i++)
        bulk->groups[place * sim->warps_per_block + i] = (struct sim_bulk_groups){0};
}

/* ---- Phases ---------------------------------------------------------------------------------------- */

/* The block's slot for a barrier; of more than there is room for one that others have had. */
uint32_t sim_phase_slot(struct sim *sim, uint32_t place, uint32_t barrier)
{
    struct sim_phase *phases = sim->bulk->phases[place];
    const uint32_t first = (barrier >> 3) % SIM_PHASES;
    sim->bulk->used = true;
    for (uint32_t i = 0; i < SIM_PHASES; i++) {
        const uint32_t slot = (first + i) % SIM_PHASES;
        if (phases[slot].used && phases[slot].barrier == barrier)
            return slot;
        if (!phases[slot].used) {
            phases[slot] = (struct sim_phase){.used = true, .barrier = barrier};
            return slot;
        }
    }
    phases[first] = (struct sim_phase){.used = true, .barrier = barrier, .phase = UINT32_MAX};
    return first;
}

/* What comes to a later phase says that those before are over. */
void sim_phase_turn_to(struct sim_phase *phase, uint32_t number)
{
    if (number <= phase->phase)
        return;
    phase->phase = number;
    phase->arrived = phase->bytes = 0;
}

/* Those of the block that wait look again. */
void sim_bulk_wake(struct sim *sim, uint32_t place)
{
    struct sim_block *block = &sim->blocks[place];
    const uint32_t first = place * sim->warps_per_block;
    for (uint32_t i = first; block->awaiting && i < first + sim->warps_per_block; i++) {
        if (sim->warps[i].state != WARP_AWAITS)
            continue;
        block->awaiting--;
        sim->warps[i].state = WARP_ISSUED;
        sim->loose.barrier_stall_cycles += (sim->now - sim->queued[i]) >> TICKS_LOG2;
        sim_go_on_at(sim, i, sim->now);
    }
}

static void await(struct sim *sim, uint32_t index, uint64_t at)
{
    sim->queued[index] = at > sim->now ? sim->now : at;
    sim->warps[index].state = WARP_AWAITS;
    sim->blocks[sim->warps[index].place].awaiting++;
    timeline_note(sim->memory.watched, TIMELINE_BARRIER, sim->now, sim->now);
}

/* What a warp has waited for as at a barrier is there. */
static void note_arrival(struct sim *sim)
{
    struct timeline_step *watched = sim->memory.watched;
    if (watched && timeline_has(watched, TIMELINE_BARRIER))
        timeline_note(watched, TIMELINE_BARRIER, sim->now, sim->now);
}

uint64_t sim_phase_done(const struct sim *sim, uint32_t index, uint32_t slot)
{
    struct sim_phase *phase = &sim->bulk->phases[sim->warps[index].place][slot];
    if (phase->asks && !request_queue_knows(&sim->queue, phase->asked))
        return SIM_NOT_KNOWN;
    if (phase->asks)
        phase->data = ticks_later(phase->data, phase->answer);
    phase->asks = false;
    return ticks_later(sim->now, phase->data);
}

void sim_book_phase(struct sim *sim, uint32_t index, uint32_t slot, uint64_t at, uint64_t ready)
{
    const struct sim_phase *phase = &sim->bulk->phases[sim->warps[index].place][slot];
    if (phase->has_site)
        judge_site(sim->judge, phase->site)->stall_cycles += (ready - at) >> TICKS_LOG2;
    timeline_note(sim->memory.watched, TIMELINE_LOADS, at, ready);
}

static void go_on(struct sim *sim, uint32_t index, uint64_t at)
{
    sim->warps[index].state = WARP_FETCH;
    sim_go_on_at(sim, index, at);
}

static void wait_for_phase(struct sim *sim, uint32_t index, const struct step_phase *wanted,
                           uint64_t at)
{
    const uint32_t place = sim->warps[index].place,
                   slot = sim_phase_slot(sim, place, wanted->barrier);
    const struct sim_phase *phase = &sim->bulk->phases[place][slot];
    if (phase->phase < wanted->phase ||
        (phase->phase == wanted->phase &&
         (phase->arrived < wanted->needs || phase->bytes < wanted->bytes))) {
        await(sim, index, at);
        return;
    }
    const uint64_t ready = sim_phase_done(sim, index, slot);
    note_arrival(sim);
    sim->warps[index].state = WARP_ISSUED;
    if (ready == SIM_NOT_KNOWN) {
        sim_wait_for_phase(sim, index, slot, at);
    } else if (ready > at) {
        sim_book_phase(sim, index, slot, at, ready);
        sim_go_on_at(sim, index, ready);
    } else {
        go_on(sim, index, at);
    }
}

static void arrive(struct sim *sim, uint32_t index, const struct step_phase *with)
{
    const uint32_t place = sim->warps[index].place;
    struct sim_phase *phase = &sim->bulk->phases[place][sim_phase_slot(sim, place, with->barrier)];
    sim_phase_turn_to(phase, with->phase);
    if (with->phase == phase->phase)
        phase->arrived += with->needs;
    sim_bulk_wake(sim, place);
}

/* ---- Groups of stores -------------------------------------------------------------------------------- */

/* When all groups but the latest `left` are written; SIM_NOT_KNOWN: some have not been sent. */
static uint64_t groups_done(const struct sim *sim, uint32_t index, uint32_t left, uint32_t *site)
{
    const struct sim_bulk_groups *groups = &sim->bulk->groups[index];
    uint64_t ready = sim->now;
    uint32_t n = groups->groups < SIM_BULK_GROUPS ? 0 : groups->groups - (SIM_BULK_GROUPS - 1);
    for (; n + left < groups->groups; n++) {
        if (groups->group[n % SIM_BULK_GROUPS].unsent)
            return SIM_NOT_KNOWN;
        if (groups->group[n % SIM_BULK_GROUPS].data > ready) {
            ready = groups->group[n % SIM_BULK_GROUPS].data;
            *site = groups->group[n % SIM_BULK_GROUPS].site;
        }
    }
    return ready;
}

/* A commit needs a free group. */
static void finish_groups(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    struct sim_bulk_groups *groups = &sim->bulk->groups[index];
    const uint32_t most = SIM_BULK_GROUPS - 2;
    const uint32_t left = step->kind == STEP_BULK_WAIT && step->left < most ? step->left : most;
    uint32_t site = SIM_NOBODY;
    const uint64_t ready = groups_done(sim, index, left, &site);
    sim->bulk->used = true;
    if (ready == SIM_NOT_KNOWN) {
        await(sim, index, at);
        return;
    }
    note_arrival(sim);
    if (ready > at) {
        if (site != SIM_NOBODY)
            judge_site(sim->judge, site)->stall_cycles += (ready - at) >> TICKS_LOG2;
        timeline_note(sim->memory.watched, TIMELINE_LOADS, at, ready);
        sim->warps[index].state = WARP_ISSUED;
        sim_go_on_at(sim, index, ready);
        return;
    }
    if (step->kind == STEP_BULK_COMMIT) {
        const uint32_t next = ++groups->groups % SIM_BULK_GROUPS;
        groups->group[next].unsent = 0;
        groups->group[next].data = 0;
    }
    go_on(sim, index, at);
}

void sim_bulk_step(struct sim *sim, uint32_t index, const struct step *step, uint64_t at)
{
    if (step->kind == STEP_PHASE_WAIT) {
        wait_for_phase(sim, index, &step->phase, at);
    } else if (step->kind == STEP_PHASE_ARRIVE) {
        arrive(sim, index, &step->phase);
        go_on(sim, index, at);
    } else {
        finish_groups(sim, index, step, at);
    }
}

bool sim_bulk_release(struct sim *sim)
{
    bool some = false;
    for (uint32_t place = 0; place < sim->place_count; place++) {
        if (!sim->blocks[place].steps || sim->blocks[place].awaiting == 0)
            continue;
        some = true;
        for (uint32_t i = 0; i < SIM_PHASES; i++)
            sim->bulk->phases[place][i].phase = UINT32_MAX;
        sim_bulk_wake(sim, place);
    }
    return some;
}
