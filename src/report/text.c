/* text.c - the report for people: aligned tables, units in the headings, the excess beside the
 * count. */
#include "report/amounts.h"
#include "report/faults.h"
#include "report/not_traced.h"
#include "report/text_sections.h"
#include "text/text.h"

void text_percent_cell(struct table *table, uint64_t part, uint64_t whole)
{
    if (whole)
        table_cell(table, "%.1f %%", 100.0 * (double)part / (double)whole);
    else
        table_cell(table, "-");
}

/* ---- Kinds of accesses ------------------------------------------------------------------------- */

struct kind_row {
    enum counter_group group;
    const char *label;
    enum counter_role cost; /* where kinds of one table are counted in different units, and */
    const char *unit;       /* its name */
};

enum { KIND_ROWS = 4, KIND_ROLES = 6, KIND_HEADINGS = 9 };

/* A row a kind that was there: its counters of some roles, and what else is made of them. */
struct kind_table {
    const char *align, *headings[KIND_HEADINGS];
    struct kind_row rows[KIND_ROWS];
    enum counter_role roles[KIND_ROLES];
    void (*put_rest)(struct table *table, const struct kind_row *row, const uint64_t *sums);
};

static void put_efficiency(struct table *table, const struct kind_row *row, const uint64_t *sums)
{
    (void)row;
    text_percent_cell(table, sums[ROLE_BYTES_REQUESTED], sums[ROLE_BYTES_MOVED]);
}

/* Of their sectors. */
static void put_bulk_efficiency(struct table *table, const struct kind_row *row,
                                const uint64_t *sums)
{
    (void)row;
    text_percent_cell(table, sums[ROLE_BYTES_REQUESTED], 32 * sums[ROLE_SECTORS]);
}

static void put_ways(struct table *table, const struct kind_row *row, const uint64_t *sums)
{
    (void)row;
    table_cell(table, "%.2f-way", (double)sums[ROLE_PASSES] / (double)sums[ROLE_IDEAL_PASSES]);
}

static void put_cost(struct table *table, const struct kind_row *row, const uint64_t *sums)
{
    text_number_cell(table, sums[row->cost]);
    table_cell(table, "%s", row->unit);
}

static const struct kind_table kind_tables[] = {
    {.align = "lr",
     .headings = {"global memory", "accesses", "transactions", "sectors", "ideal", "bytes asked",
                  "bytes moved", "efficiency"},
     .rows = {{.group = GROUP_GLOBAL_LOAD, .label = "loads"},
              {.group = GROUP_GLOBAL_STORE, .label = "stores"},
              {.group = GROUP_GLOBAL_ATOMIC, .label = "atomics"}},
     .roles = {ROLE_REQUESTS, ROLE_TRANSACTIONS, ROLE_SECTORS, ROLE_IDEAL_SECTORS,
               ROLE_BYTES_REQUESTED, ROLE_BYTES_MOVED},
     .put_rest = put_efficiency},
    {.align = "lr",
     .headings = {"shared memory", "accesses", "passes", "ideal", "conflicts", "on average"},
     .rows = {{.group = GROUP_SHARED_LOAD, .label = "loads"},
              {.group = GROUP_SHARED_STORE, .label = "stores"},
              {.group = GROUP_SHARED_ATOMIC, .label = "atomics"}},
     .roles = {ROLE_REQUESTS, ROLE_PASSES, ROLE_IDEAL_PASSES, ROLE_CONFLICTS},
     .put_rest = put_ways},
    {.align = "lr",
     .headings = {"asynchronous copies", "accesses", "sectors", "ideal", "bytes read", "passes",
                  "conflicts", "on average"},
     .rows = {{.group = GROUP_ASYNC_COPY, .label = "global to shared"}},
     .roles = {ROLE_REQUESTS, ROLE_SECTORS, ROLE_IDEAL_SECTORS, ROLE_BYTES_REQUESTED, ROLE_PASSES,
               ROLE_CONFLICTS},
     .put_rest = put_ways},
    {.align = "lr",
     .headings = {"bulk copies", "accesses", "sectors", "ideal", "bytes", "efficiency"},
     .rows = {{.group = GROUP_BULK_LOAD, .label = "global to shared"},
              {.group = GROUP_BULK_STORE, .label = "shared to global"},
              {.group = GROUP_BULK_REDUCTION, .label = "shared added to global"},
              {.group = GROUP_BULK_PEER, .label = "shared to another block's"}},
     .roles = {ROLE_REQUESTS, ROLE_SECTORS, ROLE_IDEAL_SECTORS, ROLE_BYTES_REQUESTED},
     .put_rest = put_bulk_efficiency},
    {.align = "lr",
     .headings = {"clusters", "accesses", "sectors", "ideal", "bytes", "efficiency"},
     .rows = {{.group = GROUP_CLUSTER, .label = "other blocks' shared memory"}},
     .roles = {ROLE_REQUESTS, ROLE_SECTORS, ROLE_IDEAL_SECTORS, ROLE_BYTES_REQUESTED},
     .put_rest = put_bulk_efficiency},
    {.align = "lrrl",
     .headings = {"other memories", "accesses", "cost", "in"},
     .rows = {{GROUP_CONSTANT_LOAD, "constant loads", ROLE_PASSES, "passes (distinct addresses)"},
              {GROUP_READ_ONLY_LOAD, "texture and read-only loads", ROLE_SECTORS, "sectors"},
              {GROUP_LOCAL_LOAD, "local loads", ROLE_SECTORS, "sectors"},
              {GROUP_LOCAL_STORE, "local stores", ROLE_SECTORS, "sectors"}},
     .roles = {ROLE_REQUESTS},
     .put_rest = put_cost},
};

