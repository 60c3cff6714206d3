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

static bool counter_is_there(const struct warplens_counts *counts, const struct quantity *quantity)
{
    if (counts->run->request.rules_only && quantity_is_of_time(quantity))
        return fail_at(counts, quantity->name,
                       "is of the model of time, which rules_only leaves out");
    if (is_part(counts) && quantity_is_of_launches(quantity))
        return fail_at(counts, quantity->name,
                       "is counted for launches and the whole run, not for lines and arrays");
    return true;
}

/* ---- Names ----------------------------------------------------------------------------------------- */

static bool unknown(const struct warplens_counts *counts, const char *name, bool counters_alone)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    const size_t count = counters_alone ? counter_count : quantity_own_count();
    for (size_t i = 0; i < count; i++)
        nearest_offer(&nearest, quantity_at(i).name);
    return library_fail(counts->run, "unknown counter %.96s%s; `warplens counters` lists them",
                        name, nearest_text(&nearest, text));
}

static enum quantity_found find_quantity(const struct warplens_counts *counts, const char *name,
                                         struct quantity *quantity)
{
    return quantity_find(name, counts->run->results[counts->gpu].rules.profiler, quantity);
}

static const char *no_value(const struct warplens_counts *counts)
{
    return counts->run->request.rules_only
               ? "has no value: nothing of its kind happened, or rules_only leaves it out"
               : "has no value: nothing of its kind happened there";
}

static bool value_of(const struct warplens_counts *counts, const struct quantity *quantity,
                     struct library_value *found)
{
    *found = (struct library_value){.quantity = *quantity};
    if (quantity->counter && !counter_is_there(counts, quantity))
        return false;
    if (quantity->profiler && is_part(counts))
        return fail_at(counts, quantity->name, "is shown for launches and the whole run alone");
    return quantity_value(quantity, &counts->counters, &found->value) ||
           fail_at(counts, quantity->name, no_value(counts));
}

/* What was found in the place of a value. */
static bool not_found(const struct warplens_counts *counts, const char *name,
                      enum quantity_found found)
{
    if (found == QUANTITY_ELSEWHERE)
        return fail_at(counts, name, "is shown by the profilers of other GPUs alone");
    return unknown(counts, name, false);
}

bool library_find_value(const struct warplens_counts *counts, const char *name,
                        struct library_value *found)
{
    struct quantity quantity;
    enum quantity_found status = find_quantity(counts, name, &quantity);
    return status == QUANTITY_FOUND ? value_of(counts, &quantity, found)
                                    : not_found(counts, name, status);
}

/* ---- The public functions --------------------------------------------------------------------------- */

bool warplens_counter(const struct warplens_counts *counts, const char *name, uint64_t *value)
{
    if (counts == NULL)
        return false;
    struct quantity quantity = {0};
    bool found = name && quantity_find(name, 0, &quantity) == QUANTITY_FOUND;
    if (found && quantity.metric)
        return library_fail(counts->run, "%s is a ratio: warplens_value gives it", name);
    if (!found)
        return unknown(counts, name ? name : "without a name", true);
    if (!counter_is_there(counts, &quantity))
        return false;
    *value = counters_get(&counts->counters, quantity.counter);
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
    struct quantity quantity;
    const unsigned profiler = counts->run->results[counts->gpu].rules.profiler;
    enum quantity_found status = quantity_find_profiler(name ? name : "", profiler, &quantity);
    return status == QUANTITY_FOUND ? give(&found, value_of(counts, &quantity, &found), value)
                                    : not_found(counts, name ? name : "", status);
}
