/* write_text.c - advice for people: what to do first, a table of what was measured, then each change in words. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "advise/headline.h"
#include "text/text.h"
#include "report/faults.h"
#include "report/report.h"
#include "report/table.h"

enum { NAME_COLUMNS = 16, COUNT_IN_FULL = 10000000 };

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

typedef uint64_t figure_of(const struct counters *c);

/* What the rules count. Only figures that some change changes have a column. */
static const struct {
    const char *head;
    figure_of *of;
} figures[] = {{"transactions", transactions_of}, {"passes", passes_of}};
enum { FIGURES = sizeof figures / sizeof figures[0], FIRST_COLUMNS = 5 };

static bool differs(const struct advice *list, size_t count, figure_of *of)
{
    bool does = false;
    for (size_t i = 0; i < count; i++)
        does |= of(&list[i].before) != of(&list[i].after);
    return does;
}

/* All digits, or so many that the table keeps to the page. */
static const char *short_count(uint64_t count, char text[REPORT_NUMBER_BYTES])
{
    if (count < COUNT_IN_FULL)
        return report_number(count, text);
    snprintf(text, REPORT_NUMBER_BYTES, count < 1000000000 ? "%.2f M" : "%.0f M",
             (double)count / 1e6);
    return text;
}

static void change_cell(struct table *table, uint64_t before, uint64_t after)
{
    char first[REPORT_NUMBER_BYTES], second[REPORT_NUMBER_BYTES];
    if (before == after)
        table_cell(table, "%s", short_count(before, first));
    else
        table_cell(table, "%s -> %s", short_count(before, first), short_count(after, second));
}

static void arrays_cell(struct table *table, const struct advice *a)
{
    if (a->array_count == 0)
        table_cell(table, "all");
    else if (a->array_count == 1)
        table_cell(table, "%.*s", NAME_COLUMNS, a->arrays[0]);
    else if (a->array_count == 2 && strlen(a->arrays[0]) + strlen(a->arrays[1]) + 2 <= NAME_COLUMNS)
        table_cell(table, "%s, %s", a->arrays[0], a->arrays[1]);
    else
        table_cell(table, "%.*s + %zu", NAME_COLUMNS - 4, a->arrays[0], a->array_count - 1);
}

static void figures_row(struct table *table, const struct advice *a, size_t number,
                        const bool shown[FIGURES])
{
    char before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    if (a->is_alternative)
        table_cell(table, "  or");
    else
        table_cell(table, "%zu", number);
    table_cell(table, "%s", a->remedy);
    arrays_cell(table, a);
    if (advice_saves_time(a))
        table_cell(table, "%.1f %%", 100 * advice_time_saved(a));
    else
        table_cell(table, "no time");
    table_cell(table, "%s -> %s", report_rounded((double)a->before.elapsed_ns / 1000, before),
               report_rounded((double)a->after.elapsed_ns / 1000, after));
    for (size_t i = 0; i < FIGURES; i++)
        if (shown[i])
            change_cell(table, figures[i].of(&a->before), figures[i].of(&a->after));
    table_row(table);
}

/* The advice of one round: [first, end). */
static void put_figures(const struct advice_report *r, size_t first, size_t end, FILE *out)
{
    static const char *const heads[FIRST_COLUMNS] = {"", "change", "array", "saves", "time, us"};
    struct table table;
    bool shown[FIGURES];
    size_t number = 0;
    table_start(&table, FIRST_COLUMNS + FIGURES, "lllrl");
    for (size_t i = 0; i < FIRST_COLUMNS; i++)
        table_cell(&table, "%s", heads[i]);
    for (size_t i = 0; i < FIGURES; i++) {
        shown[i] = differs(&r->advice[first], end - first, figures[i].of);
        if (shown[i])
            table_cell(&table, "%s", figures[i].head);
    }
    table_row(&table);
    for (size_t i = first; i < end; i++) {
        number += !r->advice[i].is_alternative;
        figures_row(&table, &r->advice[i], number, shown);
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

static void put_verdict(const struct advice_report *r, FILE *out)
{
    char headline[ADVICE_TEXT_BYTES];
    struct text waste;
    headline_write(headline, r);
    text_print_wrapped(out, "  ", 2, headline);
    text_start(&waste);
    headline_add_waste(&waste, r);
    if (waste.length)
        text_print_wrapped(out, "  ", 2, waste.s);
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
        "Measured by running the recorded accesses again, changed. Transactions and passes follow "
        "from the GPU's rules; times are the model's, approximate, without further instructions or "
        "registers that a change may need.");
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
        else
            report_faults_text(reports[i].info, false, out);
        put_report(&reports[i], out);
    }
}
