/* sim_loads.c - the loads that warps have under way, and warps that wait for answers nobody knows yet.
 *
 * Whoever waits takes its turn in the wheel at once, and is entered when the answer is known: everything happens
 * in the same order as if that had been known from the beginning.
 */
#include "sim/time/sim_bulk.h"
#include "sim/time/sim_warp.h"

/* Shorter quanta are not worth while: every request is answered at once. A step of few instructions
 * (SHORT_ISSUE_CYCLES in sim_run.c) must not be longer than a quantum. */
enum { LEAST_QUANTUM_CYCLES = 8 };

/* ---- Loads ----------------------------------------------------------------------------------- */

static uint32_t whole_cycle(uint64_t ticks)
{
    return (uint32_t)((ticks + TICKS_PER_CYCLE - 1) >> TICKS_LOG2);
}

void sim_note_load(struct sim *sim, uint32_t index, uint32_t site, const struct access_times *times)
{
    struct sim_warp *warp = &sim->warps[index];
    uint32_t place = warp->load_count++ % SIM_WARP_LOADS;
    warp->loads[place] = whole_cycle(ticks_later(times->data, sim->now));
    warp->asks = (uint16_t)((warp->asks & ~(1U << place)) | (uint32_t)times->asks << place);
    sim->loads[index].site[place] = site;
    sim->loads[index].asked[place] = times->asked;
    if (warp->loads_known < SIM_WARP_LOADS)
        warp->loads_known++;
}

/* What was asked for a load is there: takes it over. False when it is not known yet. */
static bool take_answer(const struct sim *sim, uint32_t index, uint32_t place)
{
    struct sim_warp *warp = &sim->warps[index];
    if (!request_queue_knows(&sim->queue, sim->loads[index].asked[place]))
        return false;
    const uint32_t cycle = whole_cycle(sim->load_answers[index][place]);
    if ((int32_t)(cycle - warp->loads[place]) > 0)
        warp->loads[place] = cycle;
    warp->asks &= (uint16_t) ~(1U << place);
    return true;
}

/* Of all loads but the latest `left`. */
static bool take_answers(const struct sim *sim, uint32_t index, uint32_t left)
{
    const struct sim_warp *warp = &sim->warps[index];
    for (uint32_t back = left + 1; back <= warp->loads_known; back++) {
        const uint32_t place = (warp->load_count - back) % SIM_WARP_LOADS;
        if (warp->asks >> place & 1 && !take_answer(sim, index, place))
            return false;
    }
    return true;
}

/* Those that have their data now are not looked at again. */
uint64_t sim_loads_done(const struct sim *sim, uint32_t index, uint32_t left)
{
    struct sim_warp *warp = &sim->warps[index];
    uint32_t now = (uint32_t)(sim->now >> TICKS_LOG2);
    int32_t longest = 0;
    if (warp->loads_known <= left)
        return sim->now;
    if (warp->asks && !take_answers(sim, index, left))
        return SIM_NOT_KNOWN;
    for (uint32_t back = left + 1; back <= warp->loads_known; back++) {
        int32_t wait = (int32_t)(warp->loads[(warp->load_count - back) % SIM_WARP_LOADS] - now);
        longest = wait > longest ? wait : longest;
    }
    if (longest == 0)
        warp->loads_known = (uint8_t)left;
    return sim->now + ((uint64_t)longest << TICKS_LOG2);
}

struct late_load {
    uint32_t cycle, site; /* when its data comes, modulo 2^32 */
};

/* The loads but the latest `left` that are not there in `cycle`, by when they come; how many. */
static uint32_t find_late(const struct sim *sim, uint32_t index, uint32_t left, uint32_t cycle,
                          struct late_load late[SIM_WARP_LOADS])
{
    const struct sim_warp *warp = &sim->warps[index];
    uint32_t count = 0;
    for (uint32_t back = warp->loads_known; back > left; back--) {
        const uint32_t place = (warp->load_count - back) % SIM_WARP_LOADS,
                       comes = warp->loads[place];
        uint32_t at = count;
        if ((int32_t)(comes - cycle) <= 0)
            continue;
        for (; at > 0 && (int32_t)(late[at - 1].cycle - comes) > 0; at--)
            late[at] = late[at - 1];
        late[at] = (struct late_load){comes, sim->loads[index].site[place]};
        count++;
    }
    return count;
}

