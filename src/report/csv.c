/* csv.c - tidy: one row a value. Columns kernel, gpu, params, scope (fault, stop, not_traced, sampled, kernel, time_range, line, array,
 * partition, block), where, counter, unit, value. Zero counters of lines and arrays are left out.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "report/faults.h"
#include "report/ranges.h"
#include "report/report.h"
#include "report/sampled.h"
#include "text/memory.h"

struct rows {
    const struct result *r;
    const char *params; /* with the changed fields of the GPU behind them */
    FILE *out;
};

/* The parameters as one text, which the caller frees; NULL without memory. */
static char *params_of(const struct result *r)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = memory_stream(&text, &bytes);
    if (out == NULL)
        return NULL;
    report_put_params(r, out);
    if (report_has_changes(r))
        fputc(' ', out);
    report_put_changes(r, out);
    return fclose(out) == 0 ? text : NULL;
}

static void put_field(const struct rows *rows, const char *text)
{
    quote_csv_field(text, rows->out);
    fputc(',', rows->out);
}

/* The columns before the counter's name. */
static void put_head(const struct rows *rows, const char *scope, const char *where)
{
    put_field(rows, rows->r->info->kernel);
    put_field(rows, rows->r->gpu->name);
    put_field(rows, rows->params);
    put_field(rows, scope);
    put_field(rows, where);
}

static void put_count(const struct rows *rows, const char *scope, const char *where,
                      const char *name, const char *unit, uint64_t value)
{
    put_head(rows, scope, where);
    fprintf(rows->out, "%s,%s,%" PRIu64 "\n", name, unit, value);
}

static void put_counters(const struct rows *rows, const char *scope, const char *where,
                         const struct counters *c)
{
    const struct result *r = rows->r;
    for (size_t i = 0; i < counter_count; i++) {
        uint64_t value = counters_get(c, &counter_table[i]);
        if (value || (c == &r->total && report_has_counter(r, &counter_table[i])))
            put_count(rows, scope, where, counter_table[i].name, counter_table[i].unit, value);
    }
}

static void put_ratio(const struct rows *rows, const char *scope, const char *name,
                      const char *unit, double value)
{
    put_head(rows, scope, "");
    fprintf(rows->out, "%s,%s,%.10g\n", name, unit, value);
}

static void put_ratios(const struct rows *rows)
{
    const struct result *r = rows->r;
    double value;
    for (size_t i = 0; i < metric_count; i++)
        if (metric_table[i].value(&r->total, &value))
            put_ratio(rows, "kernel", metric_table[i].name, metric_table[i].unit, value);
    for (size_t i = 0; i < profiler_counter_count; i++)
        if ((profiler_table[i].profilers & r->rules.profiler) &&
            profiler_table[i].value(&r->total, &value))
            put_ratio(rows, "profiler", profiler_table[i].name, profiler_table[i].unit, value);
}

static void put_partition_rows(const struct rows *rows, const char *scope, uint32_t row)
{
    const struct partition_table *table = &rows->r->partitions;
    if (table->count == 0)
        return;
    const struct partition_bytes *bytes = table->rows + (size_t)row * table->count;
    for (uint32_t p = 0; p < table->count; p++) {
        char where[64];
        if (row)
            snprintf(where, sizeof where, "block %u partition %u", row - 1, p);
        else
            snprintf(where, sizeof where, "partition %u", p);
        put_count(rows, scope, where, "bytes_read", "bytes", bytes[p].read);
        put_count(rows, scope, where, "bytes_written", "bytes", bytes[p].written);
    }
}

/* Names can be long: `where` is made as long as they are. */
static void put_part(const struct rows *rows, const char *scope, const struct result_part *part,
                     char *where)
{
    put_counters(rows, scope, where ? where : "", part->counters);
    free(where);
}

