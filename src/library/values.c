/* values.c - names -> values of some counts, or why there is none. */
#include "library/library.h"

#include <inttypes.h>
#include <string.h>

static bool fail_at(const struct warplens_counts *counts, const char *name, const char *why)
{
    char place[LIBRARY_PLACE_BYTES];
    return library_fail(counts->run, "%s on %s: %.96s %s", library_place_text(counts, place),
                        warplens_gpu_name(counts->run, counts->gpu), name, why);
}

/* ---- Counters -------------------------------------------------------------------------------------- */

static bool is_part(const struct warplens_counts *counts)
{
    return counts->place == LIBRARY_LINE || counts->place == LIBRARY_ARRAY;
}

static bool counter_is_there(const struct warplens_counts *counts, const struct figure *figure)
{
    if (counts->run->request.rules_only && figure_is_of_time(figure))
        return fail_at(counts, figure->name,
                       "is of the model of time, which rules_only leaves out");
    if (is_part(counts) && figure_is_of_launches(figure))
        return fail_at(counts, figure->name,
                       "is counted for launches and the whole run, not for lines and arrays");
    return true;
}

/* ---- Names ----------------------------------------------------------------------------------------- */

static bool unknown(const struct warplens_counts *counts, const char *name, bool counters_alone)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; i < counter_count; i++)
        nearest_offer(&nearest, counter_table[i].name);
    for (size_t i = 0; i < metric_count && !counters_alone; i++)
        nearest_offer(&nearest, metric_table[i].name);
    return library_fail(counts->run, "unknown counter %.96s%s; `warplens counters` lists them",
                        name, nearest_text(&nearest, text));
}

static enum figure_found find_figure(const struct warplens_counts *counts, const char *name,
                                     struct figure *figure)
{
    return figure_find(name, counts->run->results[counts->gpu].judge.rules.profiler, figure);
}

static const char *no_value(const struct warplens_counts *counts)
{
    return counts->run->request.rules_only
               ? "has no value: nothing of its kind happened, or rules_only leaves it out"
               : "has no value: nothing of its kind happened there";
}

static bool value_of(const struct warplens_counts *counts, const struct figure *figure,
                     struct library_value *found)
{
    *found = (struct library_value){.unit = figure->unit, .expression = figure->expression};
    if (figure->counter && !counter_is_there(counts, figure))
        return false;
    if (figure->profiler && is_part(counts))
        return fail_at(counts, figure->name, "is shown for launches and the whole run alone");
    return figure_value(figure, &counts->counters, &found->value) ||
           fail_at(counts, figure->name, no_value(counts));
}

/* What was found in the place of a value. */
static bool not_found(const struct warplens_counts *counts, const char *name,
                      enum figure_found found)
{
    if (found == FIGURE_ELSEWHERE)
        return fail_at(counts, name, "is shown by the profilers of other GPUs alone");
    return unknown(counts, name, false);
}

bool library_find_value(const struct warplens_counts *counts, const char *name,
                        struct library_value *found)
{
    struct figure figure;
    enum figure_found status = find_figure(counts, name, &figure);
    return status == FIGURE_FOUND ? value_of(counts, &figure, found)
                                  : not_found(counts, name, status);
}

/* ---- The public functions --------------------------------------------------------------------------- */

bool warplens_counter(const struct warplens_counts *counts, const char *name, uint64_t *value)
{
    if (counts == NULL)
        return false;
    struct figure figure = {0};
    bool found = name && figure_find(name, 0, &figure) == FIGURE_FOUND;
    if (found && figure.metric)
        return library_fail(counts->run, "%s is a ratio: warplens_value gives it", name);
    if (!found)
        return unknown(counts, name ? name : "without a name", true);
    if (!counter_is_there(counts, &figure))
        return false;
    *value = counters_get(&counts->counters, figure.counter);
    return true;
}

static bool give(const struct library_value *found, bool fine, double *value)
{
    if (fine)
        *value = found->value;
    return fine;
}

bool warplens_value(const struct warplens_counts *counts, const char *name, double *value)
{
    struct library_value found;
    return counts && give(&found, library_find_value(counts, name ? name : "", &found), value);
}

bool warplens_profiler_value(const struct warplens_counts *counts, const char *name, double *value)
{
    struct library_value found = {0};
    if (counts == NULL)
        return false;
    struct figure figure;
    const unsigned profiler = counts->run->results[counts->gpu].judge.rules.profiler;
    enum figure_found status = figure_find_profiler(name ? name : "", profiler, &figure);
    return status == FIGURE_FOUND ? give(&found, value_of(counts, &figure, &found), value)
                                  : not_found(counts, name ? name : "", status);
}
