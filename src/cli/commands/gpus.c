/* gpus.c - `warplens gpus`: the GPUs, and every field of one with its value, unit and source. The
 * user's own (--arch-file) stand behind those of warplens. */
#include <stdio.h>
#include <string.h>

#include "cli/inputs/arch_file.h"
#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/lists.h"
#include "models/capabilities.h"
#include "models/models.h"
#include "report/table.h"
#include "text/quote.h"

/* What a command writes: one model, or all. */
struct gpu_list {
    const struct gpu_model *only; /* NULL: all */
    struct user_gpus users;
};

static size_t list_count(const struct gpu_list *list)
{
    return list->only ? 1 : model_count + list->users.count;
}

static const struct gpu_model *list_at(const struct gpu_list *list, size_t i)
{
    if (list->only)
        return list->only;
    return i < model_count ? models[i] : &list->users.gpus[i - model_count].model;
}

#define TAGS                                                                                       \
    "[W] vendor document, [P] published measurement, [M] measured for warplens, [F] fitted, "      \
    "[?] unconfirmed"
#define OWN                                                                                        \
    "own: the chip's own values; inherited: those of its compute capability, generation or kind "  \
    "of memory"

/* The vendor's name of its generation; "Files" for a user's GPU. */
static const char *generation_of(const struct gpu_model *model)
{
    if (models_find(model->name) != model)
        return "Files";
    return capability_find(model->sm.value)->generation;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_row(const struct gpu_model *m, struct table *table)
{
    const struct value_counts counts = arch_count_values(m);
    table_cell(table, "  %s", m->name);
    table_cell(table, "sm_%lld%s", (long long)m->sm.value, m->is_default ? " *" : "");
    table_cell(table, "%lld", (long long)m->sm_count.value);
    table_cell(table, "%lld", (long long)m->warps_per_sm.value);
    table_cell(table, "%.1f", (double)m->peak_megabytes_per_s.value / 1000);
    table_cell(table, "%lld%s", (long long)m->dram_partitions.value,
               m->partition_hashed.value ? " hashed" : "");
    table_cell(table, "%zu", counts.own);
    table_cell(table, "%zu", counts.inherited);
    table_cell(table, "%zu", counts.unsure);
    table_cell(table, "%s", m->title);
    table_row(table);
}

static void put_table(const struct gpu_list *list, FILE *out)
{
    static const char *const heads[] = {"name",       "rules", "SMs",       "warps/SM", "GB/s",
                                        "partitions", "own",   "inherited", "[?]",      "title"};
    const char *generation = "";
    struct table table;
    table_start(&table, sizeof heads / sizeof heads[0], "llrrrrrrrl");
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        table_cell(&table, "%s", heads[i]);
    table_row(&table);
    for (size_t i = 0; i < list_count(list); i++) {
        const struct gpu_model *m = list_at(list, i);
        if (strcmp(generation, generation_of(m)) != 0) {
            generation = generation_of(m);
            table_cell(&table, "%s", generation);
            table_row(&table);
        }
        put_row(m, &table);
    }
    table_print(&table, 0, out);
    fprintf(out,
            "\n* --gpu sm_NN means this chip. `warplens gpus NAME` lists all its parameters with "
            "their sources.\n" OWN ";\n[?]: how many of both are unconfirmed.\n");
}

/* Columns as wide as the widest field needs, so that all groups stand in line. */
static void put_fields(const struct gpu_model *model, FILE *out)
{
    int name_width = 0, unit_width = 0;
    for (size_t i = 0; i < arch_field_count; i++) {
        int name = (int)strlen(arch_fields[i].name), unit = (int)strlen(arch_fields[i].unit);
        name_width = name > name_width ? name : name_width;
        unit_width = unit > unit_width ? unit : unit_width;
    }
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct arch_field *field = &arch_fields[i];
        const struct model_value *value = arch_model_value(model, field);
        if (arch_file_group(field))
            fprintf(out, "\n%s\n", arch_file_group(field));
        fprintf(out, "  %-*s  %10lld  %-*s  %-6s  %-3s  %s\n", name_width, field->name,
                (long long)value->value, unit_width, field->unit, arch_file_tag(value),
                value->inherited ? "" : "own", value->reference);
    }
}

