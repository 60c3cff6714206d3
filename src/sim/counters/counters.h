/* counters.h - the counters, their table, and what is computed from them.
 *
 * counters.def, metrics.def and profiler.def each hold one line a counter; the struct, the merging,
 * every report and docs/counters.md come from those lines.
 */
#ifndef WARPLENS_SIM_COUNTERS_COUNTERS_H
#define WARPLENS_SIM_COUNTERS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct counters {
#define COUNTER(name, unit, definition) uint64_t name;
#include "sim/counters/counters.def"
#undef COUNTER
};

struct counter_info {
    const char *name, *unit, *definition;
    size_t offset; /* of the uint64_t in struct counters */
};

extern const struct counter_info counter_table[];
extern const size_t counter_count;
extern const size_t counter_rule_count; /* the first of them follow from the rules alone */

uint64_t counters_get(const struct counters *c, const struct counter_info *counter);
void counters_set(struct counters *c, const struct counter_info *counter, uint64_t value);
void counters_add(struct counters *to, const struct counters *from);
/* `part` must be a part of `from`, and neither have reached the largest number. */
void counters_subtract(struct counters *from, const struct counters *part);
void counters_add_times(struct counters *to, const struct counters *from, uint64_t times);

struct metric_info {
    const char *name, *unit, *definition;
    /* False when the metric has no value: nothing of its kind happened. */
    bool (*value)(const struct counters *c, double *value);
};

extern const struct metric_info metric_table[];
extern const size_t metric_count;

/* The profilers, as bits: a profiler counter belongs to one or more. */
enum profiler {
    PROFILER_V10 = 1, /* CUDA Visual Profiler, sm_10 and sm_11 */
    PROFILER_V12 = 2, /* CUDA Visual Profiler, sm_12 and sm_13 */
    PROFILER_N2 = 4,  /* nvprof, sm_20 and sm_21 */
    PROFILER_N3 = 8,  /* nvprof, sm_30 to sm_37 */
    PROFILER_N5 = 16, /* nvprof, sm_50 to sm_62 */
    PROFILER_NCU = 32 /* Nsight Compute, sm_70 and later */
};

struct profiler_counter {
    unsigned profilers;
    const char *name, *unit, *meaning;
    bool (*value)(const struct counters *c, double *value); /* false: no value */
};

extern const struct profiler_counter profiler_table[];
extern const size_t profiler_counter_count;

/* "CUDA Visual Profiler (sm_10, sm_11)" ... of one bit. */
const char *profiler_title(enum profiler profiler);

#endif
