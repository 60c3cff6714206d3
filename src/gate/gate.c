/* gate.c - a limit without a value is an error, not a pass: it would never fail again. A baseline holds the
 * quantities of the rules that have a direction, each of the whole run, and the time; one that had no value there,
 * or that nothing happens for any more, is not held to anything. Counters of the rules must not be worse by one;
 * the time follows from machine code, and has the tolerance. What else the model of time gives is noted where
 * it is worse by more than that: padding a tile takes more instructions and less time. */
#include "gate/gate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/characters.h"
#include "text/memory.h"

__attribute__((format(printf, 2, 3))) static bool fail(struct gate *gate, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(gate->message, sizeof gate->message, format, arguments);
    va_end(arguments);
    text_make_printable(gate->message);
    return false;
}

static bool check_limits(struct gate *gate, struct gate_run *run,
                         const struct gate_request *request)
{
    for (size_t i = 0; i < request->limit_count; i++) {
        if (!limit_is_for(&request->limits[i], run->sheet->run.gpu))
            continue;
        struct outcome *outcome = &run->outcomes[run->count++];
        *outcome = limit_check(&request->limits[i], run->sheet);
        if (outcome->status == LIMIT_NO_VALUE)
            return fail(gate, "%s", outcome->message);
    }
    return true;
}

/* ---- Faults ---------------------------------------------------------------------------------------- */

static bool names_faults(const struct gate_request *request, const struct sheet *sheet,
                         enum fault_kind kind)
{
    enum fault_kind named;
    for (size_t i = 0; i < request->limit_count; i++)
        if (limit_is_for(&request->limits[i], sheet->run.gpu) &&
            limit_is_of_faults(&request->limits[i], &named) &&
            (named == kind || named == FAULT_KINDS))
            return true;
    return false;
}

/* A run without faults says nothing of them. */
static void check_faults(struct gate_run *run, const struct gate_request *request)
{
    for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
        struct limit *limit = &run->faults[kind];
        if (run->sheet->run.fault_sums[kind] == 0 ||
            names_faults(request, run->sheet, (enum fault_kind)kind))
            continue;
        snprintf(limit->quantity, sizeof limit->quantity, "%s", fault_kinds[kind].name);
        run->outcomes[run->count++] = limit_check(limit, run->sheet);
    }
}

/* ---- The baseline ---------------------------------------------------------------------------------- */

static bool is_same_run(const struct report_entry *a, const struct report_entry *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && strcmp(a->gpu, b->gpu) == 0 &&
           strcmp(a->params, b->params) == 0 && strcmp(a->changes, b->changes) == 0;
}

static const struct sheet *find_run(const struct sheets *sheets, const struct sheet *like)
{
    for (size_t i = 0; i < sheets->count; i++)
        if (is_same_run(&sheets->sheets[i].run, &like->run))
            return &sheets->sheets[i];
    return NULL;
}

/* The limit that a quantity's value in the baseline is; false: none. */
static bool limit_of(const struct quantity *quantity, const struct sheet *base,
                     const struct gate_request *request, struct limit *limit)
{
    enum better better = quantity_better(quantity);
    bool is_of_time = quantity_is_of_time(quantity);
    double value;
    if (better == BETTER_NONE || (is_of_time && !sheet_has_time(base)) ||
        !quantity_value(quantity, &base->run.total, &value))
        return false;
    double tolerance = is_of_time ? request->tolerance_percent : 0;
    *limit = (struct limit){.is_least = better == BETTER_HIGHER,
                            .is_baseline = true,
                            .baseline = value,
                            .tolerance_percent = tolerance};
    limit->bound = value * (1 + (limit->is_least ? -tolerance : tolerance) / 100);
    snprintf(limit->quantity, sizeof limit->quantity, "%s", quantity->name);
    return true;
}

static bool is_held(const struct quantity *quantity)
{
    return !quantity_is_of_time(quantity) || strcmp(quantity->name, "time") == 0;
}