/* Each cycle is shared by the loads that have not come yet; what does not divide is the last one's. */
void sim_book_wait(struct sim *sim, uint32_t index, uint32_t left, uint64_t at, uint64_t ready)
{
    struct late_load late[SIM_WARP_LOADS];
    const uint32_t end = (uint32_t)(ready >> TICKS_LOG2),
                   cycles = (uint32_t)((ready - at) >> TICKS_LOG2);
    const uint32_t count = find_late(sim, index, left, end - cycles, late);
    uint32_t begin = end - cycles;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t span = late[i].cycle - begin, sharers = count - i;
        begin = late[i].cycle;
        for (uint32_t sharer = i; sharer < count; sharer++)
            judge_site(sim->judge, late[sharer].site)->stall_cycles += span / sharers;
        judge_site(sim->judge, late[count - 1].site)->stall_cycles += span % sharers;
    }
    timeline_note(sim->memory.watched, TIMELINE_LOADS, at, ready);
    /* By its own clock its stores' lines take no more of it: a load of L1 that is waited for keeps stores apart on an H200, 16 additions do not. */
    sim->crowded[index] -= sim->sms[sim->blocks[sim->warps[index].place].sm].held.ticks + 1;
}

/* ---- Answers that are not known yet ---------------------------------------------------------- */

static void wait_for(struct sim *sim, uint32_t index, uint32_t left, uint64_t at,
                     enum sim_wait_for what)
{
    sim->waits[0][sim->wait_count[0]++] =
        (struct sim_wait){at, index, wheel_take_turn(&sim->wheel), left, what};
}

void sim_wait_for_answers(struct sim *sim, uint32_t index, uint32_t left, uint64_t at)
{
    wait_for(sim, index, left, at, WAIT_FOR_LOADS);
}

void sim_wait_for_copies(struct sim *sim, uint32_t index, uint32_t left, uint64_t at)
{
    wait_for(sim, index, left, at, WAIT_FOR_COPIES);
}

void sim_wait_for_phase(struct sim *sim, uint32_t index, uint32_t slot, uint64_t at)
{
    wait_for(sim, index, slot, at, WAIT_FOR_PHASE);
}

/* What the warps of each kind ask, and what they book. */
static const struct {
    uint64_t (*done)(const struct sim *sim, uint32_t warp, uint32_t left);
    void (*book)(struct sim *sim, uint32_t warp, uint32_t left, uint64_t at, uint64_t ready);
} kinds[] = {
    [WAIT_FOR_LOADS] = {sim_loads_done, sim_book_wait},
    [WAIT_FOR_COPIES] = {sim_copies_done, sim_book_copies},
    [WAIT_FOR_PHASE] = {sim_phase_done, sim_book_phase},
};

static void go_on(struct sim *sim, const struct sim_wait *wait)
{
    const uint64_t ready = kinds[wait->what].done(sim, wait->warp, wait->left);
    if (ready > wait->at)
        kinds[wait->what].book(sim, wait->warp, wait->left, wait->at, ready);
    wheel_add_late(&sim->wheel, wait->warp,
                   (ticks_later(ready, wait->at) + TICKS_PER_CYCLE - 1) >> TICKS_LOG2, wait->turn);
}

bool sim_end_quantum(struct sim *sim)
{
    if (sim->wheel.count + sim->wait_count[0] + sim->wait_count[1] == 0)
        return false;
    request_queue_end_quantum(&sim->queue);
    for (uint32_t i = 0; i < sim->wait_count[1]; i++)
        go_on(sim, &sim->waits[1][i]);
    struct sim_wait *empty = sim->waits[1];
    sim->waits[1] = sim->waits[0];
    sim->wait_count[1] = sim->wait_count[0];
    sim->waits[0] = empty;
    sim->wait_count[0] = 0;
    sim->quantum_end += sim->quantum;
    return true;
}

/* The least time from a request's way out of an SM until its answer, in ticks. A load that shares another one's
 * request has left later than that. */
static uint64_t least_way(const struct sim *sim)
{
    const struct memsys *memory = &sim->memory;
    const uint64_t way = memory->there + (memory->has_l2 ? memory->l2_back : memory->dram_back);
    const uint64_t least = sim->gpcs && sim->gpcs[0].way < way ? sim->gpcs[0].way : way;
    return least < memory->host_latency ? least : memory->host_latency;
}

/* Who comes to wait in quantum n is entered in the wheel at the end of n + 1, and must not be due before: so four
 * quanta lie between that and the request that it depends on in the end. For it waits, at most, for a line that was on
 * its way when it asked (n - 1), for which another load has asked (n - 2). Requests may leave in the course of the cycle
 * before. A timeline notes a step's stages as they come. */
void sim_begin_quanta(struct sim *sim)
{
    const uint64_t way = least_way(sim);
    const bool watches = sim->timeline && sim->timeline->awaited;
    sim->quantum = ((way >> TICKS_LOG2) - (way >> TICKS_LOG2 != 0)) / 4;
    sim->queue.at_once = watches || sim->quantum < LEAST_QUANTUM_CYCLES;
    sim->wait_count[0] = sim->wait_count[1] = 0;
    sim->quantum_end = sim->queue.at_once ? UINT64_MAX : (sim->now >> TICKS_LOG2) + sim->quantum;
}
