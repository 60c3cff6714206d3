/* sim_ahead.h - fetching what the next events of a cycle will touch. Internal to sim_run.c. */
#ifndef WARPLENS_SIM_TIME_SIM_AHEAD_H
#define WARPLENS_SIM_TIME_SIM_AHEAD_H

#include "sim/time/sim_warp.h"

/* What the events of a cycle touch lies all over this computer's memory. It is fetched before it is
 * needed, in three stages, since each needs what the one before brings: the warp and what is noted
 * of its loads (that alone is 4 % of a copy's time), its next step, the set of L1 that the step will look at.
 * 1.25 times as fast on the H200's 8,448 warps. */
enum { WARP_AHEAD = 18, STEP_AHEAD = 12, LINE_AHEAD = 6 };

static inline void fetch_warp(const struct sim *sim, uint32_t i)
{
    __builtin_prefetch(&sim->warps[i]);
    __builtin_prefetch(&sim->loads[i]);
    __builtin_prefetch(sim->load_answers[i]);
}

static inline void fetch_step(const struct sim *sim, uint32_t i)
{
    const struct sim_warp *warp = &sim->warps[i];
    const uint8_t *at = warp->cursor.chunk->data + warp->cursor.at;
    __builtin_prefetch(at);
    __builtin_prefetch(at + 23);
    __builtin_prefetch(&sim->blocks[warp->place]);
}

static inline void fetch_line(const struct sim *sim, uint32_t i)
{
    const struct sim_warp *warp = &sim->warps[i];
    const struct sm_unit *sm = &sim->sms[sim->blocks[warp->place].sm];
    cache_prefetch(&sm->l1, cache_line_number(step_cursor_peek_base(&warp->cursor) >> LINE_LOG2));
    __builtin_prefetch(&sm->loads.free_at[sm->loads.next]);
    __builtin_prefetch(&sm->loads.asked[sm->loads.next]);
}

struct ahead {
    uint32_t entry; /* of the wheel, or WHEEL_NOBODY */
    void (*fetch)(const struct sim *sim, uint32_t warp);
};

static inline void look_ahead(const struct sim *sim, struct ahead *ahead)
{
    if (ahead->entry == WHEEL_NOBODY)
        return;
    ahead->fetch(sim, ahead->entry);
    ahead->entry = wheel_next_in_cycle(&sim->wheel, ahead->entry);
}

static inline void start_ahead(const struct sim *sim, struct ahead ahead[3])
{
    static const uint32_t distance[] = {WARP_AHEAD, STEP_AHEAD, LINE_AHEAD};
    static void (*const fetch[])(const struct sim *, uint32_t) = {fetch_warp, fetch_step,
                                                                  fetch_line};
    for (uint32_t stage = 0; stage < 3; stage++) {
        ahead[stage] = (struct ahead){wheel_first_in_cycle(&sim->wheel), fetch[stage]};
        for (uint32_t i = 0; i < distance[stage]; i++)
            look_ahead(sim, &ahead[stage]);
    }
}

#endif
