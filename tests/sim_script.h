/* sim_script.h - a whole GPU of round figures, whose warps do what a test writes down step by step: when is
 * each step where?
 *
 * The figures are those of small_gpu.h. Besides, an instruction takes a cycle of the issue stage and of its warp, a
 * barrier opens after 10 cycles, and launches and blocks begin at once. A test watches one block of a launch.
 */
#ifndef WARPLENS_TESTS_SIM_SCRIPT_H
#define WARPLENS_TESTS_SIM_SCRIPT_H

#include "sim/time/sim.h"

enum { SCRIPT_SITES = 4 };

struct script {
    struct judge judge;
    struct sim sim;
    struct step_store store;
    struct step_block *block; /* that is written down */
};

/* The parameters, of compute capability 9.0 and so many SMs. */
struct arch script_arch(int64_t sm_count);

/* A test in which memory is short fails. `options`: NULL, or as of sim_init. */
void script_open(struct script *script, const struct arch *arch, const struct sim_options *options);
void script_close(struct script *script);

/* A launch begins, of which block `watched` is watched; SIM_NOBODY: none. A GPU watches once. */
void script_launch(struct script *script, uint32_t blocks_per_sm, uint32_t warps, uint32_t watched);
/* A launch of so many blocks of one warp, one an SM. */
void script_launch_grid(struct script *script, uint64_t blocks);
void script_finish(struct script *script);

/* A block, to be written down: what each warp does, in its order. `loads_left`: how many of the warp's latest loads it
 * does not need yet. */
void script_block(struct script *script, uint32_t number, uint32_t warps);
void script_access(struct script *script, uint32_t warp, uint32_t work, uint8_t loads_left,
                   struct warp_access access);
void script_barrier(struct script *script, uint32_t warp, uint32_t work);
/* All warps end, after so many instructions; the block runs as soon as there is a place. */
void script_run(struct script *script, uint32_t work);

/* The n-th step of a warp of the watched block. */
const struct timeline_step *script_step(const struct script *script, uint32_t warp, uint32_t n);

/* Cycles from the launch on: when it turns to the step, when a stage begins and ends. With a fraction of a
 * cycle, or without the stage, the test fails. */
uint64_t script_turn(const struct script *script, uint32_t warp, uint32_t n);
uint64_t script_first(const struct script *script, uint32_t warp, uint32_t n,
                      enum timeline_stage stage);
uint64_t script_last(const struct script *script, uint32_t warp, uint32_t n,
                     enum timeline_stage stage);

/* Sums over sites and launches; and a site's. */
struct counters script_total(const struct script *script);
const struct counters *script_site(const struct script *script, uint32_t site);

#endif
