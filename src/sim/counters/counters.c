/* counters.c - the tables behind counters.h, made from the .def files. */
#include "sim/counters/counters.h"

#include <math.h>
#include <string.h>

const struct counter_info counter_table[] = {
#define ROLE_COLUMN(text) ROLE_OWN_COLUMN, .heading = text
#define COUNTER(counter, unit_, group_, role_, scope_, basis_, better_, shown_, text)              \
    {.name = #counter,                                                                             \
     .unit = unit_,                                                                                \
     .definition = text,                                                                           \
     .offset = offsetof(struct counters, counter),                                                 \
     .group = GROUP_##group_,                                                                      \
     .scope = SCOPE_##scope_,                                                                      \
     .basis = BASIS_##basis_,                                                                      \
     .better = BETTER_##better_,                                                                   \
     .shown = SHOWN_##shown_,                                                                      \
     .role = ROLE_##role_},
#include "sim/counters/counters.def"
#undef COUNTER
};
const size_t counter_count = sizeof counter_table / sizeof counter_table[0];

uint64_t counters_get(const struct counters *c, const struct counter_info *counter)
{
    return *(const uint64_t *)(const void *)((const char *)c + counter->offset);
}

void counters_set(struct counters *c, const struct counter_info *counter, uint64_t value)
{
    *(uint64_t *)(void *)((char *)c + counter->offset) = value;
}

/* A sum that leaves 64 bits stays at the highest value: it is seen to be wrong, not small. */
static uint64_t add_within_64_bits(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

void counters_add(struct counters *to, const struct counters *from)
{
#define COUNTER(name, ...) to->name = add_within_64_bits(to->name, from->name);
#include "sim/counters/counters.def"
#undef COUNTER
}

void counters_subtract(struct counters *from, const struct counters *part)
{
#define COUNTER(name, ...) from->name -= part->name;
#include "sim/counters/counters.def"
#undef COUNTER
}

void counters_sum_roles(const struct counters *c, enum counter_group group,
                        uint64_t sums[ROLE_COUNT])
{
    memset(sums, 0, ROLE_COUNT * sizeof *sums);
    for (size_t i = 0; i < counter_count; i++)
        if (group == GROUP_ANY || counter_table[i].group == group)
            sums[counter_table[i].role] += counters_get(c, &counter_table[i]);
}

static uint64_t multiply_within_64_bits(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

void counters_add_times(struct counters *to, const struct counters *from, uint64_t times)
{
#define COUNTER(name, ...)                                                                         \
    to->name = add_within_64_bits(to->name, multiply_within_64_bits(from->name, times));
#include "sim/counters/counters.def"
#undef COUNTER
}

#define METRIC(name, unit, scale, numerator, denominator, better, shown, definition)               \
    static bool metric_##name(const struct counters *c, double *value)                             \
    {                                                                                              \
        double below = (double)(denominator);                                                      \
        *value = below > 0 ? (scale) * (double)(numerator) / below : 0;                            \
        return below > 0;                                                                          \
    }
#include "sim/counters/metrics.def"
#undef METRIC

const struct metric_info metric_table[] = {
#define METRIC(name, unit, scale, numerator, denominator, better, shown, definition)               \
    {#name,           unit,          definition,   #numerator " / " #denominator,                  \
     BETTER_##better, SHOWN_##shown, metric_##name},
#include "sim/counters/metrics.def"
#undef METRIC
};
const size_t metric_count = sizeof metric_table / sizeof metric_table[0];

/* Profiler values are numbers or ratios; a ratio of nothing is no value. */
static double ratio(uint64_t numerator, uint64_t denominator)
{
    return denominator ? (double)numerator / (double)denominator : (double)NAN;
}

static double percent(uint64_t numerator, uint64_t denominator)
{
    return 100 * ratio(numerator, denominator);
}

#define V10 PROFILER_V10
#define V12 PROFILER_V12
#define N2 PROFILER_N2
#define N3 PROFILER_N3
#define N5 PROFILER_N5
#define NCU PROFILER_NCU

/* One function a row, numbered by line: profiler names hold dots, and some repeat over profilers.
 */
#define VALUE_NAME_(line) profiler_value_##line
#define VALUE_NAME(line) VALUE_NAME_(line)
#define PROFILER(profilers, name, unit, expression, meaning)                                       \
    static bool VALUE_NAME(__LINE__)(const struct counters *c, double *value)                      \
    {                                                                                              \
        *value = (double)(expression);                                                             \
        return !isnan(*value);                                                                     \
    }
#include "sim/counters/profiler.def"
#undef PROFILER

/* Macros of profiler.def are opened up by the second step. */
#define TEXT(expression) #expression
const struct profiler_counter profiler_table[] = {
#define PROFILER(profilers, name, unit, expression, meaning)                                       \
    {profilers, name, unit, meaning, TEXT(expression), VALUE_NAME(__LINE__)},
#include "sim/counters/profiler.def"
#undef PROFILER
};
const size_t profiler_counter_count = sizeof profiler_table / sizeof profiler_table[0];

const char *profiler_title(enum profiler profiler)
{
    static const char *const titles[] = {
        "CUDA Visual Profiler on sm_10 and sm_11",
        "CUDA Visual Profiler on sm_12 and sm_13",
        "nvprof on sm_20 and sm_21",
        "nvprof on sm_30 to sm_37",
        "nvprof on sm_50 to sm_62",
        "Nsight Compute on sm_70 and later",
    };
    _Static_assert(1 << sizeof titles / sizeof titles[0] == PROFILER_END, "a title a profiler");
    return titles[__builtin_ctz(profiler)];
}
