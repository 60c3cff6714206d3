/* json.c - schema 1: {"schema":1,"compiler":..,"runs":[{kernel, gpu, verdict, params, counters, metrics,
 * profiler, occupancy, lines, arrays, partitions, blocks, and faults, not_traced, traced and sampled when there is
 * something of them}]}. Counters that a scope has as 0 are
 * written for the whole kernel and left out of lines and arrays. A run without a
 * complete launch has kernel, gpu, params, set and "error". */
#include <inttypes.h>
#include <string.h>

#include "report/faults.h"
#include "report/json_parts.h"
#include "report/not_traced.h"
#include "report/ranges.h"
#include "report/report.h"
#include "report/sampled.h"

static void put_metrics(const struct counters *c, FILE *out)
{
    const char *comma = "";
    fputs("\"metrics\":{", out);
    for (size_t i = 0; i < metric_count; i++) {
        double value;
        if (!metric_table[i].value(c, &value))
            continue;
        fprintf(out, "%s\"%s\":%.10g", comma, metric_table[i].name, value);
        comma = ",";
    }
    fputc('}', out);
}

static void put_profiler(const struct result *r, FILE *out)
{
    fputs("\"profiler\":{\"name\":", out);
    quote_json_string(profiler_title(r->rules.profiler), out);
    for (size_t i = 0; i < profiler_counter_count; i++) {
        double value;
        if (!(profiler_table[i].profilers & r->rules.profiler) ||
            !profiler_table[i].value(&r->total, &value))
            continue;
        fprintf(out, ",\"%s\":%.10g", profiler_table[i].name, value);
    }
    fputc('}', out);
}

/* A number as it stands, anything else as a string. */
static void put_param_value(const char *value, FILE *out)
{
    const char *digits = value + (value[0] == '-');
    size_t length = strspn(digits, "0123456789");
    if (length > 0 && length < 19 && digits[length] == '\0' && (digits[0] != '0' || length == 1))
        fputs(value, out);
    else
        quote_json_string(value, out);
}

static void put_params(const struct result *r, FILE *out)
{
    fputs("\"params\":{", out);
    for (size_t i = 0; i < r->info->param_count; i++) {
        fputs(i ? "," : "", out);
        quote_json_string(r->info->params[i].name, out);
        fputc(':', out);
        put_param_value(r->info->params[i].value, out);
    }
    fputc('}', out);
}

static void put_changes(const struct result *r, FILE *out)
{
    size_t index = 0;
    const struct arch_field *field;
    const char *comma = "";
    fputs("\"set\":{", out);
    for (; (field = report_next_change(r, &index)) != NULL; comma = ",")
        fprintf(out, "%s\"%s\":%" PRId64, comma, field->name, arch_get(&r->arch, field));
    fputc('}', out);
}

static void put_launch(const struct result *r, FILE *out)
{
    const uint32_t *g = r->grid, *b = r->block;
    fprintf(
        out,
        "\"launch\":{\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared_bytes_per_block\":%" PRIu64
        "},\"occupancy\":{\"blocks_per_sm\":%" PRId64 ",\"warps_per_sm\":%" PRId64
        ",\"max_warps_per_sm\":%" PRId64 ",\"limit\":",
        g[0], g[1], g[2], b[0], b[1], b[2], r->shared_bytes_per_block, r->occupancy.blocks_per_sm,
        r->occupancy.warps_per_sm, r->arch.warps_per_sm);
    quote_json_string(occupancy_limit_name(r->occupancy.limit), out);
    fprintf(out, ",\"registers_per_thread\":");
    if (r->registers_per_thread)
        fprintf(out, "%" PRId64 "}", r->registers_per_thread);
    else
        fputs("null}", out);
}

/* Only of runs that have launches without steps. */
static void put_traced(const struct run_info *info, FILE *out)
{
    if (info->repeated == 0 && info->untraced == 0)
        return;
    fprintf(out,
            "\"traced\":{\"launches\":%" PRIu64 ",\"repeated\":%" PRIu64 ",\"left_out\":%" PRIu64
            ",\"choice\":",
            info->traced, info->repeated, info->untraced);
    quote_json_string(info->choice, out);
    fputs("},\n", out);
}