static void kind_row(struct table *table, const struct kind_table *kinds,
                     const struct kind_row *row, const struct counters *c)
{
    uint64_t sums[ROLE_COUNT];
    counters_sum_roles(c, row->group, sums);
    if (sums[ROLE_REQUESTS] == 0)
        return;
    table_cell(table, "%s", row->label);
    for (size_t i = 0; i < KIND_ROLES && kinds->roles[i] != ROLE_NONE; i++)
        text_number_cell(table, sums[kinds->roles[i]]);
    kinds->put_rest(table, row, sums);
    table_row(table);
}

static void print_kinds(const struct kind_table *kinds, const struct counters *c, FILE *out)
{
    struct table table;
    size_t columns = 0;
    while (kinds->headings[columns])
        columns++;
    table_start(&table, columns, kinds->align);
    text_headings(&table, kinds->headings, columns);
    for (size_t i = 0; i < KIND_ROWS && kinds->rows[i].label; i++)
        kind_row(&table, kinds, &kinds->rows[i], c);
    if (table.row_count == 1) {
        table_free(&table);
        return;
    }
    fputc('\n', out);
    table_print_parts(&table, 1, 2, out);
}

/* ---- Lines and arrays ------------------------------------------------------------------------ */

static void amount_cell(struct table *table, uint64_t amount, bool applies)
{
    if (applies)
        text_number_cell(table, amount);
    else
        table_cell(table, "-");
}

static void part_headings(struct table *table)
{
    for (size_t i = 0; i < counter_count; i++)
        if (counter_table[i].role == ROLE_OWN_COLUMN)
            table_cell(table, "%s", counter_table[i].heading);
    TEXT_HEADINGS(table, "transactions", "sectors", "excess", "passes", "conflicts");
}

static void part_row(struct table *table, const struct counters *c)
{
    const struct report_amounts a = report_amounts(c);
    for (size_t i = 0; i < counter_count; i++)
        if (counter_table[i].role == ROLE_OWN_COLUMN)
            text_number_cell(table, counters_get(c, &counter_table[i]));
    amount_cell(table, a.transactions, a.transactions != 0);
    amount_cell(table, a.sectors, a.sectors != 0);
    amount_cell(table, a.sectors - a.ideal_sectors, a.sectors != 0);
    amount_cell(table, a.passes, a.passes != 0);
    amount_cell(table, a.passes - a.ideal_passes, a.passes != 0);
    table_row(table);
}

/* The columns behind a part's name. */
static size_t part_columns(void)
{
    size_t columns = 5;
    for (size_t i = 0; i < counter_count; i++)
        columns += counter_table[i].role == ROLE_OWN_COLUMN;
    return columns;
}

