/* sim_bulk.c - see sim_bulk.h. What is decided: a piece a cycle [?]; a wait for stores ends when their last piece has left the SM [?]; data in
 * managed memory are taken to be on the GPU. */
#include "sim/time/sim_bulk.h"

#include <stdlib.h>

#include "sim/rules/sectors.h"
#include "sim/time/sm_trip.h"

enum { WORD_LOG2 = 2 };

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
static uint32_t slot_of(struct sim *sim, uint32_t place, uint32_t barrier)
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
static void turn_to(struct sim_phase *phase, uint32_t number)
{
    if (number <= phase->phase)
        return;
    phase->phase = number;
    phase->arrived = phase->bytes = 0;
}

/* Those of the block that wait look again. */
static void wake_block(struct sim *sim, uint32_t place)
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
                   slot = slot_of(sim, place, wanted->barrier);
    const struct sim_phase *phase = &sim->bulk->phases[place][slot];
    if (phase->phase < wanted->phase ||
        (phase->phase == wanted->phase &&
         (phase->arrived < wanted->needs || phase->bytes < wanted->bytes))) {
        await(sim, index, at);
        return;
    }
    const uint64_t ready = sim_phase_done(sim, index, slot);
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
    struct sim_phase *phase = &sim->bulk->phases[place][slot_of(sim, place, with->barrier)];
    turn_to(phase, with->phase);
    if (with->phase == phase->phase)
        phase->arrived += with->needs;
    wake_block(sim, place);
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

/* ---- The engine --------------------------------------------------------------------------------------- */

static uint32_t take_job(struct sim_bulk *bulk)
{
    const uint32_t job = bulk->free_job;
    if (job != SIM_NOBODY) {
        bulk->free_job = bulk->jobs[job].next;
        return job;
    }
    if (bulk->job_count == bulk->job_room) {
        const uint32_t room = 2 * bulk->job_room + 64;
        struct sim_bulk_job *grown = realloc(bulk->jobs, room * sizeof *grown);
        if (grown == NULL)
            return SIM_NOBODY;
        bulk->jobs = grown;
        bulk->job_room = room;
    }
    return bulk->job_count++;
}

static uint32_t engine_of(const struct sim *sim, uint32_t sm)
{
    return sim->place_count * sim->warps_per_block + sm;
}

bool sim_bulk_begin(struct sim *sim, uint32_t index, const struct warp_access *access, uint64_t at)
{
    struct sim_bulk *bulk = sim->bulk;
    const uint32_t place = sim->warps[index].place, sm = sim->blocks[place].sm,
                   number = take_job(bulk);
    if (number == SIM_NOBODY)
        return false;
    bulk->used = true;
    bulk->jobs[number] = (struct sim_bulk_job){
        .access = *access,
        .copy = *access->bulk,
        .warp = index,
        .place = place,
        .group = bulk->groups[index].groups,
        .serial = sim->blocks[place].serial,
        .next = SIM_NOBODY,
    };
    if (access->op != OP_LOAD)
        bulk->groups[index].group[bulk->groups[index].groups % SIM_BULK_GROUPS].unsent++;
    if (bulk->first[sm] == SIM_NOBODY) {
        bulk->first[sm] = number;
        bulk->busy++;
        sim_go_on_at(sim, engine_of(sim, sm), at);
    } else {
        bulk->jobs[bulk->last[sm]].next = number;
    }
    bulk->last[sm] = number;
    return true;
}

/* The words of a line that [begin, end) of it writes, as bits. */
static uint32_t words_of(uint32_t begin, uint32_t end)
{
    const uint32_t to = end >> WORD_LOG2, from = begin >> WORD_LOG2;
    return (to == 32 ? UINT32_MAX : (1U << to) - 1) & ~((1U << from) - 1);
}

static void send_line(struct trip *trip, const struct sim_bulk_job *job, uint64_t begin,
                      uint64_t end)
{
    const uint32_t from = begin % LINE_BYTES, to = (uint32_t)(end - 1) % LINE_BYTES + 1;
    struct memsys_request request = {
        .line = cache_line_number(begin >> LINE_LOG2),
        .site = job->access.site,
        .side = (uint8_t)trip->sm->side,
        .host = (job->access.flags & ACCESS_HOST) != 0,
    };
    request.sectors =
        (ALL_SECTORS << (from >> SECTOR_LOG2)) & (ALL_SECTORS >> (3 - ((to - 1) >> SECTOR_LOG2)));
    if (job->access.op != OP_LOAD) {
        request.words = words_of(from, to);
        sm_send_or_hold(trip, &request);
        return;
    }
    const uint64_t data = sm_fetch(trip, &request, NULL, false);
    trip->sm->result.data = ticks_later(trip->sm->result.data, data);
}

