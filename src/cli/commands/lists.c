/* lists.c - `warplens kernels` and `warplens counters`: the tables as they are. */
#include <stdio.h>
#include <string.h>

#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/lists.h"
#include "text/nearest.h"
#include "cli/commands/output.h"
#include "report/report.h"
#include "report/table.h"
#include "sim/counters/quantity.h"

int lists_write(const struct options *options, const void *item,
                void (*write)(const void *item, const struct options *options, FILE *out))
{
    struct output output;
    if (options->operand_count > 1)
        return usage_error(options->command, "takes one name at most");
    int status = output_open(&output, options->output);
    if (status)
        return status;
    write(item, options, output.stream);
    return output_close(&output);
}

const char *lists_name(const struct options *options)
{
    return options->operand_count ? options->operands[0] : NULL;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static void write_kernels(const void *item, const struct options *options, FILE *out)
{
    bool markdown = options->format == FORMAT_MARKDOWN;
    (void)item;
    if (markdown)
        fprintf(out, "# The gallery\n\nMade by `warplens kernels --format markdown`.\n\n");
    for (size_t t = 0; t < gallery_topic_count; t++) {
        const struct gallery_topic *topic = gallery_topics[t];
        struct table table;
        fprintf(out,
                markdown ? "## %s\n\n| kernel | what it does | what it shows |\n|---|---|---|\n"
                         : "%s\n",
                topic->title);
        table_start(&table, 2, "l");
        for (size_t i = 0; i < topic->count; i++) {
            const struct gallery_kernel *kernel = &topic->kernels[i];
            if (markdown) {
                fprintf(out, "| `%s` | %s | %s |\n", kernel->name, kernel->summary, kernel->lesson);
                continue;
            }
            table_cell(&table, "%s", kernel->name);
            table_cell(&table, "%s", kernel->summary);
            table_row(&table);
        }
        table_print(&table, 2, out);
        fputc('\n', out);
    }
    if (!markdown)
        fprintf(out, "`warplens kernels NAME` tells a kernel's parameters and its lesson.\n");
}

void lists_put_wrapped(const char *text, int indent, int width, FILE *out)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > width) {
            fputc('\n', out);
            column = 0;
        }
        column +=
            fprintf(out, "%*s%.*s", column ? 1 : indent, "", length, text) - (column ? 0 : indent);
        text += length + (text[length] == ' ');
    }
    fputc('\n', out);
}

static void write_kernel(const void *item, const struct options *options, FILE *out)
{
    const struct gallery_kernel *kernel = item;
    struct table table;
    (void)options;
    fprintf(out, "%s: %s\n\n", kernel->name, kernel->summary);
    lists_put_wrapped(kernel->lesson, 2, 92, out);
    table_start(&table, 5, "lrrrl");
    if (kernel->params[0].name) {
        table_cell(&table, "parameter");
        table_cell(&table, "default");
        table_cell(&table, "least");
        table_cell(&table, "most");
        table_row(&table);
    }
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        const struct gallery_param *p = &kernel->params[i];
        table_cell(&table, "%s", p->name);
        table_cell(&table, "%lld", p->value);
        table_cell(&table, "%lld", p->min);
        table_cell(&table, "%lld", p->max);
        if (p->multiple > 1)
            table_cell(&table, "%s (multiples of %lld)", p->meaning, p->multiple);
        else
            table_cell(&table, "%s", p->meaning);
        table_row(&table);
    }
    fputc('\n', out);
    table_print(&table, 2, out);
}

static int do_kernels(const struct options *options)
{
    const struct gallery_kernel *kernel = NULL;
    int status = lists_name(options) ? choose_kernel(options->command, lists_name(options), &kernel)
                                     : EXIT_OK;
    return status ? status : lists_write(options, kernel, kernel ? write_kernel : write_kernels);
}

/* ---- counters -------------------------------------------------------------------------------- */

static void put_definition(const struct quantity *quantity, bool markdown, FILE *out)
{
    if (markdown) {
        fprintf(out, "| `%s` | %s | %s |\n", quantity->name, quantity->unit, quantity->definition);
        return;
    }
    fprintf(out, "  %s (%s)\n", quantity->name, quantity->unit);
    lists_put_wrapped(quantity->definition, 6, 90, out);
}

/* Those from `first` to before `end` that some of the profilers (bits) show; 0: warplens's own. */
static void put_definitions(size_t first, size_t end, unsigned profilers_wanted, bool markdown,
                            FILE *out)
{
    for (size_t i = first; i < end; i++) {
        const struct quantity quantity = quantity_at(i);
        if (profilers_wanted == 0 || quantity.profiler->profilers & profilers_wanted)
            put_definition(&quantity, markdown, out);
    }
}

static void put_heading(const char *title, bool markdown, FILE *out)
{
    fprintf(out, markdown ? "\n## %s\n\n| name | unit | definition |\n|---|---|---|\n" : "%s\n",
            title);
}

static void write_counters(const void *item, const struct options *options, FILE *out)
{
    bool markdown = options->format == FORMAT_MARKDOWN;
    (void)item;
    if (markdown)
        fprintf(out, "# Counters\n\nMade by `warplens counters --format markdown`.\n");
    put_heading("Counters: the same under every GPU", markdown, out);
    put_definitions(0, counter_count, 0, markdown, out);
    put_heading("Ratios", markdown, out);
    put_definitions(counter_count, quantity_own_count(), 0, markdown, out);
    for (unsigned bit = PROFILER_V10; bit < PROFILER_END; bit <<= 1) {
        put_heading(profiler_title((enum profiler)bit), markdown, out);
        put_definitions(quantity_own_count(), quantity_count(), bit, markdown, out);
    }
}

/* Prints every table's entry of that name. */
static void put_named(const char *name, FILE *out)
{
    for (size_t i = 0; i < quantity_count(); i++) {
        const struct quantity quantity = quantity_at(i);
        if (strcmp(quantity.name, name) != 0)
            continue;
        for (unsigned bit = PROFILER_V10; bit < PROFILER_END; bit <<= 1)
            if (quantity.profiler && quantity.profiler->profilers & bit)
                fprintf(out, "%s:\n", profiler_title((enum profiler)bit));
        put_definition(&quantity, false, out);
    }
}

static void write_counter(const void *item, const struct options *options, FILE *out)
{
    (void)options;
    put_named(item, out);
}

static int do_counters(const struct options *options)
{
    const char *name = lists_name(options);
    if (name) {
        struct nearest nearest = nearest_start(name);
        struct quantity quantity;
        char text[NEAREST_TEXT_BYTES];
        for (size_t i = 0; i < quantity_count(); i++)
            nearest_offer(&nearest, quantity_at(i).name);
        if (quantity_find(name, ~0U, &quantity) != QUANTITY_FOUND)
            return usage_error(options->command,
                               "unknown counter %s%s; `warplens counters` lists them", name,
                               nearest_text(&nearest, text));
    }
    return lists_write(options, name, name ? write_counter : write_counters);
}

const struct command command_kernels = {
    .name = "kernels",
    .operands = "[KERNEL]",
    .help = "the kernels of the gallery",
    .bit = COMMAND_KERNELS,
    .run = do_kernels,
    .about = "Lists the gallery by topic, or one kernel with its parameters and its lesson.",
};

const struct command command_counters = {
    .name = "counters",
    .operands = "[FIGURE]",
    .help = "what is counted, and what profilers call it",
    .bit = COMMAND_COUNTERS,
    .run = do_counters,
    .about = "Lists the counters, ratios and profiler counters, or defines one.",
};
