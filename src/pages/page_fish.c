/* page_fish.c - the tables of completions/warplens.fish: `complete` lines. */
#include <string.h>

#include "gallery_list.h"
#include "pages/pages.h"

static void put_fish_quoted(const char *text, FILE *out)
{
    fputc('\'', out);
    page_put_escaped(text, "'\\", out);
    fputc('\'', out);
}

static void write_commands(FILE *out)
{
    for (size_t i = 0; i < command_count; i++) {
        fprintf(out, "complete -c warplens -n __warplens_no_command -a %s -d ",
                command_list[i]->name);
        put_fish_quoted(command_list[i]->help, out);
        fputc('\n', out);
    }
}

/* What a shape offers: files are fish's own. */
static void put_shape(const struct shape *shape, FILE *out)
{
    struct shape others = {.count = 0};
    for (size_t i = 0; i < shape->count; i++)
        if (!shape->items[i].is_list || strcmp(shape->items[i].word, "FILE") != 0)
            others.items[others.count++] = shape->items[i];
    if (others.count) {
        fputs(" -a '(__warplens_offer ", out);
        shape_put(&others, out);
        fputs(")'", out);
    }
}

static void put_option(const struct option *option, FILE *out)
{
    fputs("complete -c warplens -n '__warplens_is", out);
    for (size_t i = 0; i < command_count; i++)
        if (option->commands & command_list[i]->bit)
            fprintf(out, " %s", command_list[i]->name);
    fprintf(out, "' -l %s", option->long_name + 2);
    if (option->short_name)
        fprintf(out, " -s %s", option->short_name + 1);
    const char *argument = option_argument(option);
    if (argument) {
        struct shape shape = shape_read(argument, command_list[0]);
        fputs(shape_has(&shape, "FILE") ? " -r -F" : " -x", out);
        put_shape(&shape, out);
    }
    fputs(" -d ", out);
    put_fish_quoted(option->help, out);
    fputc('\n', out);
}

static void write_options(FILE *out)
{
    OPTIONS_FOR_EACH(option)
    put_option(option, out);
}

static void put_operands(const struct command *command, const struct command_action *action,
                         const struct shape *shape, FILE *out)
{
    if (shape->count == 0)
        return;
    fprintf(out, "complete -c warplens -n '__warplens_is %s", command->name);
    if (action)
        fprintf(out, "; and __warplens_has %s", action->name);
    for (const struct command_action *other = action ? NULL : command->actions;
         other && other->name; other++)
        fprintf(out, "%s %s", other == command->actions ? "; and not __warplens_has" : "",
                other->name);
    fprintf(out, "' %s", shape_has(shape, "FILE") ? "-F" : "-f");
    put_shape(shape, out);
    fputc('\n', out);
}

static void write_operands(FILE *out)
{
    page_each_operands(put_operands, out);
}

static void write_values(FILE *out)
{
    for (size_t i = 0; i < value_kind_count; i++) {
        struct value_list list = values_make(&value_kinds[i]);
        fprintf(out, "        case %s\n            printf '%%s\\t%%s\\n'", value_kinds[i].word);
        for (size_t k = 0; k < list.count; k++) {
            fprintf(out, " \\\n                %s ", list.values[k].name);
            put_fish_quoted(list.values[k].about, out);
        }
        fputc('\n', out);
        values_free(&list);
    }
}

static void put_parameters(const struct gallery_kernel *kernel, FILE *out)
{
    fprintf(out, "        case %s\n            printf '%%s\\t%%s\\n'", kernel->name);
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++) {
        fprintf(out, " %s ", kernel->params[i].name);
        put_fish_quoted(kernel->params[i].meaning, out);
    }
    fputc('\n', out);
}

static void write_parameters(FILE *out)
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            if (gallery_topics[t]->kernels[i].params[0].name)
                put_parameters(&gallery_topics[t]->kernels[i], out);
}

const struct page_mark marks_fish[] = {
    {"COMMANDS", write_commands}, {"OPTIONS", write_options},       {"OPERANDS", write_operands},
    {"VALUES", write_values},     {"PARAMETERS", write_parameters}, {0},
};
