/* gpus.c - `warplens gpus`: the GPUs, and every field of one with its value, unit and source. The
 * user's own (--arch-file) stand behind those of warplens. */
#include <stdio.h>
#include <string.h>

#include "cli/inputs/arch_file.h"
#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/lists.h"
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

/* ---- text ------------------------------------------------------------------------------------ */

static void put_table(const struct gpu_list *list, FILE *out)
{
    static const char *const heads[] = {"name", "rules",      "SMs",  "warps/SM",
                                        "GB/s", "partitions", "title"};
    struct table table;
    table_start(&table, 7, "llrrrrl");
    for (size_t i = 0; i < 7; i++)
        table_cell(&table, "%s", heads[i]);
    table_row(&table);
    for (size_t i = 0; i < list_count(list); i++) {
        const struct gpu_model *m = list_at(list, i);
        table_cell(&table, "%s", m->name);
        table_cell(&table, "sm_%lld%s", (long long)m->sm.value, m->is_default ? " *" : "");
        table_cell(&table, "%lld", (long long)m->sm_count.value);
        table_cell(&table, "%lld", (long long)m->warps_per_sm.value);
        table_cell(&table, "%.1f", (double)m->peak_megabytes_per_s.value / 1000);
        table_cell(&table, "%lld%s", (long long)m->dram_partitions.value,
                   m->partition_hashed.value ? " hashed" : "");
        table_cell(&table, "%s", m->title);
        table_row(&table);
    }
    table_print(&table, 0, out);
    fprintf(out,
            "\n* --gpu sm_NN means this chip. `warplens gpus NAME` lists all its parameters with "
            "their sources.\n");
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
        fprintf(out, "  %-*s  %10lld  %-*s  %-6s  %s\n", name_width, field->name,
                (long long)value->value, unit_width, field->unit, arch_file_tag(value),
                value->reference);
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
    put_fields(list->only, out);
    fprintf(out, "\n" TAGS ", [user] from a file\n"
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

static void put_markdown(const struct gpu_list *list, FILE *out)
{
    if (list->only == NULL)
        put_markdown_meanings(out);
    for (size_t m = 0; m < list_count(list); m++) {
        const struct gpu_model *model = list_at(list, m);
        fprintf(out,
                "## %s: %s\n\n%s\n\n| field | value | unit | source | reference |\n"
                "|---|---|---|---|---|\n",
                model->name, model->title, model->about);
        for (size_t i = 0; i < arch_field_count; i++) {
            const struct model_value *value = arch_model_value(model, &arch_fields[i]);
            fprintf(out, "| `%s` | %lld | %s | %s | %s |\n", arch_fields[i].name,
                    (long long)value->value, arch_fields[i].unit, arch_file_tag(value),
                    value->reference);
        }
        fputc('\n', out);
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* {"schema":1,"gpus":[{name, title, about, fields: {name: {value, unit, source, reference}}}]} */
static void put_json_string(const char *name, const char *text, FILE *out)
{
    fprintf(out, "\"%s\":", name);
    quote_json_string(text, out);
}

static void put_json_gpu(const struct gpu_model *model, FILE *out)
{
    fputs("{", out);
    put_json_string("name", model->name, out);
    fputs(",", out);
    put_json_string("title", model->title, out);
    fputs(",", out);
    put_json_string("about", model->about, out);
    fputs(",\"fields\":{", out);
    for (size_t i = 0; i < arch_field_count; i++) {
        const struct model_value *value = arch_model_value(model, &arch_fields[i]);
        fprintf(out, "%s\n\"%s\":{\"value\":%lld,", i ? "," : "", arch_fields[i].name,
                (long long)value->value);
        put_json_string("unit", arch_fields[i].unit, out);
        fputs(",", out);
        put_json_string("source", arch_file_tag(value), out);
        fputs(",", out);
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
