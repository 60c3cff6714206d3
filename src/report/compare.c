/* compare.c - results side by side. Without a choice of counters it shows the ones that tell
 * layouts apart, and of those the ones that are not 0 everywhere. With several kernels and several
 * GPUs, rows are grouped by counter: GPUs are the columns, kernels the lines of a group. */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "report/table.h"

static const char *const key_rows[] = {
    "warp_accesses",
    "global_load_transactions",
    "global_load_sectors",
    "global_load_bytes_moved",
    "gld_efficiency",
    "global_store_transactions",
    "global_store_sectors",
    "global_store_bytes_moved",
    "gst_efficiency",
    "global_atomic_sectors",
    "read_only_load_sectors",
    "shared_load_passes",
    "shared_load_conflicts",
    "shared_store_passes",
    "shared_store_conflicts",
    "shared_atomic_passes",
    "shared_conflict_ways",
    "constant_load_passes",
    "local_load_sectors",
    "local_store_sectors",
    "divergent_share",
    "l1_hit_rate",
    "read_only_hit_rate",
    "constant_hit_rate",
    "l2_hit_rate",
    "dram_read_sectors",
    "dram_write_sectors",
    "camping_index",
    "achieved_occupancy",
    "elapsed_cycles",
    "time",
    "effective_bandwidth",
    "limited_by_issue",
    "limited_by_lsu",
    "limited_by_shared",
    "limited_by_l1",
    "limited_by_crossbar",
    "limited_by_l2",
    "limited_by_dram",
    "limited_by_partition",
    "limited_by_host",
    "limited_by_latency",
};

/* A row: a counter or a metric, whichever is not NULL. */
struct row {
    const struct counter_info *counter;
    const struct metric_info *metric;
};

static const char *row_name(const struct row *row)
{
    return row->counter ? row->counter->name : row->metric->name;
}

static bool row_value(const struct row *row, const struct result *result, double *value)
{
    if (row->metric)
        return row->metric->value(&result->total, value);
    *value = (double)counters_get(&result->total, row->counter);
    return true;
}

