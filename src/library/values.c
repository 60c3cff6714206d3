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

/* Counted for launches: no access has a part in them. */
static bool is_of_launches(const struct counter_info *counter)
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
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(counter->name, names[i]) == 0)
            return true;
    return strncmp(counter->name, "limited_", 8) == 0;
}

static bool is_part(const struct warplens_counts *counts)
{
    return counts->place == LIBRARY_LINE || counts->place == LIBRARY_ARRAY;
}

static const struct counter_info *find_counter(const char *name)
{
    for (size_t i = 0; i < counter_count; i++)
        if (strcmp(counter_table[i].name, name) == 0)
            return &counter_table[i];
    return NULL;
}

static bool counter_is_there(const struct warplens_counts *counts,
                             const struct counter_info *counter)
{
    size_t index = (size_t)(counter - counter_table);
    if (counts->run->request.rules_only && index >= counter_rule_count)
        return fail_at(counts, counter->name,
                       "is of the model of time, which rules_only leaves out");
    if (is_part(counts) && is_of_launches(counter))
        return fail_at(counts, counter->name,
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

static const struct metric_info *find_metric(const char *name)
{
    for (size_t i = 0; i < metric_count; i++)
        if (strcmp(metric_table[i].name, name) == 0)
            return &metric_table[i];
    return NULL;
}

/* Of the profiler of the counts' GPU; *elsewhere: another profiler has it. */
static const struct profiler_counter *find_profiler(const struct warplens_counts *counts,
                                                    const char *name, bool *elsewhere)
{
    const unsigned profiler = counts->run->results[counts->gpu].judge.rules.profiler;
    *elsewhere = false;
    for (size_t i = 0; i < profiler_counter_count; i++) {
        if (strcmp(profiler_table[i].name, name) != 0)
            continue;
        if (profiler_table[i].profilers & profiler)
            return &profiler_table[i];
        *elsewhere = true;
    }
    return NULL;
}

static const char *no_value(const struct warplens_counts *counts)
{
    return counts->run->request.rules_only
               ? "has no value: nothing of its kind happened, or rules_only leaves it out"
               : "has no value: nothing of its kind happened there";
}

static bool find_profiler_value(const struct warplens_counts *counts, const char *name,
                                struct library_value *found)
{
    bool elsewhere;
    const struct profiler_counter *counter = find_profiler(counts, name, &elsewhere);
    if (counter == NULL && elsewhere)
        return fail_at(counts, name, "is shown by the profilers of other GPUs alone");
    if (counter == NULL)
        return unknown(counts, name, false);
    if (is_part(counts))
        return fail_at(counts, name, "is shown for launches and the whole run alone");
    found->unit = counter->unit;
    found->expression = library_profiler_expression((size_t)(counter - profiler_table));
    return counter->value(&counts->counters, &found->value) ||
           fail_at(counts, name, no_value(counts));
}

bool library_find_value(const struct warplens_counts *counts, const char *name,
                        struct library_value *found)
{
    const struct counter_info *counter = find_counter(name);
    const struct metric_info *metric = find_metric(name);
    *found = (struct library_value){0};
    if (counter) {
        found->value = (double)counters_get(&counts->counters, counter);
        found->unit = counter->unit;
        return counter_is_there(counts, counter);
    }
    if (metric == NULL)
        return find_profiler_value(counts, name, found);
    found->unit = metric->unit;
    found->expression = library_metric_expression((size_t)(metric - metric_table));
    return metric->value(&counts->counters, &found->value) ||
           fail_at(counts, name, no_value(counts));
}

/* ---- The public functions --------------------------------------------------------------------------- */

bool warplens_counter(const struct warplens_counts *counts, const char *name, uint64_t *value)
{
    if (counts == NULL)
        return false;
    const struct counter_info *counter = find_counter(name ? name : "");
    if (counter == NULL && name && find_metric(name))
        return library_fail(counts->run, "%s is a ratio: warplens_value gives it", name);
    if (counter == NULL)
        return unknown(counts, name ? name : "without a name", true);
    if (!counter_is_there(counts, counter))
        return false;
    *value = counters_get(&counts->counters, counter);
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
    return counts && give(&found, find_profiler_value(counts, name ? name : "", &found), value);
}
