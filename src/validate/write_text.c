/* write_text.c - tables: the launches one by one, a row a counter for each GPU, and what was left
 * out. */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>

#include "report/report.h"
#include "report/text_sections.h"
#include "validate/write.h"

enum { LINE_COLUMNS = 96, DETAILS_WITHOUT_ASKING = 4, ERROR_BYTES = 48 };

/* "+1.25 %", "-0.50 pt"; what would be 0.00 keeps a digit. */
static const char *error_text(double error, bool points, bool with_sign, char text[ERROR_BYTES])
{
    const char *format = error == 0 || fabs(error) >= 0.01 ? "%s%.2f %s" : "%s%.1g %s";
    const char *sign = !with_sign || error == 0 ? "" : error < 0 ? "-" : "+";
    snprintf(text, ERROR_BYTES, format, sign, fabs(error), points ? "pt" : "%");
    return text;
}

static void put_pair(struct table *table, const struct validation *v,
                     const struct compared_counter *counter, const struct summary_pair *pair)
{
    char text[REPORT_NUMBER_BYTES], error_word[ERROR_BYTES];
    double difference = pair->modelled - pair->measured, error;
    bool whole = difference == floor(difference) && fabs(difference) < 1e15;
    table_cell(table, "%s", validate_counter_name(v, counter));
    table_cell(table, "%s", report_value(pair->measured, text));
    table_cell(table, "%s", report_value(pair->modelled, text));
    table_cell(table, "%s", counter->profiler ? counter->profiler->unit : "us");
    if (summary_equal(pair))
        table_cell(table, "equal");
    else
        table_cell(table, whole ? "%+.0f" : "%+.4g", difference);
    if (summary_equal(pair))
        table_cell(table, "0");
    else if (summary_error(pair, counter->points, &error))
        table_cell(table, "%s", error_text(error, counter->points, true, error_word));
    else
        table_cell(table, "measured 0");
    table_row(table);
}

static void put_launch(const struct validation *v, size_t i, FILE *out)
{
    const struct measured_launch *launch = &v->measured->launches[i];
    const struct joined_launch *joined = &v->joined[i];
    const struct validate_group *group = &v->groups[joined->group];
    struct table table;
    char label[VALIDATE_LABEL_BYTES];
    fprintf(out, "%s on %s", validate_label(v, i, label), group->gpu->model->name);
    if (launch->run[0])
        fprintf(out, launch->program ? ", %s caches" : ", run %s", launch->run);
    fprintf(out, ", launch %llu", (unsigned long long)launch->index);
    if (launch->invocations > 1)
        fprintf(out, " (average of %llu)", (unsigned long long)launch->invocations);
    fprintf(out, ": %s\n", launch->shown);
    table_start(&table, 6, "lrrlrr");
    TEXT_HEADINGS(&table, "counter", "measured", "modelled", "unit", "difference", "error");
    for (size_t c = 0; c < group->counter_count; c++) {
        struct summary_pair pair;
        if (validate_pair(v, i, &group->counters[c], &pair))
            put_pair(&table, v, &group->counters[c], &pair);
    }
    table_print(&table, 2, out);
    fputc('\n', out);
}

static void put_details(const struct validation *v, bool asked, FILE *out)
{
    size_t count = 0;
    for (size_t g = 0; g < v->group_count; g++)
        count += v->groups[g].launch_count;
    if (!asked && count > DETAILS_WITHOUT_ASKING)
        return;
    for (size_t i = 0; i < v->measured->launch_count; i++)
        if (v->joined[i].group != VALIDATE_NONE && v->joined[i].ref_count)
            put_launch(v, i, out);
}

static bool has_bound(const struct validate_group *group)
{
    for (size_t i = 0; i < group->counter_count; i++)
        if (group->counters[i].lower_bound)
            return true;
    return false;
}

static void put_bound(struct table *table, const struct compared_counter *counter)
{
    const struct summary *s = &counter->summary;
    if (counter->lower_bound)
        table_cell(table, "%zu of %zu", s->pairs - s->above, s->pairs);
    else
        table_cell(table, "-");
}

static void put_errors(struct table *table, const struct compared_counter *counter)
{
    const struct summary *s = &counter->summary;
    char text[ERROR_BYTES];
    if (s->errors == 0) {
        table_cell(table, "-");
        table_cell(table, "-");
        table_cell(table, "-");
    } else {
        table_cell(table, "%s", error_text(s->mean_absolute, counter->points, false, text));
        table_cell(table, "%s", error_text(s->bias, counter->points, true, text));
        table_cell(table, "%s", error_text(s->worst, counter->points, true, text));
    }
}

static void put_counter(struct table *table, const struct validation *v,
                        const struct compared_counter *counter, bool bounds)
{
    const struct summary *s = &counter->summary;
    char label[VALIDATE_LABEL_BYTES];
    table_cell(table, "%s", validate_counter_name(v, counter));
    table_cell(table, "%zu", s->pairs);
    table_cell(table, "%zu", s->equal);
    table_cell(table, "%zu", s->not_zero);
    if (bounds)
        put_bound(table, counter);
    put_errors(table, counter);
    if (s->has_rank)
        table_cell(table, "%.3f", s->rank);
    else
        table_cell(table, "-");
    if (v->within_percent > 0)
        table_cell(table, "%zu", counter->within);
    if (s->equal < s->pairs)
        table_cell(table, "%s", validate_label(v, counter->launches[s->worst_pair], label));
    table_row(table);
}

