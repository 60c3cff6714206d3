/* csv.c - tidy: one row a value. Columns kernel, gpu, params, scope (kernel, line, array,
 * partition, block), where, counter, unit, value. Zero counters of lines and arrays are left out.
 */
#include <inttypes.h>

#include "report/report.h"

/* The columns before the counter's name. Changed fields of the GPU stand behind the parameters. */
static void put_head(const struct result *r, const char *scope, const char *where, FILE *out)
{
    size_t index = 0;
    fprintf(out, "%s,%s,", r->info->kernel, r->gpu->name);
    report_put_params(r, out);
    if (report_next_change(r, &index))
        fputc(' ', out);
    report_put_changes(r, out);
    fprintf(out, ",%s,", scope);
    quote_csv_field(where, out);
    fputc(',', out);
}

static void put_count(const struct result *r, const char *scope, const char *where,
                      const char *name, const char *unit, uint64_t value, FILE *out)
{
    put_head(r, scope, where, out);
    fprintf(out, "%s,%s,%" PRIu64 "\n", name, unit, value);
}

static void put_counters(const struct result *r, const char *scope, const char *where,
                         const struct counters *c, FILE *out)
{
    for (size_t i = 0; i < counter_count; i++) {
        uint64_t value = counters_get(c, &counter_table[i]);
        if (value || (c == &r->total && report_has_counter(r, &counter_table[i])))
            put_count(r, scope, where, counter_table[i].name, counter_table[i].unit, value, out);
    }
}

static void put_ratios(const struct result *r, FILE *out)
{
    double value;
    for (size_t i = 0; i < metric_count; i++)
        if (metric_table[i].value(&r->total, &value)) {
            put_head(r, "kernel", "", out);
            fprintf(out, "%s,%s,%.10g\n", metric_table[i].name, metric_table[i].unit, value);
        }
    for (size_t i = 0; i < profiler_counter_count; i++)
        if ((profiler_table[i].profilers & r->rules.profiler) &&
            profiler_table[i].value(&r->total, &value)) {
            put_head(r, "profiler", "", out);
            fprintf(out, "%s,%s,%.10g\n", profiler_table[i].name, profiler_table[i].unit, value);
        }
}

static void put_partition_rows(const struct result *r, const char *scope, uint32_t row, FILE *out)
{
    const struct partition_table *table = &r->partitions;
    if (table->count == 0)
        return;
    const struct partition_bytes *bytes = table->rows + (size_t)row * table->count;
    for (uint32_t p = 0; p < table->count; p++) {
        char where[64];
        if (row)
            snprintf(where, sizeof where, "block %u partition %u", row - 1, p);
        else
            snprintf(where, sizeof where, "partition %u", p);
        put_count(r, scope, where, "bytes_read", "bytes", bytes[p].read, out);
        put_count(r, scope, where, "bytes_written", "bytes", bytes[p].written, out);
    }
}

static void put_result(const struct result *r, const struct report_options *options, FILE *out)
{
    char where[256];
    put_counters(r, "kernel", "", &r->total, out);
    put_ratios(r, out);
    for (size_t i = 0; i < r->line_count; i++) {
        const struct result_part *part = &r->lines[i];
        snprintf(where, sizeof where, "%s:%u %s %s", part->file, part->line,
                 mem_space_names[part->space], mem_op_names[part->op]);
        put_counters(r, "line", where, &part->counters, out);
    }
    for (size_t i = 0; i < r->array_count; i++) {
        snprintf(where, sizeof where, "%s %s", mem_space_names[r->arrays[i].space],
                 r->arrays[i].array);
        put_counters(r, "array", where, &r->arrays[i].counters, out);
    }
    put_partition_rows(r, "partition", 0, out);
    if (options->blocks && r->partitions.count)
        for (uint32_t b = options->block_first; b <= options->block_last && b < r->total.blocks;
             b++)
            put_partition_rows(r, "block", b + 1, out);
}

void report_csv(const struct result *results, size_t count, const struct report_options *options,
                FILE *out)
{
    fputs("kernel,gpu,params,scope,where,counter,unit,value\n", out);
    for (size_t i = 0; i < count; i++)
        put_result(&results[i], options, out);
}
