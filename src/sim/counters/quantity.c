/* quantity.c - names of people -> rows of the tables. What a ratio is made of is read from its own row of
 * the .def file, so that no second list can differ from it. */
#include "sim/counters/quantity.h"

#include <ctype.h>
#include <string.h>

size_t quantity_own_count(void)
{
    return counter_count + metric_count;
}

size_t quantity_count(void)
{
    return quantity_own_count() + profiler_counter_count;
}

static struct quantity of_counter(const struct counter_info *counter)
{
    return (struct quantity){.name = counter->name,
                             .unit = counter->unit,
                             .definition = counter->definition,
                             .counter = counter};
}

static struct quantity of_metric(const struct metric_info *metric)
{
    return (struct quantity){.name = metric->name,
                             .unit = metric->unit,
                             .definition = metric->definition,
                             .expression = metric->expression,
                             .metric = metric};
}

static struct quantity of_profiler(const struct profiler_counter *counter)
{
    return (struct quantity){.name = counter->name,
                             .unit = counter->unit,
                             .definition = counter->meaning,
                             .expression = counter->expression,
                             .profiler = counter};
}

struct quantity quantity_at(size_t index)
{
    if (index < counter_count)
        return of_counter(&counter_table[index]);
    if (index < quantity_own_count())
        return of_metric(&metric_table[index - counter_count]);
    return of_profiler(&profiler_table[index - quantity_own_count()]);
}

const struct counter_info *quantity_find_counter(const char *name, size_t length)
{
    for (size_t i = 0; i < counter_count; i++)
        if (strncmp(counter_table[i].name, name, length) == 0 &&
            counter_table[i].name[length] == '\0')
            return &counter_table[i];
    return NULL;
}

enum quantity_found quantity_find_profiler(const char *name, unsigned profilers,
                                           struct quantity *quantity)
{
    enum quantity_found found = QUANTITY_UNKNOWN;
    for (size_t i = 0; i < profiler_counter_count && found != QUANTITY_FOUND; i++) {
        if (strcmp(profiler_table[i].name, name) != 0)
            continue;
        *quantity = of_profiler(&profiler_table[i]);
        found = profiler_table[i].profilers & profilers ? QUANTITY_FOUND : QUANTITY_ELSEWHERE;
    }
    return found;
}

enum quantity_found quantity_find(const char *name, unsigned profilers, struct quantity *quantity)
{
    for (size_t i = 0; i < quantity_own_count(); i++) {
        *quantity = quantity_at(i);
        if (strcmp(quantity->name, name) == 0)
            return QUANTITY_FOUND;
    }
    return quantity_find_profiler(name, profilers, quantity);
}

bool quantity_value(const struct quantity *quantity, const struct counters *c, double *value)
{
    if (quantity->metric)
        return quantity->metric->value(c, value);
    if (quantity->profiler)
        return quantity->profiler->value(c, value);
    *value = (double)counters_get(c, quantity->counter);
    return true;
}

bool quantity_is_of_launches(const struct quantity *quantity)
{
    return quantity->profiler || (quantity->counter && quantity->counter->scope == SCOPE_LAUNCH);
}

const struct counter_info *quantity_next_counter(const char **at)
{
    while ((*at = strstr(*at, "c->")) != NULL) {
        const char *name = *at += 3;
        while (isalnum((unsigned char)**at) || **at == '_')
            ++*at;
        const struct counter_info *counter = quantity_find_counter(name, (size_t)(*at - name));
        if (counter)
            return counter;
    }
    return NULL;
}

bool quantity_is_of_time(const struct quantity *quantity)
{
    if (quantity->counter)
        return quantity->counter->basis == BASIS_TIME;
    const struct counter_info *counter;
    for (const char *at = quantity->expression; (counter = quantity_next_counter(&at)) != NULL;)
        if (counter->basis == BASIS_TIME)
            return true;
    return false;
}

bool quantity_is_key(const struct quantity *quantity)
{
    return (quantity->counter && quantity->counter->shown == SHOWN_KEY) ||
           (quantity->metric && quantity->metric->shown == SHOWN_KEY);
}

/* Of "c->NAME" and of sums of such, what all of them have; of all else none. */
static enum better better_of_sum(const char *expression)
{
    enum better better = BETTER_NONE;
    const char *at = expression;
    for (bool first = true; strncmp(at, "c->", 3) == 0; first = false) {
        const struct counter_info *counter = quantity_next_counter(&at);
        if (!counter || (!first && counter->better != better))
            return BETTER_NONE;
        better = counter->better;
        if (*at == '\0')
            return better;
        if (strncmp(at, " + ", 3) == 0)
            at += 3;
    }
    return BETTER_NONE;
}

static enum better better_of_profiler(const struct profiler_counter *profiler)
{
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metric_table[i].name, profiler->name) == 0)
            return metric_table[i].better;
    return better_of_sum(profiler->expression);
}

enum better quantity_better(const struct quantity *quantity)
{
    if (quantity->profiler)
        return better_of_profiler(quantity->profiler);
    return quantity->metric ? quantity->metric->better : quantity->counter->better;
}
