/* page_tables.c - the numbers behind the pictures: arrays, launches, lines, counters. */
#include <inttypes.h>
#include <string.h>

#include "figures/arrays.h"
#include "html/page_view.h"

enum { LAUNCHES_MAX = 60, HEADINGS_MAX = sizeof(struct counters) / sizeof(uint64_t) + 12 };

static const char *space_of(const struct result_part *part)
{
    return mem_space_names[part->space];
}

void page_arrays(const struct page_view *view, const struct figure *figure, FILE *out)
{
    static const char *const headings[] = {
        "Array",  "Memory",       "Accesses",       "Bytes used", "Bytes moved", "Used",
        "Passes", "Ideal passes", "To and from L2", "DRAM bytes", "Waiting",     NULL};
    struct page_table table;
    page_section(view, "arrays", figure->title, figure->basis, figure->shows, out);
    if (figure->has(view->r, 1))
        figure->write(view->r, 1, SVG_IN_PAGE, out);
    page_table_begin(&table, "Arrays", 2, headings, out);
    for (size_t i = 0; i < view->r->array_count; i++) {
        const struct result_part *array = &view->r->arrays[i];
        const struct counters *c = array->counters;
        const struct array_bytes bytes = array_bytes(c);
        const struct report_amounts a = report_amounts(c);
        page_cell(&table, "%s", array->array[0] ? array->array : "(no name)");
        page_cell(&table, "%s", space_of(array));
        page_number(&table, c->warp_accesses);
        page_number(&table, bytes.used);
        page_number(&table, bytes.moved);
        page_percent(&table, bytes.used, bytes.moved);
        page_number(&table, a.passes);
        page_number(&table, a.ideal_passes);
        page_number(&table, c->crossbar_read_bytes + c->crossbar_write_bytes);
        page_number(&table, 32 * (c->dram_read_sectors + c->dram_write_sectors));
        page_percent(&table, c->stall_cycles, view->r->total.stall_cycles);
        page_row_end(&table);
    }
    page_table_end(&table);
    page_section_end(out);
}

static void put_lines(const struct result *r, FILE *out)
{
    static const char *const last[] = {"Transactions", "Sectors", "Ideal",   "Passes", "Ideal",
                                       "L1 hits",      "L2 hits", "Waiting", NULL};
    const char *headings[HEADINGS_MAX] = {"Line", "Access"};
    struct page_table table;
    size_t columns = 2;
    for (size_t i = 0; i < counter_count; i++)
        if (counter_table[i].role == ROLE_OWN_COLUMN)
            headings[columns++] = counter_table[i].heading;
    memcpy(headings + columns, last, sizeof last);
    page_table_begin(&table, "All lines", 2, headings, out);
    for (size_t i = 0; i < r->line_count; i++) {
        const struct result_part *line = &r->lines[i];
        const struct counters *c = line->counters;
        const struct report_amounts a = report_amounts(c);
        page_cell(&table, "%s:%" PRIu32, line->file, line->line);
        page_cell(&table, "%s %s", space_of(line), result_part_op(line));
        for (size_t k = 0; k < counter_count; k++)
            if (counter_table[k].role == ROLE_OWN_COLUMN)
                page_number(&table, counters_get(c, &counter_table[k]));
        page_number(&table, a.transactions);
        page_number(&table, a.sectors);
        page_number(&table, a.ideal_sectors);
        page_number(&table, a.passes);
        page_number(&table, a.ideal_passes);
        page_percent(&table, c->l1_hit_sectors + c->read_only_hit_sectors,
                     c->l1_lookup_sectors + c->read_only_lookup_sectors);
        page_percent(&table, c->l2_read_hit_sectors, c->l2_read_sectors);
        page_percent(&table, c->stall_cycles, r->total.stall_cycles);
        page_row_end(&table);
    }
    page_table_end(&table);
}

