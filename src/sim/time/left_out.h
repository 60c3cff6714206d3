/* left_out.h - the counters of the model of time, for accesses that were counted by the rules alone.
 *
 * What the rules count of them is known exactly. The caches' answers are taken in the proportions in which accesses of
 * the same site had them while the model of time ran: a hit rate is carried over, not a number of hits. So all laws
 * of counters.laws that tie the two halves together hold (sim/counters/laws.def).
 */
#ifndef WARPLENS_SIM_TIME_LEFT_OUT_H
#define WARPLENS_SIM_TIME_LEFT_OUT_H

#include "models/arch.h"
#include "sim/counters/counters.h"

/* Of one site. `c`: what the rules have counted of the accesses left out; gets the counters of the model of time but
 * stall_cycles, which follow from how long they take.
 * `settled`: of those in waves that were measured, `modelled`: of all that were modelled in the launch. */
void left_out_site(struct counters *c, const struct counters *settled,
                   const struct counters *modelled, const struct arch *arch);

/* As much of `whole` as `part` is of `of`: no more than all of it. */
uint64_t left_out_share(uint64_t whole, uint64_t part, uint64_t of);

#endif