/* A column's heading takes two lines. */
static void put_headings(struct table *table, bool bounds, double within)
{
    static const char *const words[2][9] = {
        {"counter", "launches", "equal", "0 measured,", "modelled <=", "mean", "bias", "worst",
         "rank"},
        {"", "", "", "not modelled 0", "measured", "error", "", "error", "corr."},
    };
    for (size_t line = 0; line < 2; line++) {
        for (size_t i = 0; i < 9; i++)
            if (i != 4 || bounds)
                table_cell(table, "%s", words[line][i]);
        if (within > 0 && line == 0)
            table_cell(table, "within");
        else if (within > 0)
            table_cell(table, "%g %%", within);
        table_cell(table, "%s", line ? "" : "worst in");
        table_heading(table);
    }
}

/* Fields of the GPU whose value is not the model's (--set). */
static void put_changes(const struct session_gpu *gpu, FILE *out)
{
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct arch_field *field = &arch_fields[i];
        if (arch_get(&gpu->arch, field) != arch_model_value(gpu->model, field)->value)
            fprintf(out, ", %s=%lld", field->name, (long long)arch_get(&gpu->arch, field));
    }
}

static void put_group(const struct validation *v, const struct validate_group *group, FILE *out)
{
    const struct gpu_model *model = group->gpu->model;
    const bool bounds = has_bound(group), within = v->within_percent > 0;
    const char *columns = bounds && within   ? "lrrrrrrrrrl"
                          : bounds || within ? "lrrrrrrrrl"
                                             : "lrrrrrrrl";
    struct table table;
    fprintf(out, "%s (%s): %zu launch%s of %zu %s%s", model->title, model->name,
            group->launch_count, group->launch_count == 1 ? "" : "es", group->kernel_count,
            group->has_kernels ? "kernel" : "program", group->kernel_count == 1 ? "" : "s");
    put_changes(group->gpu, out);
    if (group->rules_only)
        fputs(", rules only\n\n", out);
    else
        fprintf(out, ", caches %s\n\n",
                group->has_cold && group->has_warm ? "emptied before each launch of cold runs"
                : group->has_cold                  ? "emptied before each launch"
                                                   : "as the launch before left them");
    table_start(&table, strlen(columns), columns);
    put_headings(&table, bounds, v->within_percent);
    for (size_t i = 0; i < group->counter_count; i++)
        put_counter(&table, v, &group->counters[i], bounds);
    table_print(&table, 2, out);
    fputc('\n', out);
}

/* Words, at most LINE_COLUMNS wide. */
static void put_wrapped(const char *text, size_t *column, FILE *out)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        if (*column && *column + 1 + length > LINE_COLUMNS) {
            fputs("\n ", out);
            *column = 1;
        }
        fprintf(out, "%s%.*s", *column ? " " : "", (int)length, text);
        *column += length + 1;
        text += length;
        text += strspn(text, " ");
    }
}

/* "launch__ (45)": names of ncu's raw page by the unit that they begin with, when there are many. */
enum { NAMES_SHOWN = 12 };

static size_t unit_length(const char *name)
{
    const char *mark = strstr(name, "__");
    return mark ? (size_t)(mark - name) + 2 : strlen(name);
}

static bool is_of_unit(const char *name, const char *unit, size_t length)
{
    return unit_length(name) == length && strncmp(name, unit, length) == 0;
}

/* Words of the list, from its i-th name on; "" where an earlier name has said it. */
static void name_left_out(const struct name_set *names, size_t i, char *word, size_t room)
{
    const char *name = names->texts[i];
    size_t length = unit_length(name), count = 0;
    snprintf(word, room, "%.500s", name);
    if (names->count <= NAMES_SHOWN)
        return;
    for (size_t k = 0; k < names->count; k++) {
        bool is_same = is_of_unit(names->texts[k], name, length);
        if (is_same && k < i) {
            *word = '\0';
            return;
        }
        count += is_same;
    }
    if (count > 1)
        snprintf(word, room, "%.*s (%zu)", (int)(length < 500 ? length : 500), name, count);
}

static void put_left_out(const struct name_set *names, FILE *out)
{
    size_t column = 0;
    bool is_first = true;
    if (names->count == 0)
        return;
    put_wrapped("- Measured but not modelled:", &column, out);
    for (size_t i = 0; i < names->count; i++) {
        char word[512];
        name_left_out(names, i, word, sizeof word);
        if (*word == '\0')
            continue;
        if (!is_first) {
            fputc(',', out);
            column++;
        }
        is_first = false;
        put_wrapped(word, &column, out);
    }
    fputc('\n', out);
}

static void put_notes(const struct validation *v, FILE *out)
{
    for (size_t i = 0; i < v->notes.count; i++) {
        size_t column = 0;
        put_wrapped("-", &column, out);
        put_wrapped(v->notes.texts[i], &column, out);
        fputc('\n', out);
    }
    put_left_out(&v->not_modelled, out);
}

void write_text(const struct validation *v, const struct write_options *options, FILE *out)
{
    put_details(v, options->details, out);
    for (size_t g = 0; g < v->group_count; g++)
        if (v->groups[g].launch_count)
            put_group(v, &v->groups[g], out);
    fputs("Errors are (modelled - measured) / measured, for percentages modelled - measured in "
          "points (pt).\nLaunches with 0 measured are in no mean.\n",
          out);
    if (v->notes.count || v->not_modelled.count)
        fputc('\n', out);
    put_notes(v, out);
}
