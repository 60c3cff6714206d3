/* bench_patterns.h - the made-up kernels that `warplens bench` gives the model of time: a row of a table each.
 *
 * A block is PATTERN_WARPS full warps. What a warp does is added to its block without a kernel that runs.
 */
#ifndef WARPLENS_CLI_COMMANDS_BENCH_PATTERNS_H
#define WARPLENS_CLI_COMMANDS_BENCH_PATTERNS_H

#include "sim/time/steps.h"

enum { PATTERN_WARPS = 8, PATTERN_SITES = 8 }; /* sites: more than any pattern has */

/* What a pattern is asked for: the steps of one warp, without its end. */
struct pattern_warp {
    struct step_block *block;
    uint32_t warp;
    uint64_t number;   /* of the block in the whole run */
    uint64_t *random;  /* the state of a generator */
    uint64_t accesses; /* added so far */
};

struct bench_pattern {
    const char *name;
    int64_t shared_bytes; /* a block */
    void (*add)(struct pattern_warp *warp);
};

extern const struct bench_pattern bench_patterns[];
extern const size_t bench_pattern_count;

/* Block `number` of the run, closed, whose accesses are added to `accesses`. NULL: no memory. */
struct step_block *bench_pattern_block(const struct bench_pattern *pattern,
                                       struct step_store *store, uint32_t number, uint64_t *random,
                                       uint64_t *accesses);

#endif
