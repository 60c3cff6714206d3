/* usage.h - what was busy when: the resources of a GPU over time windows. */
#ifndef WARPLENS_RESULT_USAGE_H
#define WARPLENS_RESULT_USAGE_H

#include <stddef.h>
#include <stdbool.h>

#include "result/ticks.h"
#include "sim/counters/counters.h"

/* What can hold a kernel up: USE_ISSUE ... USE_LATENCY, which is last. */
enum resource {
#define LIMITER(resource, ...) USE_##resource,
#include "sim/counters/limiters.def"
#undef LIMITER
    USE_COUNT
};

enum { USAGE_WINDOWS = 256, USAGE_PARTITIONS_MAX = 128 };

/* What one window saw. Shares are of the resource's capacity in the window, 0 to 1. */
struct usage_window {
    uint64_t ticks;
    uint64_t busy[USE_COUNT];                 /* ticks, summed over the units of the resource */
    uint64_t bytes[USAGE_PARTITIONS_MAX];     /* read and written by partition */
    uint64_t partition[USAGE_PARTITIONS_MAX]; /* busy ticks by partition */
};

/* One block of memory: free() frees it. */
struct usage {
    uint64_t capacity[USE_COUNT];      /* units of each resource; 0: the GPU has none */
    uint64_t hottest_bytes, all_bytes; /* of the hottest partition of each window; of all */
    uint64_t repeated
        [USE_COUNT]; /* ticks by limit of what has no windows: launches that repeat others, blocks that were left out */
    uint32_t partitions;
    size_t count; /* windows, below USAGE_WINDOWS at the end */
    struct usage_window windows[];
};

/* The resource that held up a window: the one nearest its limit, if it was taken for more than
 * USAGE_LIMIT_PERCENT of the time; the hottest partition's bus counts like the others when it has one
 * and a half times the average, unless all partitions together are over the limit; latency when nothing is. */
enum { USAGE_LIMIT_PERCENT = 60 };
enum resource usage_limiter(const struct usage *usage, const struct usage_window *window);

/* Ticks that each resource held the kernel up; their sum is the kernel's time. */
void usage_shares(const struct usage *usage, uint64_t ticks[USE_COUNT]);

/* The same in order, the longest first, as shares of their sum; 0 when there is none. */
struct usage_limit {
    enum resource resource;
    double share; /* 0 to 1 */
};
void usage_rank(const struct usage *usage, struct usage_limit limits[USE_COUNT]);

/* What held a launch or a run up for most of its time, by its counters; of equals latency, or the first. False: it was not
 * modelled in time. */
bool usage_limiter_counted(const struct counters *counters, enum resource *limiter);

/* As many equal parts of the time as there are windows for, at most `most`. */
static inline size_t usage_parts(const struct usage *usage, size_t most)
{
    return usage->count < most ? usage->count : most;
}

/* The windows of one of `parts` equal parts of the time as one. */
void usage_join(const struct usage *usage, size_t part, size_t parts, struct usage_window *joined);

/* Adds up, over the windows, the bytes of the partition that was hottest in each, and the bytes of
 * an average partition. Their ratio is the camping index: 1 when traffic is even, the number of
 * partitions when all of it is on one. */
void usage_partition_bytes(const struct usage *usage, uint64_t *hottest, uint64_t *mean);

/* "load/store unit"; in a sentence "the load/store units"; the ratio that says for how much of the time it held
 * the kernel up, "limited_by_lsu" ... */
const char *usage_name(enum resource resource);
const char *usage_words(enum resource resource);
const char *usage_ratio(enum resource resource);

#endif