static void put_parts(const struct rows *rows)
{
    const struct result *r = rows->r;
    for (size_t i = 0; i < r->line_count; i++) {
        const struct result_part *part = &r->lines[i];
        put_part(rows, "line", part,
                 memory_format("%s:%u %s %s", part->file, part->line, mem_space_names[part->space],
                               result_part_op(part)));
    }
    for (size_t i = 0; i < r->array_count; i++) {
        const struct result_part *part = &r->arrays[i];
        put_part(rows, "array", part,
                 memory_format("%s %s", mem_space_names[part->space], part->array));
    }
}

/* The last column of a fault counts accesses of lanes. */
static void put_faults(const struct rows *rows)
{
    const struct run_info *info = rows->r->info;
    for (size_t i = 0; i < info->fault_count; i++) {
        const struct run_fault *f = &info->faults[i];
        char *where = memory_format("%s:%" PRIu32 "%s%s", f->fault.file, f->fault.line,
                                    f->fault.array[0] ? " " : "", f->fault.array);
        put_count(rows, f->fault.stops ? "stop" : "fault", where ? where : "",
                  fault_kinds[f->fault.kind].name, "faults", f->fault.count);
        free(where);
    }
}

static void put_not_traced(const struct rows *rows)
{
    const struct run_info *info = rows->r->info;
    for (size_t i = 0; i < info->library_count; i++)
        put_count(rows, "not_traced", info->libraries[i].function, "library_calls", "calls",
                  info->libraries[i].calls);
}

/* Why nothing was left out is where other rows have what a value is of. */
static void put_sampled(const struct rows *rows)
{
    const struct result_sampling *sampling = &rows->r->sampling;
    const enum result_sampled why = result_sampled_why(sampling);
    const char *where = why == SAMPLED_IN_PART ? "" : result_sampled_name(why);
    if (!sampling->is_asked)
        return;
    put_count(rows, "sampled", where, "blocks_left_out", "blocks", sampling->left_out);
    if (why != SAMPLED_IN_PART)
        return;
    put_count(rows, "sampled", "", "waves", "waves", sampling->waves);
    put_count(rows, "sampled", "", "waves_modelled", "waves", sampling->waves_modelled);
    put_ratio(rows, "sampled", "time_error_percent", "%", report_sampled_error(rows->r));
}

/* What it is of, or why there is none, is in words where other rows have what a value is of. */
static void put_range(const struct rows *rows)
{
    const struct time_range range = time_range_of(rows->r);
    struct text t;
    text_start(&t);
    if (range.state == TIME_RANGE_UNTIMED)
        return;
    if (range.state != TIME_RANGE_KNOWN)
        time_range_add_reason(&range, &t);
    else if (range.cell)
        time_range_add_cell(&range, &t);
    put_head(rows, "time_range", t.s);
    if (range.state != TIME_RANGE_KNOWN) {
        fputs("time_range_known,,0\n", rows->out);
        return;
    }
    fprintf(rows->out, "time_low,us,%.5g\n", range.low_ns / 1000);
    put_head(rows, "time_range", t.s);
    fprintf(rows->out, "time_high,us,%.5g\n", range.high_ns / 1000);
}

static void put_result(const struct rows *rows, const struct report_options *options)
{
    const struct result *r = rows->r;
    put_faults(rows);
    put_not_traced(rows);
    if (report_is_empty(r))
        return;
    put_sampled(rows);
    put_counters(rows, "kernel", "", &r->total);
    put_ratios(rows);
    put_range(rows);
    put_parts(rows);
    put_partition_rows(rows, "partition", 0);
    if (options->blocks && r->partitions.count)
        for (uint32_t b = options->block_first; b <= options->block_last && b < r->total.blocks;
             b++)
            put_partition_rows(rows, "block", b + 1);
}

void report_csv(const struct result *results, size_t count, const struct report_options *options,
                FILE *out)
{
    fputs("kernel,gpu,params,scope,where,counter,unit,value\n", out);
    for (size_t i = 0; i < count; i++) {
        char *params = params_of(&results[i]);
        const struct rows rows = {&results[i], params ? params : "", out};
        put_result(&rows, options);
        free(params);
    }
}