static void put_text(const struct gpu_list *list, FILE *out)
{
    if (list->only == NULL) {
        put_table(list, out);
        return;
    }
    fprintf(out, "%s: %s\n", list->only->name, list->only->title);
    lists_put_wrapped(list->only->about, 0, 96, out);
    const struct value_counts counts = arch_count_values(list->only);
    fprintf(out, "%zu values of its own, %zu inherited%s%s; %zu of both unconfirmed\n", counts.own,
            counts.inherited, list->only->base ? " from " : "",
            list->only->base ? list->only->base : "", counts.unsure);
    put_fields(list->only, out);
    fprintf(out, "\n" TAGS ", [user] from a file\n" OWN ".\n"
                 "What each field means: add --format arch-file.\n");
}

/* ---- Markdown -------------------------------------------------------------------------------- */

static void put_markdown_meanings(FILE *out)
{
    fprintf(out, "# GPUs\n\nMade by `warplens gpus --format markdown`.\n\nSources: " TAGS
                 ".\n\n## Fields\n");
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct arch_field *field = &arch_fields[i];
        if (arch_file_group(field))
            fprintf(out,
                    "\n%s\n\n| field | unit | least | most | meaning |\n|---|---|---|---|---|\n",
                    arch_file_group(field));
        fprintf(out, "| `%s` | %s | %lld | %lld | %s |\n", field->name, field->unit,
                (long long)field->min, (long long)field->max, field->meaning);
    }
    fputc('\n', out);
}

static void put_markdown_table(const struct gpu_list *list, FILE *out)
{
    fprintf(out, "## All\n\n" OWN ". `*`: `--gpu sm_NN` means this chip.\n\n"
                 "| generation | GPU | rules | own | inherited | unconfirmed | title |\n"
                 "|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < list_count(list); i++) {
        const struct gpu_model *m = list_at(list, i);
        const struct value_counts counts = arch_count_values(m);
        fprintf(out, "| %s | `%s` | sm_%lld%s | %zu | %zu | %zu | %s |\n", generation_of(m),
                m->name, (long long)m->sm.value, m->is_default ? " `*`" : "", counts.own,
                counts.inherited, counts.unsure, m->title);
    }
    fputc('\n', out);
}

/* The default chip of the same compute capability, which has what others inherit as well; NULL when it is this one, or a
 * user's GPU. */
static const struct gpu_model *sibling_of(const struct gpu_model *model)
{
    for (size_t i = 0; i < model_count && models_find(model->name) == model; i++)
        if (models[i]->is_default && models[i]->sm.value == model->sm.value && models[i] != model)
            return models[i];
    return NULL;
}

/* Whether a model has a value from where its sibling has the same one. */
static bool is_same_value(const struct gpu_model *a, const struct gpu_model *b, size_t field)
{
    const struct model_value *x = arch_model_value(a, &arch_fields[field]);
    const struct model_value *y = arch_model_value(b, &arch_fields[field]);
    return x->inherited && y->inherited && x->value == y->value && x->source == y->source &&
           strcmp(x->reference, y->reference) == 0;
}

/* One GPU has all its values; of all GPUs, each has those that it has not from where its sibling has them. */
static void put_markdown_gpu(const struct gpu_model *model, const struct gpu_model *sibling,
                             FILE *out)
{
    size_t left_out = 0;
    fprintf(out,
            "## %s: %s\n\n%s\n\n| field | value | unit | source | own | reference |\n"
            "|---|---|---|---|---|---|\n",
            model->name, model->title, model->about);
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct model_value *value = arch_model_value(model, &arch_fields[i]);
        if (sibling && is_same_value(model, sibling, i)) {
            left_out++;
            continue;
        }
        fprintf(out, "| `%s` | %lld | %s | %s | %s | %s |\n", arch_fields[i].name,
                (long long)value->value, arch_fields[i].unit, arch_file_tag(value),
                value->inherited ? "" : "own", value->reference);
    }
    if (left_out)
        fprintf(out, "\nThe other %zu are inherited as %s has them.\n", left_out, sibling->name);
    fputc('\n', out);
}

