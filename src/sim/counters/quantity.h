/* quantity.h - a counter, a ratio or a profiler's counter, by its name: whoever takes names from people
 * finds here what they stand for. */
#ifndef WARPLENS_SIM_COUNTERS_QUANTITY_H
#define WARPLENS_SIM_COUNTERS_QUANTITY_H

#include "sim/counters/counters.h"

struct quantity {
    const char *name, *unit, *definition;
    const char *expression; /* counters that it is made of are in it as c->NAME; NULL: a counter */
    const struct counter_info *counter; /* one of the three is not NULL */
    const struct metric_info *metric;
    const struct profiler_counter *profiler;
};

/* In the order of the tables: counters, ratios, profilers' counters. The own ones are warplens's, without
 * those of profilers. */
size_t quantity_count(void);
size_t quantity_own_count(void);
struct quantity quantity_at(size_t index);

/* The counter, ratio or profiler's counter of that name, in this order. QUANTITY_ELSEWHERE: only profilers
 * (bits) other than these have it; the quantity is one of those. */
enum quantity_found { QUANTITY_FOUND, QUANTITY_ELSEWHERE, QUANTITY_UNKNOWN };
enum quantity_found quantity_find(const char *name, unsigned profilers, struct quantity *quantity);
/* The profiler's counter alone, where a counter or ratio has its name too. */
enum quantity_found quantity_find_profiler(const char *name, unsigned profilers,
                                           struct quantity *quantity);

/* False when it has no value: nothing of its kind happened. */
bool quantity_value(const struct quantity *quantity, const struct counters *c, double *value);

/* Counted for launches and the whole run: no single access has a part in it. */
bool quantity_is_of_launches(const struct quantity *quantity);
/* Whether it is of the model of time, or made of a counter that is: approximate, and not there without it. */
bool quantity_is_of_time(const struct quantity *quantity);
/* Whether it is shown unasked: it tells layouts apart. */
bool quantity_is_key(const struct quantity *quantity);
/* Which way is better. A profiler's counter that has a ratio's name has its direction, and one that is a
 * single counter that counter's. */
enum better quantity_better(const struct quantity *quantity);

/* NULL when there is none; `length`: of the name. */
const struct counter_info *quantity_find_counter(const char *name, size_t length);

/* The next counter in an expression from *at on, which moves behind it; NULL when there is none. */
const struct counter_info *quantity_next_counter(const char **at);

#endif
