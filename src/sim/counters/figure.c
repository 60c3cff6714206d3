/* figure.c - names of people -> rows of the tables. What a ratio is made of is read from its own line of
 * the .def file, so that no second list can differ from it. */
#include "sim/counters/figure.h"

#include <ctype.h>
#include <string.h>

#define METRIC(name, unit, scale, numerator, denominator, definition) #numerator " / " #denominator,
static const char *const metric_expressions[] = {
#include "sim/counters/metrics.def"
};
#undef METRIC

/* Macros of profiler.def are opened up by the second step. */
#define TEXT(expression) #expression
#define PROFILER(profilers, name, unit, expression, meaning) TEXT(expression),
static const char *const profiler_expressions[] = {
#include "sim/counters/profiler.def"
};
#undef PROFILER
#undef TEXT

static const struct {
    const char *name;
    enum better better;
} directions[] = {
#define BETTER(way, name) {#name, BETTER_##way},
#include "sim/counters/better.def"
#undef BETTER
};

const struct counter_info *figure_find_counter(const char *name, size_t length)
{
    for (size_t i = 0; i < counter_count; i++)
        if (strncmp(counter_table[i].name, name, length) == 0 &&
            counter_table[i].name[length] == '\0')
            return &counter_table[i];
    return NULL;
}

struct figure figure_of_counter(size_t index)
{
    const struct counter_info *counter = &counter_table[index];
    return (struct figure){.name = counter->name, .unit = counter->unit, .counter = counter};
}

struct figure figure_of_metric(size_t index)
{
    const struct metric_info *metric = &metric_table[index];
    return (struct figure){.name = metric->name,
                           .unit = metric->unit,
                           .expression = metric_expressions[index],
                           .metric = metric};
}

static struct figure figure_of_profiler(size_t index)
{
    const struct profiler_counter *counter = &profiler_table[index];
    return (struct figure){.name = counter->name,
                           .unit = counter->unit,
                           .expression = profiler_expressions[index],
                           .profiler = counter};
}

enum figure_found figure_find_profiler(const char *name, unsigned profilers, struct figure *figure)
{
    enum figure_found found = FIGURE_UNKNOWN;
    for (size_t i = 0; i < profiler_counter_count && found != FIGURE_FOUND; i++) {
        if (strcmp(profiler_table[i].name, name) != 0)
            continue;
        *figure = figure_of_profiler(i);
        found = profiler_table[i].profilers & profilers ? FIGURE_FOUND : FIGURE_ELSEWHERE;
    }
    return found;
}

enum figure_found figure_find(const char *name, unsigned profilers, struct figure *figure)
{
    const struct counter_info *counter = figure_find_counter(name, strlen(name));
    if (counter) {
        *figure = figure_of_counter((size_t)(counter - counter_table));
        return FIGURE_FOUND;
    }
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metric_table[i].name, name) == 0) {
            *figure = figure_of_metric(i);
            return FIGURE_FOUND;
        }
    return figure_find_profiler(name, profilers, figure);
}

bool figure_value(const struct figure *figure, const struct counters *c, double *value)
{
    if (figure->metric)
        return figure->metric->value(c, value);
    if (figure->profiler)
        return figure->profiler->value(c, value);
    *value = (double)counters_get(c, figure->counter);
    return true;
}

bool figure_is_of_launches(const struct figure *figure)
{
    static const char *const names[] = {"launches",
                                        "blocks",
                                        "warps",
                                        "barriers",
                                        "elapsed_cycles",
                                        "elapsed_ns",
                                        "resident_warp_cycles",
                                        "warp_room_cycles",
                                        "hottest_partition_bytes",
                                        "mean_partition_bytes"};
    if (figure->counter == NULL)
        return figure->profiler != NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(figure->name, names[i]) == 0)
            return true;
    return strncmp(figure->name, "limited_", 8) == 0;
}

const struct counter_info *figure_next_counter(const char **at)
{
    while ((*at = strstr(*at, "c->")) != NULL) {
        const char *name = *at += 3;
        while (isalnum((unsigned char)**at) || **at == '_')
            ++*at;
        const struct counter_info *counter = figure_find_counter(name, (size_t)(*at - name));
        if (counter)
            return counter;
    }
    return NULL;
}

static bool is_of_time(const struct counter_info *counter)
{
    return (size_t)(counter - counter_table) >= counter_rule_count;
}

bool figure_is_of_time(const struct figure *figure)
{
    if (figure->counter)
        return is_of_time(figure->counter);
    const struct counter_info *counter;
    for (const char *at = figure->expression; (counter = figure_next_counter(&at)) != NULL;)
        if (is_of_time(counter))
            return true;
    return false;
}

static enum better direction_of(const char *name)
{
    for (size_t i = 0; i < sizeof directions / sizeof directions[0]; i++)
        if (strcmp(directions[i].name, name) == 0)
            return directions[i].better;
    return BETTER_NONE;
}

/* "c->NAME" and nothing else. */
static const struct counter_info *only_counter(const char *expression)
{
    const char *at = expression;
    const struct counter_info *counter = figure_next_counter(&at);
    return counter && strncmp(expression, "c->", 3) == 0 && *at == '\0' ? counter : NULL;
}

enum better figure_better(const struct figure *figure)
{
    enum better own = direction_of(figure->name);
    const struct counter_info *counter = figure->profiler ? only_counter(figure->expression) : NULL;
    return own == BETTER_NONE && counter ? direction_of(counter->name) : own;
}
