/* page_view.h - a result in the page, the tables and sections that it is shown in. */
#ifndef WARPLENS_HTML_PAGE_VIEW_H
#define WARPLENS_HTML_PAGE_VIEW_H

#include "advise/advise.h"
#include "figures/figure_frame.h"

/* The results of one run, and where they are in the page. */
struct page_run {
    const struct result *results;
    size_t count;      /* GPUs */
    size_t number;     /* of the run, from 1: ids begin with "k<number>" */
    size_t page_count; /* results in the page */
    const struct report_options *options;
    const struct advice_report *advice; /* one a GPU; NULL: there is none */
};

/* One of them. */
struct page_view {
    const struct page_run *run;
    const struct result *r;
    size_t gpu; /* from 0 */
};

/* Text, escaped. */
void page_put(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "<section id=... ><h4>title</h4><p>shows</p>"; `basis`: exact, modelled or approximate, or NULL. */
void page_section(const struct page_view *view, const char *id, const char *title,
                  const char *basis, const char *shows, FILE *out);
void page_section_end(FILE *out);

/* A table that scrolls when it is too wide. The headings end with NULL and begin with a capital letter however they are given; the first `texts` columns are
 * texts, the others numbers. */
struct page_table {
    FILE *out;
    size_t texts, column;
};
void page_table_begin(struct page_table *table, const char *name, size_t texts,
                      const char *const *headings, FILE *out);
void page_cell(struct page_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* "-" for 0. */
void page_number(struct page_table *table, uint64_t value);
/* "-" when there is no whole. */
void page_percent(struct page_table *table, uint64_t part, uint64_t whole);
void page_row_end(struct page_table *table);
void page_table_end(struct page_table *table);

/* The faults of a run; nothing when there is none. */
void page_faults(const struct run_info *info, FILE *out);
void page_not_traced(const struct run_info *info, FILE *out);
void page_sampled(const struct result *result, FILE *out);
/* How many of the launches were traced, unless all were. */
void page_traced(const struct run_info *info, FILE *out);

/* Parts of a result's section. */
void page_summary(const struct page_view *view, FILE *out);
void page_advice(const struct page_view *view, FILE *out);
void page_source(const struct page_view *view, const struct figure *figure, FILE *out);
void page_arrays(const struct page_view *view, const struct figure *figure, FILE *out);
void page_accesses(const struct page_view *view, const struct figure *figure, FILE *out);
void page_tables(const struct page_view *view, FILE *out);

#endif
