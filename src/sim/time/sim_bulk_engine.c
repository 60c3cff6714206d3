/* sim_bulk_engine.c - an SM's engine for bulk copies: its queue, and pieces of a copy as requests. */
#include <stdlib.h>

#include "sim/rules/sectors.h"
#include "sim/time/sim_bulk.h"
#include "sim/time/sm_trip.h"

enum { WORD_LOG2 = 2 };

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
        sm_send_or_hold(trip, &request, job->warp);
        return;
    }
    const uint64_t data = sm_fetch(trip, &request, NULL, false);
    trip->sm->result.data = ticks_later(trip->sm->result.data, data);
}

static void send_piece(struct trip *trip, const struct sim_bulk_job *job,
                       const struct bulk_piece *piece)
{
    const uint64_t end = piece->global + piece->bytes;
    if (access_is_remote(&job->access)) { /* to another block's shared memory */
        trip->sm->at += piece->bytes * TICKS_PER_CYCLE / CLUSTER_BYTES_A_CYCLE;
        return;
    }
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
            &sim->bulk
                 ->phases[job->place][sim_phase_slot(sim, job->place, (uint32_t)job->copy.barrier)];
        sim_phase_turn_to(phase, job->copy.phase);
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
    sim_bulk_wake(sim, job->place);
}

/* Where requests note when the data is there: with the phase; of a block that is gone, nowhere that is looked at. */
static struct sim_phase *phase_of(struct sim *sim, const struct sim_bulk_job *job)
{
    if (job->access.op != OP_LOAD || !is_there(sim, job))
        return NULL;
    return &sim->bulk
                ->phases[job->place][sim_phase_slot(sim, job->place, (uint32_t)job->copy.barrier)];
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
    const bool done = send_pieces(&trip, job, sim->now + ticks_of_cycles(SM_UNIT_AHEAD_CYCLES));
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
