/* sampled.h - a launch of which some blocks are modelled in time and the others are counted by the rules alone: what
 * was counted when, and what the blocks left out would have added.
 */
#ifndef WARPLENS_SESSION_SAMPLED_H
#define WARPLENS_SESSION_SAMPLED_H

#include "result/sampling.h"
#include "sim/time/sampling.h"
#include "sim/time/sim.h"

/* What belongs to no site. */
struct sampled_loose {
    uint64_t ticks, warp_ticks, barrier_stall_cycles;
};

/* By site: `before`: counters when the group or the stretch began, `settled`: what groups that settled have added,
 * `left_out`: what stretches have. Room for `room` sites each. */
struct sampled {
    struct sampling plan;
    enum result_sampled why; /* the launch is modelled whole, or in part */
    bool is_in_stretch;      /* blocks are left out */
    struct counters *before, *settled, *left_out;
    size_t room, before_count;
    struct sampled_loose loose_before, loose_settled;
    uint64_t settled_blocks; /* of the groups that settled */
    struct step step;        /* of a block that is left out */
    struct step_chunk chunk;
};

/* NULL when memory is short. */
struct sampled *sampled_new(void);
void sampled_free(struct sampled *sampled);

/* A launch that sim_launch has begun. `whole`: why it is modelled whole whatever its blocks do; or SAMPLED_IN_PART. */
void sampled_begin(struct sampled *sampled, const struct sim *sim, uint64_t blocks,
                   enum result_sampled whole);

/* Takes the next block, for which the sites are reserved: it is modelled, or counted by the rules. False when memory is
 * short. */
bool sampled_run_block(struct sampled *sampled, struct sim *sim, struct step_block *block);

/* Behind sim_finish: adds what the blocks left out are estimated to take, and tells of it. False when memory is short. */
bool sampled_end(struct sampled *sampled, struct sim *sim, struct result_sampling *told);

#endif
