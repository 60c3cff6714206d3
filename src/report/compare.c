/* compare.c - entries side by side. Without a choice of counters it shows the ones that tell
 * layouts apart, and of those the ones that are not 0 everywhere. With several kernels and several
 * GPUs, rows are grouped by counter: GPUs are the columns, kernels the lines of a group. So they are for
 * one GPU and more kernels than a table has columns. */
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

enum { COLUMNS_MAX = 64, GPU_LABEL_BYTES = 256 };

/* A row: a counter or a metric, whichever is not NULL. */
struct row {
    const struct counter_info *counter;
    const struct metric_info *metric;
};

static const char *row_name(const struct row *row)
{
    return row->counter ? row->counter->name : row->metric->name;
}

static bool row_value(const struct row *row, const struct report_entry *entry, double *value)
{
    if (entry->error)
        return false;
    if (row->metric)
        return row->metric->value(&entry->total, value);
    *value = (double)counters_get(&entry->total, row->counter);
    return true;
}

bool report_list_holds(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

bool report_is_key_row(const char *name)
{
    for (size_t i = 0; i < sizeof key_rows / sizeof key_rows[0]; i++)
        if (strcmp(key_rows[i], name) == 0)
            return true;
    return false;
}

static bool is_wanted(const struct row *row, const struct report_entry *entries, size_t count,
                      const char *wanted)
{
    const char *name = row_name(row);
    double value;
    if (wanted && strcmp(wanted, "all") != 0)
        return report_list_holds(wanted, name);
    if (wanted == NULL && !report_is_key_row(name))
        return false;
    for (size_t i = 0; i < count; i++)
        if (row_value(row, &entries[i], &value) && value != 0)
            return true;
    return false;
}

static void value_cell(struct table *table, const struct row *row, const struct report_entry *entry)
{
    char text[REPORT_NUMBER_BYTES];
    double value;
    if (!row_value(row, entry, &value))
        table_cell(table, "-");
    else if (row->metric)
        table_cell(table, "%.2f", value);
    else
        table_cell(table, "%s", report_number(counters_get(&entry->total, row->counter), text));
}

/* How the entries lie in the table: `lines` of `columns` entries, column by column within a line.
 */
struct layout {
    size_t lines, columns;
    bool columns_are_gpus;
};

static struct layout layout_of(const struct report_entry *entries, size_t count)
{
    size_t gpus = 1;
    while (gpus < count && entries[gpus].job == entries[0].job)
        gpus++;
    if (gpus == 1 && count <= COLUMNS_MAX)
        return (struct layout){1, count, false};
    return (struct layout){count / gpus, gpus, true};
}

/* The GPU's name; where its job has another one of that name, with what was changed in it. */
static const char *gpu_label(const struct report_entry *entries, size_t count, size_t i,
                             char text[GPU_LABEL_BYTES])
{
    const struct report_entry *entry = &entries[i];
    size_t same = 0;
    while (i && entries[i - 1].job == entry->job)
        i--;
    for (; i < count && entries[i].job == entry->job; i++)
        same += strcmp(entries[i].gpu, entry->gpu) == 0;
    if (same < 2 || *entry->changes == '\0')
        return entry->gpu;
    snprintf(text, GPU_LABEL_BYTES, "%s %s", entry->gpu, entry->changes);
    return text;
}

static void put_row(const struct row *row, const struct report_entry *entries, struct layout layout,
                    struct table *table)
{
    const char *unit = row->counter ? row->counter->unit : row->metric->unit;
    for (size_t line = 0; line < layout.lines; line++) {
        const struct report_entry *first = &entries[line * layout.columns];
        table_cell(table, "%s", line ? "" : row_name(row));
        table_cell(table, "%s", line ? "" : unit);
        if (layout.lines > 1)
            table_cell(table, "%s", first->label);
        for (size_t i = 0; i < layout.columns; i++)
            value_cell(table, row, &first[i]);
        table_row(table);
    }
}

static void put_occupancy(const struct report_entry *entries, struct layout layout,
                          struct table *table)
{
    for (size_t line = 0; line < layout.lines; line++) {
        table_cell(table, "%s", line ? "" : "occupancy");
        table_cell(table, "%s", line ? "" : "warps/SM");
        if (layout.lines > 1)
            table_cell(table, "%s", entries[line * layout.columns].label);
        for (size_t i = 0; i < layout.columns; i++) {
            const struct report_entry *e = &entries[line * layout.columns + i];
            if (e->error)
                table_cell(table, "-");
            else
                table_cell(table, "%lld of %lld", (long long)e->warps_per_sm,
                           (long long)e->max_warps_per_sm);
        }
        table_row(table);
    }
}

/* Columns that are one kernel with several values of a parameter need not repeat its name. */
static const char *short_label(const struct report_entry *entries, size_t count, size_t i)
{
    const char *label = entries[i].label, *kernel = entries[i].kernel;
    size_t length = strlen(kernel);
    for (size_t k = 0; k < count; k++)
        if (strcmp(entries[k].kernel, kernel) != 0)
            return label;
    bool repeats = strncmp(label, kernel, length) == 0 && label[length] == ' ';
    return repeats ? label + length + 1 : label;
}

static void put_heads(const struct report_entry *entries, struct layout layout, struct table *table)
{
    char text[GPU_LABEL_BYTES];
    table_cell(table, "%s",
               layout.lines > 1          ? "counter"
               : layout.columns_are_gpus ? entries->label
                                         : entries->gpu);
    table_cell(table, "unit");
    if (layout.lines > 1)
        table_cell(table, "kernel");
    for (size_t i = 0; i < layout.columns; i++)
        table_cell(table, "%s",
                   layout.columns_are_gpus ? gpu_label(entries, layout.columns, i, text)
                                           : short_label(entries, layout.columns, i));
    table_row(table);
}

/* Calls `take` for every wanted counter and metric, in the order of their tables. */
static void each_row(const struct report_entry *entries, size_t count, const char *wanted,
                     void *context, void (*take)(void *context, const struct row *row))
{
    for (size_t i = 0; i < counter_count; i++) {
        struct row row = {.counter = &counter_table[i]};
        if (is_wanted(&row, entries, count, wanted))
            take(context, &row);
    }
    for (size_t i = 0; i < metric_count; i++) {
        struct row row = {.metric = &metric_table[i]};
        if (is_wanted(&row, entries, count, wanted))
            take(context, &row);
    }
}

struct text_context {
    const struct report_entry *entries;
    struct layout layout;
    struct table table;
};

static void take_text(void *context, const struct row *row)
{
    struct text_context *text = context;
    put_row(row, text->entries, text->layout, &text->table);
}

/* "GPU: field=value" lines of the fields that were changed. */
static void put_changes(const struct report_entry *entry, FILE *out)
{
    for (const char *at = entry->changes; *at;) {
        size_t length = strcspn(at, " ");
        fprintf(out, "%s: %.*s\n", entry->gpu, (int)length, at);
        at += length + (at[length] == ' ');
    }
}

/* What the figures are for: each kernel's parameters, and what was changed in the GPUs; and what has
 * none. */
static void put_parameters(const struct report_entry *entries, size_t count, struct layout layout,
                           FILE *out)
{
    size_t step = layout.columns_are_gpus ? layout.columns : 1;
    char text[GPU_LABEL_BYTES];
    fputc('\n', out);
    for (size_t i = 0; i < count; i += step)
        fprintf(out, "%s: %s\n", entries[i].kernel,
                *entries[i].params ? entries[i].params : "no parameters");
    for (size_t i = 0; i < step; i++)
        if (gpu_label(entries, count, i, text) == entries[i].gpu)
            put_changes(&entries[i], out); /* a label has them */
    for (size_t i = 0; i < count; i++)
        if (entries[i].error)
            fprintf(out, "%s on %s failed: %s\n", entries[i].label, entries[i].gpu,
                    entries[i].error);
}

void report_compare_text(const struct report_entry *entries, size_t count, const char *wanted,
                         FILE *out)
{
    struct text_context text = {.entries = entries, .layout = layout_of(entries, count)};
    bool grouped = text.layout.lines > 1;
    table_start(&text.table, text.layout.columns + 2 + grouped, grouped ? "lllr" : "llr");
    put_heads(entries, text.layout, &text.table);
    each_row(entries, count, wanted, &text, take_text);
    if (wanted == NULL)
        put_occupancy(entries, text.layout, &text.table);
    table_print(&text.table, 0, out);
    put_parameters(entries, count, text.layout, out);
    if (wanted == NULL)
        fprintf(out, "\n--counters all shows every counter, --counters NAME,NAME those; `warplens "
                     "counters NAME` defines one.\n");
}

struct csv_context {
    const struct report_entry *entries;
    size_t count;
    FILE *out;
};

static void take_csv(void *context, const struct row *row)
{
    const struct csv_context *csv = context;
    char text[GPU_LABEL_BYTES];
    for (size_t i = 0; i < csv->count; i++) {
        double value;
        if (row_value(row, &csv->entries[i], &value)) {
            quote_csv_field(csv->entries[i].label, csv->out);
            fputc(',', csv->out);
            quote_csv_field(gpu_label(csv->entries, csv->count, i, text), csv->out);
            fprintf(csv->out, ",%s,%s,%.17g\n", row_name(row),
                    row->counter ? row->counter->unit : row->metric->unit, value);
        }
    }
}

void report_compare_csv(const struct report_entry *entries, size_t count, const char *wanted,
                        FILE *out)
{
    struct csv_context csv = {entries, count, out};
    fputs("kernel,gpu,counter,unit,value\n", out);
    each_row(entries, count, wanted ? wanted : "all", &csv, take_csv);
}