static void put_profiler(const struct result *r, FILE *out)
{
    static const char *const headings[] = {"Counter", "Unit", "Value", NULL};
    struct page_table table;
    page_table_begin(&table, "What the profiler would show", 2, headings, out);
    for (size_t i = 0; i < profiler_counter_count; i++) {
        double value;
        char text[REPORT_NUMBER_BYTES];
        if (!(profiler_table[i].profilers & r->rules.profiler) ||
            !profiler_table[i].value(&r->total, &value) || value == 0)
            continue;
        page_cell(&table, "%s", profiler_table[i].name);
        page_cell(&table, "%s", profiler_table[i].unit);
        page_cell(&table, "%s", report_value(value, text));
        page_row_end(&table);
    }
    page_table_end(&table);
}

static void put_counters(const struct result *r, FILE *out)
{
    static const char *const headings[] = {"Counter", "Unit", "Value", NULL};
    struct page_table table;
    page_table_begin(&table, "All counters", 2, headings, out);
    for (size_t i = 0; i < counter_count; i++) {
        const uint64_t value = counters_get(&r->total, &counter_table[i]);
        if (value == 0)
            continue;
        page_cell(&table, "%s", counter_table[i].name);
        page_cell(&table, "%s", counter_table[i].unit);
        page_number(&table, value);
        page_row_end(&table);
    }
    page_table_end(&table);
}

static void put_launch(struct page_table *table, const struct result_launch *launch, size_t number)
{
    const struct counters *c = &launch->counters;
    const struct report_amounts a = report_amounts(c);
    const uint32_t *g = launch->grid, *b = launch->block;
    page_cell(table, "%zu", number);
    page_cell(table, "%s", launch->kernel);
    page_cell(table, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, g[0], g[1], g[2]);
    page_cell(table, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, b[0], b[1], b[2]);
    page_cell(table, "%.2f", 1e-3 * (double)c->elapsed_ns);
    page_number(table, c->warp_accesses);
    page_percent(table, c->global_load_bytes_requested, c->global_load_bytes_moved);
    page_percent(table, c->global_store_bytes_requested, c->global_store_bytes_moved);
    if (a.ideal_passes)
        page_cell(table, "%.2f", report_share(a.passes, a.ideal_passes));
    else
        page_cell(table, "-");
    page_row_end(table);
}

static void put_launches(const struct page_view *view, FILE *out)
{
    static const char *const headings[] = {"Launch",        "Kernel",   "Grid",       "Block",
                                           "Time, us",      "Accesses", "Loads eff.", "Stores eff.",
                                           "Conflict ways", NULL};
    const struct result *r = view->r;
    const size_t shown = r->launch_count < LAUNCHES_MAX ? r->launch_count : LAUNCHES_MAX;
    struct page_table table;
    page_section(view, "launches", "Launches", NULL,
                 "Each launch's share of the totals above and below; times are approximate.", out);
    page_table_begin(&table, "Launches", 4, headings, out);
    for (size_t i = 0; i < shown; i++)
        put_launch(&table, &r->launches[i], i + 1);
    page_table_end(&table);
    if (shown < r->total.launches)
        fprintf(out, "<p class=\"shows\">and %" PRIu64 " more, in the totals only</p>\n",
                r->total.launches - shown);
    page_section_end(out);
}

static void put_details(const char *summary, const struct result *r,
                        void (*write)(const struct result *, FILE *), FILE *out)
{
    fputs("<details><summary>", out);
    page_put(out, "%s", summary);
    fputs("</summary>\n", out);
    write(r, out);
    fputs("</details>\n", out);
}

void page_tables(const struct page_view *view, FILE *out)
{
    if (view->r->total.launches > 1)
        put_launches(view, out);
    page_section(view, "numbers", "All numbers", NULL, NULL, out);
    put_details("Every line", view->r, put_lines, out);
    put_details(profiler_title(view->r->rules.profiler), view->r, put_profiler, out);
    put_details("Every counter of warplens (those that are 0 left out)", view->r, put_counters,
                out);
    page_section_end(out);
}
