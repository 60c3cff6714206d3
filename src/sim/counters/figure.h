/* figure.h - a counter, a ratio or a profiler's counter, by its name: whoever takes names from people
 * finds here what they stand for. */
#ifndef WARPLENS_SIM_COUNTERS_FIGURE_H
#define WARPLENS_SIM_COUNTERS_FIGURE_H

#include "sim/counters/counters.h"

enum better { BETTER_NONE, BETTER_HIGHER, BETTER_LOWER };

struct figure {
    const char *name, *unit;
    const char *expression; /* counters that it is made of are in it as c->NAME; NULL: a counter */
    const struct counter_info *counter; /* one of the three is not NULL */
    const struct metric_info *metric;
    const struct profiler_counter *profiler;
};

/* The counter, ratio or profiler's counter of that name, in this order. FIGURE_ELSEWHERE: only profilers
 * (bits) other than these have it; the figure is one of those. */
enum figure_found { FIGURE_FOUND, FIGURE_ELSEWHERE, FIGURE_UNKNOWN };
enum figure_found figure_find(const char *name, unsigned profilers, struct figure *figure);
/* The profiler's counter alone, where a counter or ratio has its name too. */
enum figure_found figure_find_profiler(const char *name, unsigned profilers, struct figure *figure);

struct figure figure_of_counter(size_t index);
struct figure figure_of_metric(size_t index);

/* False when it has no value: nothing of its kind happened. */
bool figure_value(const struct figure *figure, const struct counters *c, double *value);

/* Counted for launches and the whole run: no single access has a part in it. */
bool figure_is_of_launches(const struct figure *figure);
/* Whether it is of the model of time, or made of one that is: approximate, and not there without it. */
bool figure_is_of_time(const struct figure *figure);
/* Which way is better (better.def). */
enum better figure_better(const struct figure *figure);

/* NULL when there is none; `length`: of the name. */
const struct counter_info *figure_find_counter(const char *name, size_t length);

/* The next counter in an expression from *at on, which moves behind it; NULL when there is none. */
const struct counter_info *figure_next_counter(const char **at);

#endif
