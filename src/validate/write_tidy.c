/* write_tidy.c - csv and json: every launch and counter, in the order of the measurements. */
#define _GNU_SOURCE
#include <math.h>

#include "report/report.h"
#include "validate/write.h"

static void put_csv(const char *field, FILE *out)
{
    quote_csv_field(field, out);
    fputc(',', out);
}

static void put_csv_row(const struct validation *v, size_t i,
                        const struct compared_counter *counter, const struct summary_pair *pair,
                        FILE *out)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    const struct model_run *run = v->joined[i].refs[0].run;
    char params[VALIDATE_LABEL_BYTES];
    put_csv(run->gpu->model->name, out);
    put_csv(launch->run, out);
    put_csv(validate_run_name(run), out);
    put_csv(validate_params(run, params), out);
    fprintf(out, "%llu,", (unsigned long long)launch->index);
    put_csv(launch->shown, out);
    put_csv(validate_counter_name(v, counter), out);
    fprintf(out, "%.15g,%.15g\n", pair->measured, pair->modelled);
}

void write_csv(const struct validation *v, const struct write_options *options, FILE *out)
{
    (void)options;
    fputs("gpu,run,kernel,parameters,launch,function,counter,measured,modelled\n", out);
    for (size_t i = 0; i < v->measured->launch_count; i++) {
        if (v->joined[i].group == VALIDATE_NONE)
            continue;
        const struct validate_group *group = &v->groups[v->joined[i].group];
        for (size_t c = 0; c < group->counter_count; c++) {
            struct summary_pair pair;
            if (validate_pair(v, i, &group->counters[c], &pair))
                put_csv_row(v, i, &group->counters[c], &pair, out);
        }
    }
}

static void put_number(const char *name, double value, bool has, FILE *out)
{
    if (has && isfinite(value))
        fprintf(out, ",\"%s\":%.15g", name, value);
    else
        fprintf(out, ",\"%s\":null", name);
}

static void put_summary(const struct validation *v, const struct compared_counter *counter,
                        FILE *out)
{
    const struct summary *s = &counter->summary;
    char label[VALIDATE_LABEL_BYTES];
    fputs("{\"counter\":", out);
    quote_json_string(validate_counter_name(v, counter), out);
    fprintf(out, ",\"error_unit\":\"%s\",\"launches\":%zu,\"equal\":%zu,\"not_zero\":%zu",
            counter->points ? "points" : "%", s->pairs, s->equal, s->not_zero);
    put_number("mean_absolute", s->mean_absolute, s->errors, out);
    put_number("bias", s->bias, s->errors, out);
    put_number("worst", s->worst, s->errors, out);
    put_number("rank_correlation", s->rank, s->has_rank, out);
    if (v->within_percent > 0)
        fprintf(out, ",\"within\":{\"percent\":%.15g,\"launches\":%zu}", v->within_percent,
                counter->within);
    fputs(",\"worst_in\":", out);
    if (s->equal < s->pairs)
        quote_json_string(validate_label(v, counter->launches[s->worst_pair], label), out);
    else
        fputs("null", out);
    if (counter->lower_bound)
        fprintf(out, ",\"above_measured\":%zu", s->above);
    fputc('}', out);
}

/* What held the model's launch up; of several the first one's. */
static void put_limiter(const struct joined_launch *joined, FILE *out)
{
    enum resource limiter;
    if (usage_limiter_counted(&joined->refs[0].launch->counters, &limiter))
        fprintf(out, ",\"limiter\":\"%s\"", usage_name(limiter));
}

static void put_json_launch(const struct validation *v, size_t i, FILE *out)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    const struct joined_launch *joined = &v->joined[i];
    const struct validate_group *group = &v->groups[joined->group];
    const struct model_run *run = joined->refs[0].run;
    char params[VALIDATE_LABEL_BYTES];
    const char *comma = "";
    fprintf(out, "{\"gpu\":\"%s\",\"run\":", run->gpu->model->name);
    quote_json_string(launch->run, out);
    fputs(",\"kernel\":", out);
    quote_json_string(validate_run_name(run), out);
    fputs(",\"parameters\":", out);
    quote_json_string(validate_params(run, params), out);
    if (!run->rules_only)
        fprintf(out, ",\"cache_control\":\"%s\"", run->cold_launches ? "all" : "none");
    fprintf(out, ",\"launch\":%llu,\"function\":", (unsigned long long)launch->index);
    quote_json_string(launch->shown, out);
    put_limiter(joined, out);
    fputs(",\"counters\":{", out);
    for (size_t c = 0; c < group->counter_count; c++) {
        struct summary_pair pair;
        if (!validate_pair(v, i, &group->counters[c], &pair))
            continue;
        fputs(comma, out);
        quote_json_string(validate_counter_name(v, &group->counters[c]), out);
        fprintf(out, ":{\"measured\":%.15g,\"modelled\":%.15g}", pair.measured, pair.modelled);
        comma = ",";
    }
    fputs("}}", out);
}

static void put_changes(const struct session_gpu *gpu, FILE *out)
{
    const char *comma = "";
    fputs(",\"set\":{", out);
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct arch_field *field = &arch_fields[i];
        int64_t value = arch_get(&gpu->arch, field);
        if (value == arch_model_value(gpu->model, field)->value)
            continue;
        fprintf(out, "%s\"%s\":%lld", comma, field->name, (long long)value);
        comma = ",";
    }
    fputc('}', out);
}

static void put_names(const char *name, const struct name_set *names, FILE *out)
{
    fprintf(out, ",\n\"%s\":[", name);
    for (size_t i = 0; i < names->count; i++) {
        fputs(i ? "," : "", out);
        quote_json_string(names->texts[i], out);
    }
    fputc(']', out);
}

void write_json(const struct validation *v, const struct write_options *options, FILE *out)
{
    const char *comma = "";
    fputs("{\"schema\":1,\"compiler\":", out);
    quote_json_string(options->compiler, out);
    fputs(",\"gpus\":[", out);
    for (size_t g = 0; g < v->group_count; g++) {
        const struct validate_group *group = &v->groups[g];
        fprintf(out, "%s\n{\"gpu\":\"%s\",\"launches\":%zu,\"kernels\":%zu,\"rules_only\":%s",
                g ? "," : "", group->gpu->model->name, group->launch_count, group->kernel_count,
                group->rules_only ? "true" : "false");
        put_changes(group->gpu, out);
        fprintf(out, ",\"cache_control\":\"%s\",\"summary\":[",
                group->has_cold && group->has_warm ? "mixed"
                : group->has_cold                  ? "all"
                                                   : "none");
        for (size_t i = 0; i < group->counter_count; i++) {
            fputs(i ? ",\n " : "\n ", out);
            put_summary(v, &group->counters[i], out);
        }
        fputs("]}", out);
    }
    fputs("],\n\"launches\":[", out);
    for (size_t i = 0; i < v->measured->launch_count; i++) {
        if (v->joined[i].group == VALIDATE_NONE || v->joined[i].ref_count == 0)
            continue;
        fprintf(out, "%s\n", comma);
        put_json_launch(v, i, out);
        comma = ",";
    }
    fputc(']', out);
    put_names("not_modelled", &v->not_modelled, out);
    put_names("notes", &v->notes, out);
    if (v->complaints.count)
        put_names("failures", &v->complaints, out);
    fputs("}\n", out);
}
