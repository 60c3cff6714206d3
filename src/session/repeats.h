/* repeats.h - the figures of launches that may be repeated: of the latest REPEATED_LAUNCHES_MAX of them. */
#ifndef WARPLENS_SESSION_REPEATS_H
#define WARPLENS_SESSION_REPEATS_H

#include "result/result.h"
#include "sim/rules/judge.h"

/* What a launch has added to the result of a GPU. */
struct repeatable {
    bool is_there;
    uint64_t number;          /* of the launch, among all of the run, from 0 on */
    uint64_t place;           /* in result.launches, from 1 on; 0: it is not among them */
    struct judge_share share; /* at sites */
    struct counters apart;    /* what belongs to no site */
    struct result_sampling sampling;
    struct result_launch launch;
    uint64_t shared_bytes_per_block;
    int64_t registers_per_thread;
    struct occupancy occupancy;
};

struct repeats {
    struct repeatable kept[REPEATED_LAUNCHES_MAX]; /* the latest, round and round */
    uint64_t count;
    struct counters sum; /* `apart` of all launches that repeat one */
};

/* Keeps what the launch that has ended has added; false when memory is short. */
bool repeats_keep(struct repeats *repeats, const struct result *result, const struct judge *judge,
                  uint64_t number, const struct counters *apart,
                  const struct result_sampling *sampling, const struct result_launch *launch);
/* A launch repeats number `number`: counts its figures again. NULL: no such launch is kept. */
const struct repeatable *repeats_count(struct repeats *repeats, struct result *result,
                                       struct judge *judge, uint64_t number);
/* The sums of all that were counted again become the result's. */
void repeats_hand_over(const struct repeats *repeats, struct result *result);
void repeats_free(struct repeats *repeats);

#endif
