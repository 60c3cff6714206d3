/* check.c - a limit held against a run. What has no value does not meet a limit: it is said why. */
#include <stdarg.h>
#include <string.h>

#include "gate/limit.h"
#include "text/nearest.h"
#include "text/characters.h"

__attribute__((format(printf, 2, 3))) static bool without_value(struct outcome *outcome,
                                                                const char *format, ...)
{
    char subject[LIMIT_TEXT_BYTES], title[SHEET_TITLE_BYTES];
    int used = snprintf(outcome->message, sizeof outcome->message,
                        "%.250s in %.200s: ", limit_subject(outcome->limit, subject),
                        sheet_title(outcome->sheet, title));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->message + used, sizeof outcome->message - (size_t)used, format, arguments);
    va_end(arguments);
    text_make_printable(outcome->message);
    outcome->status = LIMIT_NO_VALUE;
    return false;
}

static const struct sheet_parts *parts_of(const struct sheet *sheet, enum limit_place place)
{
    return place == LIMIT_LINE    ? &sheet->lines
           : place == LIMIT_ARRAY ? &sheet->arrays
                                  : &sheet->kernels;
}

/* "; lines of kernel.cu that have: 12, 15", or the names that are near. */
static bool unknown_place(struct outcome *outcome, const struct sheet_parts *parts)
{
    const struct limit *limit = outcome->limit;
    struct nearest nearest = nearest_start(limit->name);
    char known[256] = "", text[NEAREST_TEXT_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < parts->count; i++) {
        nearest_offer(&nearest, parts->parts[i].name);
        if (limit->place == LIMIT_LINE && strcmp(parts->parts[i].name, limit->name) == 0 &&
            used < sizeof known - 16)
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%u", used ? ", " : "",
                                     parts->parts[i].line);
    }
    if (used)
        return without_value(outcome, "no memory access there; lines of %.100s that have: %s",
                             limit->name, known);
    return without_value(outcome, "%s of that name%s",
                         limit->place == LIMIT_LINE    ? "no memory access is in a file"
                         : limit->place == LIMIT_ARRAY ? "no array"
                                                       : "no kernel was launched",
                         nearest_text(&nearest, text));
}

static const struct counters *counters_at(struct outcome *outcome)
{
    const struct limit *limit = outcome->limit;
    const struct sheet *sheet = outcome->sheet;
    if (limit->place == LIMIT_WHOLE)
        return &sheet->run.total;
    if (limit->place == LIMIT_KERNEL && sheet->listed_launches < sheet->run.total.launches) {
        without_value(outcome, "a result keeps %llu launches, and there were %llu",
                      (unsigned long long)sheet->listed_launches,
                      (unsigned long long)sheet->run.total.launches);
        return NULL;
    }
    const struct sheet_parts *parts = parts_of(sheet, limit->place);
    for (size_t i = 0; i < parts->count; i++)
        if (parts->parts[i].line == limit->line && strcmp(parts->parts[i].name, limit->name) == 0)
            return &parts->parts[i].counters;
    unknown_place(outcome, parts);
    return NULL;
}

/* The same words as the library's (values.c), for the same reasons. */
static bool quantity_is_there(struct outcome *outcome, struct quantity *quantity)
{
    const struct limit *limit = outcome->limit;
    if (outcome->sheet->run.error)
        return without_value(outcome, "the run failed: %.200s", outcome->sheet->run.error);
    if (quantity_find(limit->quantity, outcome->sheet->profiler, quantity) != QUANTITY_FOUND)
        return without_value(outcome,
                             "is shown by the profilers of other GPUs alone: this one's is "
                             "%s",
                             profiler_title(outcome->sheet->profiler));
    if (quantity_is_of_time(quantity) && !sheet_has_time(outcome->sheet))
        return without_value(outcome, "is of the model of time, which --rules-only leaves out");
    if ((limit->place == LIMIT_LINE || limit->place == LIMIT_ARRAY) &&
        quantity_is_of_launches(quantity))
        return without_value(outcome, "is counted for launches and the whole run, not for lines "
                                      "and arrays");
    return true;
}

static bool count_faults(struct outcome *outcome, enum fault_kind kind)
{
    const struct report_entry *run = &outcome->sheet->run;
    if (outcome->limit->place != LIMIT_WHOLE)
        return without_value(outcome, "is counted for the whole run, not for lines, arrays and "
                                      "kernels; the report lists each place");
    outcome->unit = "faults";
    for (unsigned k = 0; k < FAULT_KINDS; k++)
        outcome->value += kind == FAULT_KINDS || k == kind ? (double)run->fault_sums[k] : 0;
    return true;
}

static bool find_value(struct outcome *outcome)
{
    struct quantity quantity;
    enum fault_kind kind;
    if (limit_is_of_faults(outcome->limit, &kind))
        return count_faults(outcome, kind);
    if (!quantity_is_there(outcome, &quantity))
        return false;
    const struct counters *counters = counters_at(outcome);
    if (counters == NULL)
        return false;
    outcome->unit = quantity.unit;
    return quantity_value(&quantity, counters, &outcome->value) ||
           without_value(outcome, "nothing of its kind happened there");
}

struct outcome limit_check(const struct limit *limit, const struct sheet *sheet)
{
    struct outcome outcome = {.limit = limit, .sheet = sheet};
    if (!find_value(&outcome))
        return outcome;
    bool met = limit->is_least ? outcome.value >= limit->bound : outcome.value <= limit->bound;
    outcome.status = met ? LIMIT_MET : LIMIT_BROKEN;
    return outcome;
}

/* A quantity that no line has a part in is explained by the line that warps wait longest for. */
static struct quantity quantity_of_lines(const struct limit *limit, const struct sheet *sheet,
                                         bool *least)
{
    struct quantity quantity, waits;
    quantity_find("stall_cycles", 0, &waits);
    *least = false;
    if (quantity_find(limit->quantity, sheet->profiler, &quantity) != QUANTITY_FOUND)
        return waits;
    *least = limit->is_least;
    bool is_whole = quantity.counter && quantity_is_of_launches(&quantity);
    return is_whole ? waits : quantity;
}

static bool touches(const struct sheet_part *line, const char *array)
{
    for (size_t i = 0; i < line->access_count; i++)
        if (strcmp(line->accesses[i].array, array) == 0)
            return true;
    return false;
}

const struct sheet_part *limit_worst_line(const struct limit *limit, const struct sheet *sheet,
                                          double *value)
{
    bool least;
    enum fault_kind kind;
    struct quantity quantity = quantity_of_lines(limit, sheet, &least);
    const struct sheet_part *worst = NULL;
    if (limit_is_of_faults(limit, &kind))
        return NULL;
    /* A sum that is too small is no line's fault, and nothing says which lines a kernel has. */
    if ((least && quantity.expression == NULL) || limit->place == LIMIT_KERNEL)
        return NULL;
    for (size_t i = 0; i < sheet->lines.count; i++) {
        const struct sheet_part *line = &sheet->lines.parts[i];
        double here;
        if (limit->place == LIMIT_ARRAY && !touches(line, limit->name))
            continue;
        if (!quantity_value(&quantity, &line->counters, &here) || (here == 0 && !least))
            continue;
        if (worst && (least ? here >= *value : here <= *value))
            continue;
        worst = line;
        *value = here;
    }
    return worst;
}
