/* compare.c - results side by side: a row for every counter and ratio that is not 0 in all of them. */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "report/table.h"

static bool all_same_kernel(const struct result *results, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (results[i].kernel != results[0].kernel)
            return false;
    return true;
}

static bool any_counter(const struct result *results, size_t count, const struct counter_info *info)
{
    for (size_t i = 0; i < count; i++)
        if (counters_get(&results[i].total, info))
            return true;
    return false;
}

static void counter_rows(const struct result *results, size_t count, struct table *table)
{
    char text[REPORT_NUMBER_BYTES];
    for (size_t i = 0; i < counter_count; i++) {
        if (!any_counter(results, count, &counter_table[i]))
            continue;
        table_cell(table, "%s", counter_table[i].name);
        table_cell(table, "%s", counter_table[i].unit);
        for (size_t k = 0; k < count; k++)
            table_cell(table, "%s",
                       report_number(counters_get(&results[k].total, &counter_table[i]), text));
        table_row(table);
    }
}

static void metric_rows(const struct result *results, size_t count, struct table *table)
{
    for (size_t i = 0; i < metric_count; i++) {
        double value;
        bool any = false;
        for (size_t k = 0; k < count && !any; k++)
            any = metric_table[i].value(&results[k].total, &value);
        if (!any)
            continue;
        table_cell(table, "%s", metric_table[i].name);
        table_cell(table, "%s", metric_table[i].unit);
        for (size_t k = 0; k < count; k++) {
            if (metric_table[i].value(&results[k].total, &value))
                table_cell(table, "%.2f", value);
            else
                table_cell(table, "-");
        }
        table_row(table);
    }
}

static void occupancy_row(const struct result *results, size_t count, struct table *table)
{
    table_cell(table, "occupancy");
    table_cell(table, "warps/SM");
    for (size_t k = 0; k < count; k++)
        table_cell(table, "%lld of %lld", (long long)results[k].occupancy.warps_per_sm,
                   (long long)results[k].judge.arch.warps_per_sm);
    table_row(table);
}

void report_compare_text(const struct result *results, size_t count, FILE *out)
{
    struct table table;
    bool by_gpu = all_same_kernel(results, count);
    table_start(&table, count + 2, "llr");
    table_cell(&table, "%s", by_gpu ? results[0].kernel->name : results[0].gpu->name);
    table_cell(&table, "unit");
    for (size_t k = 0; k < count; k++)
        table_cell(&table, "%s", by_gpu ? results[k].gpu->name : results[k].kernel->name);
    table_row(&table);
    counter_rows(results, count, &table);
    metric_rows(results, count, &table);
    occupancy_row(results, count, &table);
    table_print(&table, 0, out);
}

void report_compare_csv(const struct result *results, size_t count, FILE *out)
{
    fputs("kernel,gpu,counter,unit,value\n", out);
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < counter_count; i++)
            if (any_counter(results, count, &counter_table[i]))
                fprintf(out, "%s,%s,%s,%s,%" PRIu64 "\n", results[k].kernel->name,
                        results[k].gpu->name, counter_table[i].name, counter_table[i].unit,
                        counters_get(&results[k].total, &counter_table[i]));
        for (size_t i = 0; i < metric_count; i++) {
            double value;
            if (metric_table[i].value(&results[k].total, &value))
                fprintf(out, "%s,%s,%s,%s,%.10g\n", results[k].kernel->name, results[k].gpu->name,
                        metric_table[i].name, metric_table[i].unit, value);
        }
    }
}
