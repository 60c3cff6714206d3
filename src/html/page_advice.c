/* page_advice.c - what would help: the changes that were tried, with what each saves. */
#include "advise/headline.h"
#include "advise/words.h"
#include "html/page_view.h"

static void put_paragraph(const char *class, const char *text, FILE *out)
{
    fprintf(out, "<p%s>", class);
    page_put(out, "%s", text);
    fputs("</p>\n", out);
}

/* ---- The table: a row a change --------------------------------------------------------------- */

static void arrays_cell(struct page_table *table, const struct advice *a)
{
    struct text names;
    text_start(&names);
    for (size_t i = 0; i < a->array_count; i++)
        text_add(&names, "%s%s", i ? ", " : "", a->arrays[i]);
    page_cell(table, "%s", names.length ? names.s : "all");
}

static void put_row(struct page_table *table, const struct advice *a, size_t number)
{
    char order[ADVICE_TEXT_BYTES], before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    words_order(order, a);
    if (a->is_alternative)
        page_cell(table, "or: %s", order);
    else
        page_cell(table, "%zu. %s", number, order);
    arrays_cell(table, a);
    if (advice_saves_time(a))
        page_cell(table, "%.1f %%", 100 * advice_time_saved(a));
    else
        page_cell(table, "no time");
    page_cell(table, "%s\u00a0→ %s", report_rounded((double)a->before.elapsed_ns / 1000, before),
              report_rounded((double)a->after.elapsed_ns / 1000, after));
    page_cell(table, "%s", a->cost[0] ? a->cost : "none");
    page_row_end(table);
}

/* The advice of one round: [first, end). */
static void put_figures(const struct advice_report *r, size_t first, size_t end, FILE *out)
{
    static const char *const headings[] = {"Change", "Array", "Saves", "Time, us", "Cost", NULL};
    struct page_table table;
    size_t number = 0;
    page_table_begin(&table, r->advice[first].round ? "Changes, the first one made" : "Changes", 5,
                     headings, out);
    for (size_t i = first; i < end; i++) {
        number += !r->advice[i].is_alternative;
        put_row(&table, &r->advice[i], number);
    }
    page_table_end(&table);
}

/* ---- Each change in words, folded ------------------------------------------------------------ */

static void put_words(const char *label, const char *text, FILE *out)
{
    if (text[0] == '\0')
        return;
    fputs("<dt>", out);
    page_put(out, "%s", label);
    fputs("</dt><dd>", out);
    page_put(out, "%s", text);
    fputs("</dd>\n", out);
}

static void put_alternative(const struct advice *a, const struct advice *preferred, FILE *out)
{
    char label[ADVICE_NAME_BYTES];
    snprintf(label, sizeof label, "Or%s",
             advice_is_about_equal(a, preferred) ? ", about equal" : "");
    put_words(label, a->change, out);
}

/* A change with its alternatives, from `at` on; the index behind them. */
static size_t put_change(const struct advice_report *r, size_t at, size_t end, size_t number,
                         FILE *out)
{
    const struct advice *a = &r->advice[at];
    fprintf(out, "<details><summary>%zu. ", number);
    page_put(out, "%s: why, and what to write", a->title);
    fputs("</summary>\n<dl class=\"words\">\n", out);
    put_words("Where", a->where, out);
    put_words("Why", a->why, out);
    put_words("Change", a->change, out);
    for (at++; at < end && r->advice[at].is_alternative; at++)
        put_alternative(&r->advice[at], a, out);
    fputs("</dl>\n</details>\n", out);
    return at;
}

static size_t end_of_round(const struct advice_report *r, size_t first)
{
    size_t end = first;
    while (end < r->advice_count && r->advice[end].round == r->advice[first].round)
        end++;
    return end;
}

static size_t put_round(const struct advice_report *r, size_t first, FILE *out)
{
    const size_t end = end_of_round(r, first);
    size_t number = 1;
    if (r->advice[first].round)
        put_paragraph("", "With the first of these done, again:", out);
    put_figures(r, first, end, out);
    for (size_t at = first; at < end; number++)
        at = put_change(r, at, end, number, out);
    return end;
}

/* ---- The section ----------------------------------------------------------------------------- */

static void put_untried(const struct advice_report *r, FILE *out)
{
    if (r->untried_count == 0)
        return;
    fputs("<details><summary>Seen, and not tried: ", out);
    for (size_t i = 0; i < r->untried_count; i++)
        page_put(out, "%s%s", i ? ", " : "", r->untried[i].cause);
    fputs("</summary>\n<dl class=\"words\">\n", out);
    for (size_t i = 0; i < r->untried_count; i++)
        put_words(r->untried[i].cause, r->untried[i].text, out);
    fputs("</dl>\n</details>\n", out);
}

static void put_advice(const struct advice_report *r, FILE *out)
{
    char headline[ADVICE_TEXT_BYTES];
    struct text waste;
    headline_write(headline, r);
    put_paragraph(" class=\"headline\"", headline, out);
    text_start(&waste);
    headline_add_waste(&waste, r);
    if (waste.length)
        put_paragraph("", waste.s, out);
    for (size_t first = 0; first < r->advice_count;)
        first = put_round(r, first, out);
    put_untried(r, out);
}

static void put_refusal(const struct advice_report *r, FILE *out)
{
    char text[ADVISE_MESSAGE_BYTES + 32];
    snprintf(text, sizeof text, "Not looked for: %s.", r->refusal);
    put_paragraph("", text, out);
}

void page_advice(const struct page_view *view, FILE *out)
{
    const struct advice_report *advice = view->run->advice;
    if (advice == NULL)
        return;
    page_section(
        view, "advice", "What would help", "approximate",
        "Changes of addresses, blocks and threads, each made to the recorded accesses and run "
        "again. Times are without further instructions or registers that a change may need.",
        out);
    if (advice[view->gpu].refusal[0])
        put_refusal(&advice[view->gpu], out);
    else
        put_advice(&advice[view->gpu], out);
    page_section_end(out);
}