static void hold_quantity(struct gate_run *run, const struct quantity *quantity,
                          const struct sheet *base, const struct gate_request *request,
                          size_t index)
{
    struct limit *limit = &run->baselines[index];
    if (!limit_of(quantity, base, request, limit))
        return;
    struct outcome outcome = limit_check(limit, run->sheet);
    if (!is_held(quantity))
        outcome.status = outcome.status == LIMIT_BROKEN ? LIMIT_NOTED : LIMIT_NO_VALUE;
    if (outcome.status != LIMIT_NO_VALUE)
        run->outcomes[run->count++] = outcome;
}

static bool check_baseline(struct gate *gate, struct gate_run *run,
                           const struct gate_request *request)
{
    char title[SHEET_TITLE_BYTES];
    const struct sheet *base = find_run(request->baseline, run->sheet);
    if (base == NULL || base->run.error)
        return fail(gate,
                    "--baseline %.200s: it has no result of %.300s: kernel, GPU, parameters and "
                    "--set have to be the same",
                    request->baseline_name, sheet_title(run->sheet, title));
    if (sheet_has_time(base) && !sheet_has_time(run->sheet))
        return fail(gate,
                    "--baseline %.200s: it has times, and %.300s has none: leave --rules-only "
                    "out, or make the baseline with it",
                    request->baseline_name, sheet_title(run->sheet, title));
    for (size_t i = 0; i < quantity_own_count(); i++) {
        struct quantity quantity = quantity_at(i);
        hold_quantity(run, &quantity, base, request, i);
    }
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------------- */

static bool check_run(struct gate *gate, struct gate_run *run, const struct gate_request *request)
{
    size_t quantities = quantity_own_count();
    run->outcomes =
        memory_take(request->limit_count + quantities + FAULT_KINDS, sizeof *run->outcomes);
    run->baselines = memory_take(quantities, sizeof *run->baselines);
    if (run->outcomes == NULL || run->baselines == NULL)
        return fail(gate, "no memory for the limits");
    char title[SHEET_TITLE_BYTES];
    if (run->sheet->run.error)
        return fail(gate, "%.300s failed: %.300s", sheet_title(run->sheet, title),
                    run->sheet->run.error);
    check_faults(run, request);
    return check_limits(gate, run, request) &&
           (request->baseline == NULL || check_baseline(gate, run, request));
}

/* A limit for a GPU that there is no run on would say nothing. */
static bool check_gpus(struct gate *gate, const struct sheets *sheets,
                       const struct gate_request *request)
{
    char subject[LIMIT_TEXT_BYTES];
    for (size_t i = 0; i < request->limit_count; i++) {
        bool used = false;
        for (size_t s = 0; s < sheets->count; s++)
            used |= limit_is_for(&request->limits[i], sheets->sheets[s].run.gpu);
        if (!used)
            return fail(gate, "%.300s: no run is on that GPU; the first one is on %.60s",
                        limit_subject(&request->limits[i], subject), sheets->sheets[0].run.gpu);
    }
    return true;
}

bool gate_check(struct gate *gate, const struct sheets *sheets, const struct gate_request *request)
{
    *gate = (struct gate){.baseline = request->baseline_name};
    gate->runs = memory_take(sheets->count + 1, sizeof *gate->runs);
    if (gate->runs == NULL)
        return fail(gate, "no memory for the limits");
    if (!check_gpus(gate, sheets, request))
        return false;
    for (size_t i = 0; i < sheets->count; i++) {
        struct gate_run *run = &gate->runs[gate->count++];
        run->sheet = &sheets->sheets[i];
        if (!check_run(gate, run, request))
            return false;
    }
    return true;
}

void gate_free(struct gate *gate)
{
    for (size_t i = 0; i < gate->count; i++) {
        free(gate->runs[i].outcomes);
        free(gate->runs[i].baselines);
    }
    free(gate->runs);
    gate->runs = NULL;
}

size_t gate_run_count(const struct gate_run *run, enum limit_status status, bool baseline)
{
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        count +=
            run->outcomes[i].status == status && run->outcomes[i].limit->is_baseline == baseline;
    return count;
}

size_t gate_count(const struct gate *gate, enum limit_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < gate->count; i++)
        count += gate_run_count(&gate->runs[i], status, false) +
                 gate_run_count(&gate->runs[i], status, true);
    return count;
}
