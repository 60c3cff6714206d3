/* counters.h - the counters, their table, and what is computed from them.
 *
 * counters.def, metrics.def and profiler.def each hold one row a counter; the struct, the merging,
 * every report and docs/counters.md come from those rows. The order of rows is that of reports and means
 * nothing else.
 */
#ifndef WARPLENS_SIM_COUNTERS_COUNTERS_H
#define WARPLENS_SIM_COUNTERS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/capabilities.h"

struct counters {
#define COUNTER(name, ...) uint64_t name;
#include "sim/counters/counters.def"
#undef COUNTER
};

/* What a counter is about. */
enum counter_group {
    GROUP_GLOBAL_LOAD,
    GROUP_GLOBAL_STORE,
    GROUP_GLOBAL_ATOMIC,
    GROUP_READ_ONLY_LOAD,
    GROUP_LOCAL_LOAD,
    GROUP_LOCAL_STORE,
    GROUP_SHARED_LOAD,
    GROUP_SHARED_STORE,
    GROUP_SHARED_ATOMIC,
    GROUP_CONSTANT_LOAD,
    GROUP_ASYNC_COPY,
    GROUP_BULK_LOAD,
    GROUP_BULK_STORE,
    GROUP_BULK_REDUCTION,
    GROUP_BULK_PEER,
    GROUP_CLUSTER, /* other blocks' shared memory */
    GROUP_EVERY_ACCESS,
    GROUP_LAUNCH,
    GROUP_WARP,
    GROUP_L1,
    GROUP_READ_ONLY_CACHE,
    GROUP_CONSTANT_CACHE,
    GROUP_CROSSBAR,
    GROUP_MERGED,
    GROUP_L2,
    GROUP_L2_FAR, /* the other L2 partition */
    GROUP_DRAM,
    GROUP_HOST,
    GROUP_TIME,
    GROUP_OCCUPANCY,
    GROUP_LIMITER,
    GROUP_PARTITION,
    GROUP_FAULT,
    GROUP_MIGRATION,
    GROUP_ANY /* in place of a group: all of them */
};

/* What it says of its group. Up to IDEAL_PASSES in the order in which they explain another one. */
enum counter_role {
    ROLE_NONE,
    ROLE_REQUESTS,
    ROLE_SECTORS,
    ROLE_IDEAL_SECTORS,
    ROLE_PASSES,
    ROLE_IDEAL_PASSES,
    ROLE_TRANSACTIONS,
    ROLE_CONFLICTS,
    ROLE_BYTES_REQUESTED,
    ROLE_BYTES_MOVED,
    ROLE_READ, /* of a level of memory, in sectors */
    ROLE_HITS,
    ROLE_WRITTEN,
    ROLE_READ_BYTES,
    ROLE_WRITTEN_BYTES,
    ROLE_OWN_COLUMN,
    ROLE_COUNT
};

/* The columns of a row that are one of a few words: counters.def says what they mean. */
enum counter_scope { SCOPE_LINE, SCOPE_PART, SCOPE_LAUNCH };
enum counter_basis { BASIS_RULE, BASIS_TIME };
enum better { BETTER_NONE, BETTER_HIGHER, BETTER_LOWER };
enum counter_shown { SHOWN_PLAIN, SHOWN_KEY };

/* A row of counters.def. */
struct counter_info {
    const char *name, *unit, *definition;
    enum counter_group group;
    enum counter_role role;
    const char *heading; /* of ROLE_OWN_COLUMN, in lower case; else NULL */
    enum counter_scope scope;
    enum counter_basis basis;
    enum better better;
    enum counter_shown shown;
    size_t offset; /* of the uint64_t in struct counters */
};

extern const struct counter_info counter_table[];
extern const size_t counter_count;

uint64_t counters_get(const struct counters *c, const struct counter_info *counter);
void counters_set(struct counters *c, const struct counter_info *counter, uint64_t value);
void counters_add(struct counters *to, const struct counters *from);
/* `part` must be a part of `from`, and neither have reached the largest number. */
void counters_subtract(struct counters *from, const struct counters *part);
void counters_add_times(struct counters *to, const struct counters *from, uint64_t times);

/* The sums of a group's counters, by role. */
void counters_sum_roles(const struct counters *c, enum counter_group group,
                        uint64_t sums[ROLE_COUNT]);

struct metric_info {
    const char *name, *unit, *definition;
    const char *expression; /* counters are in it as c->NAME */
    enum better better;
    enum counter_shown shown;
    /* False when the metric has no value: nothing of its kind happened. */
    bool (*value)(const struct counters *c, double *value);
};

extern const struct metric_info metric_table[];
extern const size_t metric_count;

struct profiler_counter {
    unsigned profilers;
    const char *name, *unit, *meaning;
    const char *expression;                                 /* as of a ratio */
    bool (*value)(const struct counters *c, double *value); /* false: no value */
};

extern const struct profiler_counter profiler_table[];
extern const size_t profiler_counter_count;

/* "CUDA Visual Profiler (sm_10, sm_11)" ... of one bit. */
const char *profiler_title(enum profiler profiler);

#endif
