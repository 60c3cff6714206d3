/* write_text.c - advice for people: a verdict, a table of what was measured, then each change in words. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/causes.h"
#include "advise/excess.h"
#include "text/text.h"
#include "report/report.h"
#include "report/table.h"

enum { EXCESS_NAMED = 3 };

/* ---- Figures --------------------------------------------------------------------------------- */

static uint64_t transactions_of(const struct counters *c)
{
    return c->global_load_transactions + c->global_store_transactions +
           c->global_atomic_transactions;
}

static uint64_t passes_of(const struct counters *c)
{
    return c->shared_load_passes + c->shared_store_passes + c->shared_atomic_passes;
}

static uint64_t moved_of(const struct counters *c)
{
    return c->global_load_bytes_moved + c->global_store_bytes_moved + c->global_atomic_bytes_moved;
}

static void change_cell(struct table *table, uint64_t before, uint64_t after)
{
    char first[REPORT_NUMBER_BYTES], second[REPORT_NUMBER_BYTES];
    if (before == after)
        table_cell(table, "%s", report_number(before, first));
    else
        table_cell(table, "%s -> %s", report_number(before, first), report_number(after, second));
}

static void figures_row(struct table *table, const struct advice *a, size_t number)
{
    char before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    if (a->is_alternative)
        table_cell(table, "  or");
    else
        table_cell(table, "%zu", number);
    table_cell(table, "%s: %s", a->title, a->remedy);
    if (advice_saves_time(a))
        table_cell(table, "%.1f %%", 100 * advice_time_saved(a));
    else
        table_cell(table, "no time");
    table_cell(table, "%s -> %s us", report_rounded((double)a->before.elapsed_ns / 1000, before),
               report_rounded((double)a->after.elapsed_ns / 1000, after));
    change_cell(table, transactions_of(&a->before), transactions_of(&a->after));
    change_cell(table, moved_of(&a->before), moved_of(&a->after));
    change_cell(table, passes_of(&a->before), passes_of(&a->after));
    table_row(table);
}

