/* page_faults.c - what was wrong with a run, and what of it was not traced, in front of its figures. */
#include <inttypes.h>

#include "html/page_view.h"
#include "report/faults.h"
#include "report/not_traced.h"
#include "report/sampled.h"
#include "report/traced.h"

static void put_fault(struct page_table *table, const struct run_fault *fault)
{
    const struct trace_fault *f = &fault->fault;
    page_cell(table, "%s", fault_kinds[f->kind].name);
    page_cell(table, "%s:%" PRIu32, f->file, f->line);
    page_cell(table, "%s", f->array);
    page_cell(table, "%s", f->text);
    page_cell(table, "%s", fault_kinds[f->kind].remedy);
    page_number(table, f->count);
    page_row_end(table);
}

void page_traced(const struct run_info *info, FILE *out)
{
    struct text t;
    report_traced(info, &t);
    if (t.length == 0)
        return;
    fputs("<p>Traced: ", out);
    quote_xml(t.s, out);
    fputs(".</p>\n", out);
}

void page_faults(const struct run_info *info, FILE *out)
{
    static const char *const headings[] = {"kind",       "source line", "array", "the first one",
                                           "what to do", "count",       NULL};
    struct page_table table;
    struct text t;
    if (info->fault_count == 0)
        return;
    report_faults_headline(info, &t);
    fputs("<section class=\"faults\">\n<p class=\"verdict\">", out);
    quote_xml(t.s, out);
    fputs("</p>\n", out);
    page_table_begin(&table, "Faults", 5, headings, out);
    for (size_t i = 0; i < info->fault_count; i++)
        put_fault(&table, report_fault(info, i));
    page_table_end(&table);
    fputs("</section>\n", out);
}

void page_not_traced(const struct run_info *info, FILE *out)
{
    struct text t;
    report_not_traced(info, &t);
    if (t.length == 0)
        return;
    fputs("<p class=\"verdict\">", out);
    quote_xml(t.s, out);
    fputs("</p>\n", out);
}

/* A page shows timelines, so nothing of its runs is left out: the reason is the same on every GPU. */
void page_sampled(const struct result *result, FILE *out)
{
    struct text t;
    report_sampled(result, &t);
    if (t.length == 0)
        return;
    fputs("<p>Sampled: ", out);
    quote_xml(t.s, out);
    fputs(".</p>\n", out);
}
