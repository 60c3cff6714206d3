/* spin.h - lanes that wait for a lock which a lane of their own warp has.
 *
 * Lanes that go round a loop for a lock would go before the lane that has it, for ever, when the
 * compiler has put what it does behind the loop. Since sm_70 every lane gets on: after some rounds in
 * which none of the lanes that go first has left, the others have some steps.
 */
#ifndef WARPLENS_TRACER_SPIN_H
#define WARPLENS_TRACER_SPIN_H

#include "tracer/engine.h"

enum { SPIN_ROUNDS = 16, SPIN_BURST_STEPS = 64 };

/* The lanes of which the first is to go. */
static inline uint32_t spin_choose(struct warp *warp)
{
    uint32_t others = warp->pending & warp->passed_over;
    if (warp->rounds >= SPIN_ROUNDS) {
        warp->rounds = 0;
        warp->burst = SPIN_BURST_STEPS;
    }
    warp->burst = others ? warp->burst : 0;
    if (warp->burst == 0)
        return warp->pending;
    warp->burst--;
    return others;
}

/* `group` of the lanes that were pending has gone first: with an access in lockstep, or one that is
 * part of going round at least. */
static inline void spin_note(struct warp *warp, uint32_t group, uint32_t pending, bool goes_round,
                             bool lockstep)
{
    uint32_t others = pending & ~group;
    if (warp->burst)
        return;
    if (others == warp->passed_over && others && goes_round)
        warp->rounds = (uint16_t)(warp->rounds + lockstep);
    else
        warp->rounds = 0;
    warp->passed_over = others;
}

#endif