static void send_piece(struct trip *trip, const struct sim_bulk_job *job,
                       const struct bulk_piece *piece)
{
    const uint64_t end = piece->global + piece->bytes;
    for (uint64_t at = piece->global; at < end && !piece->is_outside;) {
        const uint64_t line_end = (at / LINE_BYTES + 1) * LINE_BYTES;
        const uint64_t to = line_end < end ? line_end : end;
        send_line(trip, job, at, to);
        at = to;
    }
    trip->sm->at += TICKS_PER_CYCLE;
}

static bool is_there(const struct sim *sim, const struct sim_bulk_job *job)
{
    return sim->blocks[job->place].steps && sim->blocks[job->place].serial == job->serial;
}

/* Sends pieces of the copy up to `ahead`; true when it is through. */
static bool send_pieces(struct trip *trip, struct sim_bulk_job *job, uint64_t ahead)
{
    struct bulk_piece piece;
    job->access.bulk = job->pieces.copy = &job->copy; /* the pool may have moved */
    if (!job->began)
        bulk_pieces_start(&job->pieces, &job->access);
    job->began = true;
    while (trip->sm->at <= ahead) {
        if (!bulk_pieces_next(&job->pieces, &piece))
            return true;
        send_piece(trip, job, &piece);
    }
    return false;
}

/* Its bytes come to their phase, or its group has one less to send. */
static void end_job(struct sim *sim, const struct sim_bulk_job *job, uint64_t at)
{
    if (!is_there(sim, job))
        return;
    if (job->access.op == OP_LOAD) {
        struct sim_phase *phase =
            &sim->bulk->phases[job->place][slot_of(sim, job->place, (uint32_t)job->copy.barrier)];
        turn_to(phase, job->copy.phase);
        if (phase->phase == job->copy.phase)
            phase->bytes += (uint32_t)bulk_copy_bytes(&job->copy);
        phase->site = job->access.site;
        phase->has_site = true;
    } else {
        struct sim_bulk_groups *groups = &sim->bulk->groups[job->warp];
        const uint32_t group = job->group % SIM_BULK_GROUPS;
        groups->group[group].unsent -= groups->group[group].unsent != 0;
        groups->group[group].data = ticks_later(groups->group[group].data, at);
        groups->group[group].site = job->access.site;
    }
    wake_block(sim, job->place);
}

/* Where requests note when the data is there: with the phase; of a block that is gone, nowhere that is looked at. */
static struct sim_phase *phase_of(struct sim *sim, const struct sim_bulk_job *job)
{
    if (job->access.op != OP_LOAD || !is_there(sim, job))
        return NULL;
    return &sim->bulk
                ->phases[job->place][slot_of(sim, job->place, (uint32_t)job->copy.barrier)];
}

/* The SM's unit is as it was: the engine has only its ports and places. */
static bool work_on(struct sim *sim, struct sm_unit *sm, struct sim_bulk_job *job, uint64_t *at)
{
    const struct access_times result = sm->result;
    const uint64_t unit_at = sm->at, free_at = sm->lsu.free_at;
    uint64_t *load = sm->load;
    struct trip trip = {sm, &sim->around, NULL};
    struct sim_phase *phase = phase_of(sim, job);
    sm->at = *at;
    sm->result = (struct access_times){0};
    sm->load = NULL;
    if (phase) {
        sm->load = &phase->answer;
        sm->result.asks = phase->asks;
        sm->result.asked = phase->asked;
    }
    const bool done =
        send_pieces(&trip, job, sim->now + ticks_of_cycles(SM_UNIT_AHEAD_CYCLES));
    if (phase) {
        phase->asks = sm->result.asks;
        phase->asked = sm->result.asked;
        phase->data = ticks_later(phase->data, sm->result.data);
    }
    *at = sm->at;
    sm->at = unit_at;
    sm->lsu.free_at = free_at;
    sm->load = load;
    sm->result = result;
    return done;
}

void sim_bulk_run(struct sim *sim, uint32_t number)
{
    struct sim_bulk *bulk = sim->bulk;
    const uint64_t ahead = sim->now + ticks_of_cycles(SM_UNIT_AHEAD_CYCLES);
    uint64_t at = sim->now;
    while (bulk->first[number] != SIM_NOBODY) {
        const uint32_t job = bulk->first[number];
        if (at > ahead || !work_on(sim, &sim->sms[number], &bulk->jobs[job], &at)) {
            sim_go_on_at(sim, engine_of(sim, number), at);
            return;
        }
        end_job(sim, &bulk->jobs[job], at);
        bulk->first[number] = bulk->jobs[job].next;
        bulk->jobs[job].next = bulk->free_job;
        bulk->free_job = job;
    }
    bulk->busy--;
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
        wake_block(sim, place);
    }
    return some;
}