/* Each launch with the counters that are not 0. */
static void put_launches(const struct result *r, FILE *out)
{
    fputs("\"launches\":[", out);
    for (size_t i = 0; i < r->launch_count; i++) {
        const struct result_launch *launch = &r->launches[i];
        const uint32_t *g = launch->grid, *b = launch->block;
        fputs(i ? ",\n {\"kernel\":" : "\n {\"kernel\":", out);
        quote_json_string(launch->kernel, out);
        fprintf(out, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u]", g[0], g[1], g[2], b[0], b[1],
                b[2]);
        if (launch->repeats)
            fprintf(out, ",\"repeats\":%" PRIu64, launch->repeats);
        fputc(',', out);
        const struct time_range range = time_range_of_launch(r, &launch->counters);
        fputs(report_range_json(&range, out) ? "," : "", out);
        report_json_counters(&launch->counters, NULL, out);
        fputc('}', out);
    }
    fputc(']', out);
}

/* What was run, on what. */
static void put_subject(const struct result *r, FILE *out)
{
    fputs("{\"kernel\":", out);
    quote_json_string(r->info->kernel, out);
    fputs(",\"gpu\":", out);
    quote_json_string(r->gpu->name, out);
    if (*r->info->nvcc) {
        fputs(",\"nvcc\":", out);
        quote_json_string(r->info->nvcc, out);
    }
}

static void put_faults(const struct result *r, FILE *out)
{
    if (r->info->fault_count) {
        report_faults_json(r->info, out);
        fputs(",\n", out);
    }
    if (r->info->library_count) {
        report_not_traced_json(r->info, out);
        fputs(",\n", out);
    }
}

void report_json_result(const struct result *r, const struct report_options *options, FILE *out)
{
    if (report_is_empty(r)) {
        const struct run_fault *stop = run_info_stop(r->info);
        report_json_failure(r, stop ? stop->fault.text : "nothing was launched", out);
        return;
    }
    put_subject(r, out);
    fprintf(out, ",\"sm\":%" PRId64 ",\"rules\":", r->arch.sm);
    quote_json_string(r->rules.name, out);
    if (r->gpu->base)
        fprintf(out, ",\"based_on\":\"%s\"", r->gpu->base);
    fputs(",\n", out);
    report_json_verdict(r, out);
    fputs(",\n", out);
    const struct time_range range = time_range_of(r);
    fputs(report_range_json(&range, out) ? ",\n" : "", out);
    put_faults(r, out);
    put_params(r, out);
    fputs(",\n", out);
    put_changes(r, out);
    if (r->usage)
        fprintf(out, ",\n\"cache_control\":\"%s\"", r->cold_launches ? "all" : "none");
    fputs(",\n", out);
    put_launch(r, out);
    fputs(",\n", out);
    put_traced(r->info, out);
    report_sampled_json(r, out);
    put_launches(r, out);
    fputs(",\n", out);
    report_json_counters(&r->total, r, out);
    fputs(",\n", out);
    put_metrics(&r->total, out);
    fputs(",\n", out);
    put_profiler(r, out);
    fputs(",\n", out);
    report_json_lines(r, out);
    fputs(",\n", out);
    report_json_arrays(r, out);
    fputs(",\n", out);
    report_json_partitions(r, out);
    if (r->usage)
        report_json_windows(r->usage, out);
    if (options->blocks && r->partitions.count)
        report_json_blocks(r, options, out);
    if (options->timeline && r->timeline)
        report_json_timeline(r, out);
    fputc('}', out);
}

void report_json_failure(const struct result *r, const char *error, FILE *out)
{
    put_subject(r, out);
    fputs(",\n", out);
    put_params(r, out);
    fputs(",\n", out);
    put_changes(r, out);
    fputs(",\n", out);
    put_faults(r, out);
    fputs("\"error\":", out);
    quote_json_string(error, out);
    fputc('}', out);
}

void report_json_head(const char *compiler, FILE *out)
{
    fputs("{\"schema\":1,\"compiler\":", out);
    quote_json_string(compiler, out);
    fputs(",\"runs\":[\n", out);
}

void report_json_tail(FILE *out)
{
    fputs("\n]}\n", out);
}

void report_json(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out)
{
    report_json_head(count ? results[0].info->compiler : "", out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? JSON_BETWEEN : "", out);
        report_json_result(&results[i], options, out);
    }
    report_json_tail(out);
}