static bool list_holds(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

static bool is_key_row(const char *name)
{
    for (size_t i = 0; i < sizeof key_rows / sizeof key_rows[0]; i++)
        if (strcmp(key_rows[i], name) == 0)
            return true;
    return false;
}

static bool is_wanted(const struct row *row, const struct result *results, size_t count,
                      const char *wanted)
{
    const char *name = row_name(row);
    double value;
    if (wanted && strcmp(wanted, "all") != 0)
        return list_holds(wanted, name);
    if (wanted == NULL && !is_key_row(name))
        return false;
    for (size_t i = 0; i < count; i++)
        if (row_value(row, &results[i], &value) && value != 0)
            return true;
    return false;
}

static void value_cell(struct table *table, const struct row *row, const struct result *result)
{
    char text[REPORT_NUMBER_BYTES];
    double value;
    if (!row_value(row, result, &value))
        table_cell(table, "-");
    else if (row->metric)
        table_cell(table, "%.2f", value);
    else
        table_cell(table, "%s", report_number(counters_get(&result->total, row->counter), text));
}

/* How the results lie in the table: `lines` of `columns` results, column by column within a line.
 */
struct layout {
    size_t lines, columns;
    bool columns_are_gpus;
};

static struct layout layout_of(const struct result *results, size_t count)
{
    size_t gpus = 1;
    while (gpus < count && results[gpus].info == results[0].info)
        gpus++;
    if (gpus == 1)
        return (struct layout){1, count, false};
    return (struct layout){count / gpus, gpus, true};
}

static void put_row(const struct row *row, const struct result *results, struct layout layout,
                    struct table *table)
{
    const char *unit = row->counter ? row->counter->unit : row->metric->unit;
    for (size_t line = 0; line < layout.lines; line++) {
        const struct result *first = &results[line * layout.columns];
        table_cell(table, "%s", line ? "" : row_name(row));
        table_cell(table, "%s", line ? "" : unit);
        if (layout.lines > 1)
            table_cell(table, "%s", first->label);
        for (size_t i = 0; i < layout.columns; i++)
            value_cell(table, row, &first[i]);
        table_row(table);
    }
}

static void put_occupancy(const struct result *results, struct layout layout, struct table *table)
{
    for (size_t line = 0; line < layout.lines; line++) {
        table_cell(table, "%s", line ? "" : "occupancy");
        table_cell(table, "%s", line ? "" : "warps/SM");
        if (layout.lines > 1)
            table_cell(table, "%s", results[line * layout.columns].label);
        for (size_t i = 0; i < layout.columns; i++) {
            const struct result *r = &results[line * layout.columns + i];
            table_cell(table, "%lld of %lld", (long long)r->occupancy.warps_per_sm,
                       (long long)r->judge.arch.warps_per_sm);
        }
        table_row(table);
    }
}

/* Columns that are one kernel with several values of a parameter need not repeat its name. */
static const char *short_label(const struct result *results, size_t count, size_t i)
{
    const char *label = results[i].label, *values = label + strlen(results[i].info->kernel);
    for (size_t k = 0; k < count; k++)
        if (strcmp(results[k].info->kernel, results[i].info->kernel) != 0)
            return label;
    return *values == ' ' ? values + 1 : label;
}

static void put_heads(const struct result *results, struct layout layout, struct table *table)
{
    const struct result *r = results;
    table_cell(table, "%s",
               layout.lines > 1          ? "counter"
               : layout.columns_are_gpus ? r->label
                                         : r->gpu->name);
    table_cell(table, "unit");
    if (layout.lines > 1)
        table_cell(table, "kernel");
    for (size_t i = 0; i < layout.columns; i++)
        table_cell(table, "%s",
                   layout.columns_are_gpus ? r[i].gpu->name : short_label(r, layout.columns, i));
    table_row(table);
}

/* Calls `take` for every wanted counter and metric, in the order of their tables. */
static void each_row(const struct result *results, size_t count, const char *wanted, void *context,
                     void (*take)(void *context, const struct row *row))
{
    for (size_t i = 0; i < counter_count; i++) {
        struct row row = {.counter = &counter_table[i]};
        if (is_wanted(&row, results, count, wanted))
            take(context, &row);
    }
    for (size_t i = 0; i < metric_count; i++) {
        struct row row = {.metric = &metric_table[i]};
        if (is_wanted(&row, results, count, wanted))
            take(context, &row);
    }
}

struct text_context {
    const struct result *results;
    struct layout layout;
    struct table table;
};

static void take_text(void *context, const struct row *row)
{
    struct text_context *text = context;
    put_row(row, text->results, text->layout, &text->table);
}

/* What the figures are for: each kernel's parameters, and what was changed in the GPUs. */
static void put_parameters(const struct result *results, struct layout layout, FILE *out)
{
    size_t kernels = layout.columns_are_gpus ? layout.lines : layout.columns;
    fputc('\n', out);
    for (size_t k = 0; k < kernels; k++) {
        const struct result *r = &results[k * (layout.columns_are_gpus ? layout.columns : 1)];
        fprintf(out, "%s:", r->info->kernel);
        for (size_t i = 0; i < r->info->param_count; i++)
            fprintf(out, " %s=%s", r->info->params[i].name, r->info->params[i].value);
        fprintf(out, "%s\n", r->info->param_count ? "" : " no parameters");
    }
    for (size_t i = 0; i < (layout.columns_are_gpus ? layout.columns : 1); i++) {
        size_t index = 0;
        const struct arch_field *field;
        while ((field = report_next_change(&results[i], &index)) != NULL)
            fprintf(out, "%s: %s=%lld\n", results[i].gpu->name, field->name,
                    (long long)arch_get(&results[i].judge.arch, field));
    }
}

void report_compare_text(const struct result *results, size_t count, const char *wanted, FILE *out)
{
    struct text_context text = {.results = results, .layout = layout_of(results, count)};
    bool grouped = text.layout.lines > 1;
    table_start(&text.table, text.layout.columns + 2 + grouped, grouped ? "lllr" : "llr");
    put_heads(results, text.layout, &text.table);
    each_row(results, count, wanted, &text, take_text);
    if (wanted == NULL)
        put_occupancy(results, text.layout, &text.table);
    table_print(&text.table, 0, out);
    put_parameters(results, text.layout, out);
    if (wanted == NULL)
        fprintf(out, "\n--counters all shows every counter, --counters NAME,NAME those; `warplens "
                     "counters NAME` defines one.\n");
}

struct csv_context {
    const struct result *results;
    size_t count;
    FILE *out;
};

static void take_csv(void *context, const struct row *row)
{
    const struct csv_context *csv = context;
    for (size_t i = 0; i < csv->count; i++) {
        double value;
        if (row_value(row, &csv->results[i], &value))
            fprintf(csv->out, "%s,%s,%s,%s,%.17g\n", csv->results[i].label,
                    csv->results[i].gpu->name, row_name(row),
                    row->counter ? row->counter->unit : row->metric->unit, value);
    }
}

void report_compare_csv(const struct result *results, size_t count, const char *wanted, FILE *out)
{
    struct csv_context csv = {results, count, out};
    fputs("kernel,gpu,counter,unit,value\n", out);
    each_row(results, count, wanted ? wanted : "all", &csv, take_csv);
}