/* The advice of one round: [first, end). */
static void put_figures(const struct advice_report *r, size_t first, size_t end, FILE *out)
{
    struct table table;
    size_t number = 0;
    table_start(&table, 7, "llrllll");
    for (const char *const *head =
             (const char *const[]){"", "change", "saves", "time", "transactions", "bytes moved",
                                   "passes", NULL};
         *head; head++)
        table_cell(&table, "%s", *head);
    table_row(&table);
    for (size_t i = first; i < end; i++) {
        number += !r->advice[i].is_alternative;
        figures_row(&table, &r->advice[i], number);
    }
    table_print(&table, 2, out);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void put_wrapped(const char *label, const char *text, FILE *out)
{
    char prefix[32];
    snprintf(prefix, sizeof prefix, "     %-7s ", label);
    text_print_wrapped(out, prefix, 13, text);
}

/* `first`: the main change of the cause, itself or the one that it is an alternative to. */
static void put_words(const struct advice *a, const struct advice *first, size_t number, FILE *out)
{
    if (a->is_alternative)
        fprintf(out, "\n  or%s %s\n", advice_is_about_equal(a, first) ? ", about equal:" : "",
                a->remedy);
    else
        fprintf(out, "\n  %zu. %s\n", number, a->title);
    if (!a->is_alternative) {
        put_wrapped("where", a->where, out);
        put_wrapped("why", a->why, out);
    }
    put_wrapped("change", a->change, out);
    if (a->cost[0])
        put_wrapped("cost", a->cost, out);
}

static size_t end_of_round(const struct advice_report *r, size_t first)
{
    size_t end = first;
    while (end < r->advice_count && r->advice[end].round == r->advice[first].round)
        end++;
    return end;
}

static void put_round(const struct advice_report *r, size_t first, size_t end, FILE *out)
{
    const struct advice *preferred = NULL;
    size_t number = 0;
    if (r->advice[first].round)
        fprintf(out, "\n  With that done, again:\n\n");
    put_figures(r, first, end, out);
    for (size_t i = first; i < end; i++) {
        const struct advice *a = &r->advice[i];
        preferred = a->is_alternative ? preferred : a;
        number += !a->is_alternative;
        put_words(a, preferred, number, out);
    }
}

/* ---- A report -------------------------------------------------------------------------------- */

/* The remedies that would do as well as the first one. */
static void add_equals(const struct advice_report *r, struct text *t)
{
    const char *between = "; about equal: ";
    for (size_t i = 1; i < r->advice_count && r->advice[i].is_alternative; i++) {
        if (!advice_is_about_equal(&r->advice[i], &r->advice[0]))
            continue;
        text_add(t, "%s%s", between, r->advice[i].remedy);
        between = ", ";
    }
}

static void add_excess(struct text *t, const struct excess *e)
{
    const bool is_shared = e->site->space == SPACE_SHARED;
    text_add(t, "%.100s",
             e->site->array[0] ? e->site->array
             : is_shared       ? "shared memory"
                               : "global memory");
    if (e->site->line)
        text_add(t, " (%.100s:%" PRIu32 ")", e->site->file, e->site->line);
    text_add(t,
             is_shared ? " takes %.1f x the passes it needs"
                       : " moves %.1f x the sectors that hold its words",
             e->ideal ? (double)e->moved / (double)e->ideal : 1.0);
}

static void add_all_excess(struct text *t, const struct excess *list, size_t count)
{
    for (size_t i = 0; i < count && i < EXCESS_NAMED; i++) {
        text_add(t, "%s", i == 0 ? "" : ", ");
        add_excess(t, &list[i]);
    }
    if (count > EXCESS_NAMED)
        text_add(t, ", and %zu places more", count - EXCESS_NAMED);
}

/* No advice: that there is no waste is said only where it is so. */
static void add_nothing(const struct advice_report *r, struct text *t)
{
    size_t count = 0;
    struct excess *list = r->result.info ? excess_find(&r->result, &count) : NULL;
    text_add(t, "%s: no change that was tried, if any, saves 2 %% of the time",
             count ? "No cure was found" : "Nothing worth changing was found");
    if (count) {
        text_add(t, ". But there is waste: ");
        add_all_excess(t, list, count);
        text_add(t, ". Looked for: ");
        for (size_t i = 0; i < cause_count; i++)
            text_add(t, "%s%s", i == 0 ? "" : ", ", cause_table[i].title);
    } else if (list) {
        text_add(t, "; no access to global memory moves more than 1.5 x the sectors that hold its "
                    "words, none to shared memory has bank conflicts");
    }
    if (r->untried_count)
        text_add(t, ". See below for what was not tried");
    free(list);
}

static void put_verdict(const struct advice_report *r, FILE *out)
{
    struct text t;
    text_start(&t);
    if (r->advice_count == 0) {
        add_nothing(r, &t);
    } else {
        const struct advice *a = &r->advice[0];
        text_add(&t, "%s (%s): %s. ", a->title, a->where, a->why);
        text_add(&t, "Try first: %s", a->change);
        if (advice_saves_time(a))
            text_add(&t, ": saves %.1f %% of the time", 100 * advice_time_saved(a));
        else
            text_add(&t, ": saves accesses, no time");
        add_equals(r, &t);
    }
    text_add(&t, ".");
    text_print_wrapped(out, "  ", 2, t.s);
}

static void put_untried(const struct advice_report *r, FILE *out)
{
    if (r->untried_count)
        fprintf(out, "\n  not tried\n");
    for (size_t i = 0; i < r->untried_count; i++)
        put_wrapped(r->untried[i].cause, r->untried[i].text, out);
}

static void put_notes(const struct advice_report *r, FILE *out)
{
    char number[REPORT_NUMBER_BYTES];
    fputc('\n', out);
    if (r->blocks_left_out)
        fprintf(out, "  The trace is long: its last %s blocks were left out of all runs.\n",
                report_number(r->blocks_left_out, number));
    text_print_wrapped(
        out, "  ", 2,
        "Every figure was measured by running the recorded accesses again with the change "
        "made to their addresses. Transactions, bytes and passes follow from the GPU's "
        "rules; times are the model's, approximate, and know nothing of further "
        "instructions or registers that a change may need.");
}

static void put_report(const struct advice_report *r, FILE *out)
{
    fprintf(out, "%s on %s (%s)", r->info->kernel, r->gpu->title, r->gpu->name);
    for (size_t i = 0; i < r->info->param_count; i++)
        fprintf(out, "%s%s=%s", i ? " " : ", ", r->info->params[i].name, r->info->params[i].value);
    fputc('\n', out);
    put_verdict(r, out);
    if (r->advice_count)
        fputc('\n', out);
    for (size_t first = 0; first < r->advice_count;) {
        const size_t end = end_of_round(r, first);
        put_round(r, first, end, out);
        first = end;
    }
    put_untried(r, out);
    put_notes(r, out);
}

void advise_write_text(const struct advice_report *reports, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i)
            fputc('\n', out);
        put_report(&reports[i], out);
    }
}
