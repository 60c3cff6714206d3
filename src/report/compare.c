/* compare.c - entries side by side. Without a choice of counters it shows the ones that tell
 * layouts apart, and of those the ones that are not 0 everywhere. With several kernels and several
 * GPUs, rows are grouped by counter: GPUs are the columns, kernels the lines of a group. So they are for
 * one GPU and more kernels than a table has columns. */
#include <inttypes.h>
#include <string.h>

#include "report/compare_rows.h"
#include "report/compare_sentence.h"
#include "report/faults.h"
#include "report/ranges.h"
#include "report/report.h"
#include "report/table.h"
#include "sim/counters/quantity.h"

enum { COLUMNS_MAX = 64 };

bool compare_value_of(const struct quantity *quantity, const struct report_entry *entry,
                      double *value)
{
    return entry->error == NULL && quantity_value(quantity, &entry->total, value);
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

static bool is_wanted(const struct quantity *row, const struct report_entry *entries, size_t count,
                      const char *wanted)
{
    double value;
    if (report_names_counters(wanted))
        return report_list_holds(wanted, row->name);
    if (wanted == NULL && !quantity_is_key(row))
        return false;
    for (size_t i = 0; i < count; i++)
        if (compare_value_of(row, &entries[i], &value) && value != 0)
            return true;
    return false;
}

static void value_cell(struct table *table, const struct quantity *row,
                       const struct report_entry *entry)
{
    char text[REPORT_NUMBER_BYTES];
    double value;
    if (!compare_value_of(row, entry, &value))
        table_cell(table, "-");
    else if (row->metric)
        table_cell(table, "%s", report_fixed(value, text));
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

const char *compare_gpu_label(const struct report_entry *entries, size_t count, size_t i,
                              char text[COMPARE_GPU_BYTES])
{
    const struct report_entry *entry = &entries[i];
    size_t same = 0;
    while (i && entries[i - 1].job == entry->job)
        i--;
    for (; i < count && entries[i].job == entry->job; i++)
        same += strcmp(entries[i].gpu, entry->gpu) == 0;
    if (same < 2 || *entry->changes == '\0')
        return entry->gpu;
    snprintf(text, COMPARE_GPU_BYTES, "%s %s", entry->gpu, entry->changes);
    return text;
}

/* The best of a line's values, where they differ and one way is better. */
static bool find_best(const struct quantity *row, const struct report_entry *entries, size_t count,
                      double *best)
{
    const enum better better = quantity_better(row);
    double value;
    bool has = false, differ = false;
    for (size_t i = 0; i < count; i++) {
        if (!compare_value_of(row, &entries[i], &value))
            continue;
        differ |= has && value != *best;
        if (!has || (value > *best) == (better == BETTER_HIGHER))
            *best = value;
        has = true;
    }
    return differ && better != BETTER_NONE;
}

static void put_row(const struct quantity *row, const struct report_entry *entries,
                    struct layout layout, struct table *table)
{
    for (size_t line = 0; line < layout.lines; line++) {
        const struct report_entry *first = &entries[line * layout.columns];
        table_cell(table, "%s", line ? "" : row->name);
        table_cell(table, "%s", line ? "" : row->unit);
        if (layout.lines > 1)
            table_cell(table, "%s", first->label);
        double best = 0, value;
        const bool has_best = find_best(row, first, layout.columns, &best);
        for (size_t i = 0; i < layout.columns; i++) {
            if (has_best && compare_value_of(row, &first[i], &value) && value == best)
                table_style(table, STYLE_STRONG);
            value_cell(table, row, &first[i]);
        }
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
    char text[COMPARE_GPU_BYTES];
    table_cell(table, "%s",
               layout.lines > 1          ? "counter"
               : layout.columns_are_gpus ? entries->label
                                         : entries->gpu);
    table_cell(table, "unit");
    if (layout.lines > 1)
        table_cell(table, "kernel");
    for (size_t i = 0; i < layout.columns; i++)
        table_cell(table, "%s",
                   layout.columns_are_gpus ? compare_gpu_label(entries, layout.columns, i, text)
                                           : short_label(entries, layout.columns, i));
    table_heading(table);
}

void compare_each_row(const struct report_entry *entries, size_t count, const char *wanted,
                      void *context, void (*take)(void *context, const struct quantity *row))
{
    for (size_t i = 0; i < quantity_own_count(); i++) {
        const struct quantity row = quantity_at(i);
        if (is_wanted(&row, entries, count, wanted))
            take(context, &row);
    }
}

struct text_context {
    const struct report_entry *entries;
    struct layout layout;
    struct table table;
};

/* Below the times: between which the measured ones are likely to be. */
static void put_ranges(const struct report_entry *entries, struct layout layout,
                       struct table *table)
{
    for (size_t line = 0; line < layout.lines; line++) {
        const struct report_entry *first = &entries[line * layout.columns];
        table_cell(table, "%s", line ? "" : "range of time");
        table_cell(table, "%s", line ? "" : "us");
        if (layout.lines > 1)
            table_cell(table, "%s", first->label);
        for (size_t i = 0; i < layout.columns; i++) {
            struct text t;
            text_start(&t);
            report_range_us(&first[i].range, "-", &t);
            table_cell(table, "%s", t.s);
        }
        table_row(table);
    }
}

static bool has_ranges(const struct report_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (entries[i].error == NULL && entries[i].range.state == TIME_RANGE_KNOWN)
            return true;
    return false;
}

static void take_text(void *context, const struct quantity *row)
{
    struct text_context *text = context;
    put_row(row, text->entries, text->layout, &text->table);
    if (strcmp(row->name, "time") == 0 &&
        has_ranges(text->entries, text->layout.lines * text->layout.columns))
        put_ranges(text->entries, text->layout, &text->table);
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
    char text[COMPARE_GPU_BYTES];
    fputc('\n', out);
    for (size_t i = 0; i < count; i += step)
        fprintf(out, "%s: %s\n", entries[i].kernel,
                *entries[i].params ? entries[i].params : "no parameters");
    for (size_t i = 0; i < step; i++)
        if (compare_gpu_label(entries, count, i, text) == entries[i].gpu)
            put_changes(&entries[i], out); /* a label has them */
    for (size_t i = 0; i < count; i++)
        if (entries[i].error)
            fprintf(out, "%s on %s failed: %s\n", entries[i].label, entries[i].gpu,
                    entries[i].error);
}

/* Entries of one job have the same ones. */
static void put_faults(const struct report_entry *entries, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct report_entry *entry = &entries[i];
        struct text t;
        if (entry->first_fault == NULL || (i && entry->job == entries[i - 1].job))
            continue;
        text_start(&t);
        text_add(&t, "%s: %s", entry->label, entry->has_stopped ? "FAILED. " : "");
        report_add_fault_sums(entry->fault_sums, &t);
        text_add(&t, " The first: %s", entry->first_fault);
        report_put_sentence(t.s, 0, out);
    }
}

static void put_not_traced(const struct report_entry *entries, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct report_entry *entry = &entries[i];
        struct text t;
        if (entry->not_traced == NULL || (i && entry->job == entries[i - 1].job))
            continue;
        text_start(&t);
        text_add(&t, "%s: %s", entry->label, entry->not_traced);
        report_put_sentence(t.s, 0, out);
    }
}

/* Of each entry: the waves of a GPU are its own. */
static void put_sampled(const struct report_entry *entries, size_t count, FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct report_entry *entry = &entries[i];
        struct text t;
        if (entry->sampled == NULL)
            continue;
        text_start(&t);
        text_add(&t, "%s on %s: %s.", entry->label, entry->gpu, entry->sampled);
        report_put_sentence(t.s, 0, out);
    }
}