static void put_markdown(const struct gpu_list *list, FILE *out)
{
    if (list->only == NULL) {
        put_markdown_meanings(out);
        put_markdown_table(list, out);
    }
    for (size_t m = 0; m < list_count(list); m++)
        put_markdown_gpu(list_at(list, m), list->only ? NULL : sibling_of(list_at(list, m)), out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* {"schema":1,"gpus":[{name, title, about, generation, base, values: {own, inherited, unconfirmed},
 * fields: {name: {value, unit, source, own, reference}}}]}; base is null but for a user's GPU. */
static void put_json_string(const char *name, const char *text, FILE *out)
{
    fprintf(out, "\"%s\":", name);
    quote_json_string(text, out);
}

static void put_json_head(const struct gpu_model *model, FILE *out)
{
    const struct value_counts counts = arch_count_values(model);
    put_json_string("name", model->name, out);
    fputs(",", out);
    put_json_string("title", model->title, out);
    fputs(",", out);
    put_json_string("about", model->about, out);
    fputs(",", out);
    put_json_string("generation", generation_of(model), out);
    if (model->base) {
        fputs(",", out);
        put_json_string("base", model->base, out);
    } else {
        fputs(",\"base\":null", out);
    }
    fprintf(out, ",\"values\":{\"own\":%zu,\"inherited\":%zu,\"unconfirmed\":%zu}", counts.own,
            counts.inherited, counts.unsure);
}

static void put_json_gpu(const struct gpu_model *model, FILE *out)
{
    fputs("{", out);
    put_json_head(model, out);
    fputs(",\"fields\":{", out);
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct model_value *value = arch_model_value(model, &arch_fields[i]);
        fprintf(out, "%s\n\"%s\":{\"value\":%lld,", i ? "," : "", arch_fields[i].name,
                (long long)value->value);
        put_json_string("unit", arch_fields[i].unit, out);
        fputs(",", out);
        put_json_string("source", arch_file_tag(value), out);
        fprintf(out, ",\"own\":%s,", value->inherited ? "false" : "true");
        put_json_string("reference", value->reference, out);
        fputs("}", out);
    }
    fputs("}}", out);
}

static void put_json(const struct gpu_list *list, FILE *out)
{
    fputs("{\"schema\":1,\"gpus\":[", out);
    for (size_t i = 0; i < list_count(list); i++) {
        fputs(i ? ",\n" : "", out);
        put_json_gpu(list_at(list, i), out);
    }
    fputs("]}\n", out);
}

/* ---------------------------------------------------------------------------------------------- */

static void write_gpus(const void *item, const struct options *options, FILE *out)
{
    const struct gpu_list *list = item;
    if (options->format == FORMAT_MARKDOWN)
        put_markdown(list, out);
    else if (options->format == FORMAT_JSON)
        put_json(list, out);
    else if (options->format == FORMAT_ARCH_FILE)
        arch_file_write(list->only, out);
    else
        put_text(list, out);
}

static int do_gpus(const struct options *options)
{
    struct gpu_list list = {.only = NULL};
    const char *name = lists_name(options);
    if (options->format == FORMAT_ARCH_FILE && name == NULL)
        return usage_error(options->command, "--format arch-file needs the name of one GPU");
    int status = choose_user_gpus(options, &list.users);
    if (status == EXIT_OK && name)
        status = choose_model(options->command, name, &list.users, &list.only);
    return status ? status : lists_write(options, &list, write_gpus);
}

const struct command command_gpus = {
    .name = "gpus",
    .operands = "[GPU]",
    .help = "the GPUs and their parameters",
    .bit = COMMAND_GPUS,
    .run = do_gpus,
    .about = "Lists the GPUs, or every parameter of one with its unit and source.",
};
