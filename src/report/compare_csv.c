/* compare_csv.c - a comparison as rows, one a value. */
#include <inttypes.h>
#include <string.h>

#include "report/compare_rows.h"

struct csv_context {
    const struct report_entry *entries;
    size_t count;
    FILE *out;
};

static void put_csv_entry(const struct csv_context *csv, size_t i)
{
    char text[COMPARE_GPU_BYTES];
    quote_csv_field(csv->entries[i].label, csv->out);
    fputc(',', csv->out);
    quote_csv_field(compare_gpu_label(csv->entries, csv->count, i, text), csv->out);
}

static void put_csv_ranges(const struct csv_context *csv)
{
    for (size_t i = 0; i < csv->count; i++) {
        const struct time_range *range = &csv->entries[i].range;
        if (csv->entries[i].error || range->state != TIME_RANGE_KNOWN)
            continue;
        put_csv_entry(csv, i);
        fprintf(csv->out, ",time_low,us,%.5g\n", range->low_ns / 1000);
        put_csv_entry(csv, i);
        fprintf(csv->out, ",time_high,us,%.5g\n", range->high_ns / 1000);
    }
}

static void take_csv(void *context, const struct quantity *row)
{
    const struct csv_context *csv = context;
    for (size_t i = 0; i < csv->count; i++) {
        double value;
        if (compare_value_of(row, &csv->entries[i], &value)) {
            put_csv_entry(csv, i);
            fprintf(csv->out, ",%s,%s,%.17g\n", row->name, row->unit, value);
        }
    }
    if (strcmp(row->name, "time") == 0)
        put_csv_ranges(csv);
}

static void put_csv_faults(const struct csv_context *csv)
{
    for (size_t i = 0; i < csv->count; i++)
        for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
            if (csv->entries[i].fault_sums[kind] == 0)
                continue;
            put_csv_entry(csv, i);
            fprintf(csv->out, ",%s,faults,%" PRIu64 "\n", fault_kinds[kind].name,
                    csv->entries[i].fault_sums[kind]);
        }
}

void report_compare_csv(const struct report_entry *entries, size_t count, const char *wanted,
                        FILE *out)
{
    struct csv_context csv = {entries, count, out};
    fputs("kernel,gpu,counter,unit,value\n", out);
    put_csv_faults(&csv);
    compare_each_row(entries, count, wanted ? wanted : "all", &csv, take_csv);
}