static void put_sentence(const struct report_entry *entries, const struct layout *layout, FILE *out)
{
    struct text sentence;
    compare_sentence(&sentence, entries, layout->lines, layout->columns, layout->columns_are_gpus);
    if (sentence.length)
        report_put_sentence(sentence.s, 0, out);
}

void report_compare_text(const struct report_entry *entries, size_t count, const char *wanted,
                         FILE *out)
{
    struct text_context text = {.entries = entries, .layout = layout_of(entries, count)};
    bool grouped = text.layout.lines > 1;
    put_faults(entries, count, out);
    put_not_traced(entries, count, out);
    put_sampled(entries, count, out);
    if (!report_names_counters(wanted)) /* who names some has a question of their own */
        put_sentence(entries, &text.layout, out);
    table_start(&text.table, text.layout.columns + 2 + grouped, grouped ? "lllr" : "llr");
    put_heads(entries, text.layout, &text.table);
    compare_each_row(entries, count, wanted, &text, take_text);
    if (wanted == NULL)
        put_occupancy(entries, text.layout, &text.table);
    table_print(&text.table, 0, out);
    put_parameters(entries, count, text.layout, out);
    if (wanted == NULL)
        fprintf(out, "\n--counters all shows every counter, --counters NAME,NAME those; `warplens "
                     "counters NAME` defines one.\n");
}