static void print_lines(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 2 + part_columns(), "llr");
    table_cell(&table, "source line");
    table_cell(&table, "access");
    part_headings(&table);
    for (size_t i = 0; i < r->line_count; i++) {
        const struct result_part *part = &r->lines[i];
        char name[TEXT_LINE_BYTES];
        table_cell(&table, "%s", text_line_name(part, name));
        table_cell(&table, "%s %s", mem_space_names[part->space], result_part_op(part));
        part_row(&table, part->counters);
    }
    fputc('\n', out);
    table_print_parts(&table, 2, 2, out);
}

static void print_arrays(const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, 1 + part_columns(), "lr");
    table_cell(&table, "array");
    part_headings(&table);
    for (size_t i = 0; i < r->array_count; i++) {
        const struct result_part *part = &r->arrays[i];
        table_cell(&table, "%s%s%.40s", mem_space_names[part->space], part->array[0] ? " " : "",
                   part->array);
        part_row(&table, part->counters);
    }
    fputc('\n', out);
    table_print_parts(&table, 1, 2, out);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void print_profiler(const struct result *r, FILE *out)
{
    struct table table;
    char text[REPORT_NUMBER_BYTES];
    table_start(&table, 3, "lrl");
    for (size_t i = 0; i < profiler_counter_count; i++) {
        double value;
        if (!(profiler_table[i].profilers & r->rules.profiler) ||
            !profiler_table[i].value(&r->total, &value) || value == 0)
            continue;
        table_cell(&table, "%s", profiler_table[i].name);
        table_cell(&table, "%s", report_value(value, text));
        table_cell(&table, "%s", profiler_table[i].unit);
        table_row(&table);
    }
    fprintf(out, "\n  %s would show (counters that are 0 left out)\n",
            profiler_title(r->rules.profiler));
    table_print(&table, 4, out);
}

static void print_all(const struct result *r, FILE *out)
{
    if (r->info->summary[0]) {
        fputc('\n', out);
        text_print_wrapped(out, "  ", 2, r->info->summary);
    }
    for (size_t i = 0; i < sizeof kind_tables / sizeof kind_tables[0]; i++)
        print_kinds(&kind_tables[i], &r->total, out);
    print_lines(r, out);
    print_arrays(r, out);
    text_memory(r, out);
    text_partitions(r, out);
    print_profiler(r, out);
}

static void print_result(const struct result *r, const struct report_options *options, FILE *out)
{
    if (report_is_empty(r)) {
        fprintf(out, "%s on %s: no launch was complete.\n\n", r->info->kernel, r->gpu->title);
        return;
    }
    text_head(r, options->full, out);
    if (options->full)
        print_all(r, out);
    if (options->blocks)
        text_blocks(r, options, out);
    if (options->timeline)
        text_timeline(r, out);
    fputc('\n', out);
}

static void print_notes(const struct result *r, bool full, FILE *out)
{
    struct text t;
    text_start(&t);
    if (!full)
        text_add(&t, "Exact by rule: efficiency, conflicts, sectors, passes. %s ",
                 r && r->usage ? "Approximate: time, and what holds the kernel up (docs/model.md)."
                               : "Left out: caches, time.");
    else
        text_add(&t, "Exact by rule: accesses, transactions, sectors, bytes, passes. %s ",
                 r && r->usage ? "Modelled: cache hits, what L2 and DRAM move. Approximate: "
                                 "cycles, time, bandwidths, what holds the kernel up; "
                                 "docs/model.md has the measured errors."
                               : "Left out: caches, time.");
    text_add(&t, "Not modelled: nvcc's own merging of accesses, address translation (TLB).");
    if (!full)
        text_add(
            &t,
            " All lines, arrays, caches and counters: --full. What would help: warplens advise.");
    text_print_wrapped(out, "", 0, t.s);
    fprintf(out, "Accesses as compiled by %s.\n", r ? r->info->compiler : "");
    if (r && *r->info->nvcc)
        fprintf(out, "Kernels as compiled by %s.\n", r->info->nvcc);
}

void report_text(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || results[i].info != results[i - 1].info) {
            report_faults_text(results[i].info, options->full, out);
            report_not_traced_text(results[i].info, out);
        }
        print_result(&results[i], options, out);
    }
    print_notes(count ? &results[0] : NULL, options->full, out);
}
