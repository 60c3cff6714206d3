/* sim_copies.c - the asynchronous copies that warps have under way, by the groups that they wait for.
 *
 * A copy takes the load/store unit and the way to memory as a load does, and no register: nothing waits for it but a wait for
 * its group, which is booked at the site of the group's latest copy. Answers that are not known yet are waited for as a load's are
 * (sim_loads.c).
 */
#include "sim/time/sim_warp.h"

static struct sim_copy_group *group_of(const struct sim *sim, uint32_t index, uint32_t number)
{
    return &sim->copies[index].group[number % SIM_COPY_GROUPS];
}

struct sim_copy_group *sim_open_group(struct sim *sim, uint32_t index)
{
    return group_of(sim, index, sim->copies[index].groups);
}

void sim_note_copy(struct sim *sim, uint32_t index, uint32_t site, const struct access_times *times)
{
    struct sim_copy_group *group = sim_open_group(sim, index);
    sim->has_copies = true;
    group->data = ticks_later(group->data, times->data);
    group->asks = times->asks;
    group->asked = times->asked;
    group->site = site;
}

void sim_commit_copies(struct sim *sim, uint32_t index)
{
    sim->has_copies = true;
    sim->copies[index].groups++;
    *sim_open_group(sim, index) = (struct sim_copy_group){0};
}

/* The first of the groups that are kept. */
static uint32_t first_kept(const struct sim_copies *copies)
{
    return copies->groups < SIM_COPY_GROUPS ? 0 : copies->groups - (SIM_COPY_GROUPS - 1);
}

uint64_t sim_copies_done(const struct sim *sim, uint32_t index, uint32_t left)
{
    const struct sim_copies *copies = &sim->copies[index];
    uint64_t ready = sim->now;
    for (uint32_t n = first_kept(copies); n + left < copies->groups; n++) {
        struct sim_copy_group *group = group_of(sim, index, n);
        if (group->asks && !request_queue_knows(&sim->queue, group->asked))
            return SIM_NOT_KNOWN;
        if (group->asks)
            group->data = ticks_later(group->data, group->answer);
        group->asks = false;
        ready = ticks_later(ready, group->data);
    }
    return ready;
}

void sim_book_copies(struct sim *sim, uint32_t index, uint32_t left, uint64_t at, uint64_t ready)
{
    const struct sim_copies *copies = &sim->copies[index];
    const struct sim_copy_group *latest = NULL;
    for (uint32_t n = first_kept(copies); n + left < copies->groups; n++) {
        const struct sim_copy_group *group = group_of(sim, index, n);
        if (latest == NULL || group->data > latest->data)
            latest = group;
    }
    if (latest)
        judge_site(sim->judge, latest->site)->stall_cycles += (ready - at) >> TICKS_LOG2;
    timeline_note(sim->memory.watched, TIMELINE_LOADS, at, ready);
}

void sim_forget_copies(struct sim *sim, uint32_t index)
{
    if (sim->has_copies)
        sim->copies[index] = (struct sim_copies){0};
}
