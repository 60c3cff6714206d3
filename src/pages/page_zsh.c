/* page_zsh.c - the tables of completions/_warplens: arrays for _describe, specifications for
 * _arguments. */
#include "gallery_list.h"
#include "pages/pages.h"

/* 'name:what it is' */
static void put_described(const char *name, const char *about, FILE *out)
{
    fprintf(out, "            '%s:", name);
    for (; *about; about++)
        fputs(*about == '\'' ? "'\\''" : (char[]){*about, '\0'}, out);
    fputs("'\n", out);
}

static void write_values(FILE *out)
{
    for (size_t i = 0; i < value_kind_count; i++) {
        struct value_list list = values_make(&value_kinds[i]);
        fprintf(out, "    %s)\n        values=(\n", value_kinds[i].word);
        for (size_t k = 0; k < list.count; k++)
            put_described(list.values[k].name, list.values[k].about, out);
        fputs("        )\n        ;;\n", out);
        values_free(&list);
    }
}

static void put_parameters(const struct gallery_kernel *kernel, FILE *out)
{
    fprintf(out, "    %s)\n        values+=(\n", kernel->name);
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++)
        put_described(kernel->params[i].name, kernel->params[i].meaning, out);
    fputs("        )\n        ;;\n", out);
}

static void write_parameters(FILE *out)
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            put_parameters(&gallery_topics[t]->kernels[i], out);
}

/* Inside of single quotes, where brackets and colons mean something to _arguments. */
static void put_part(const char *text, FILE *out)
{
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            page_put_escaped((char[]){*text, '\0'}, "[]:\\", out);
}

static void put_offer(const char *message, const struct shape *shape, FILE *out)
{
    fputc(':', out);
    put_part(message, out);
    fputc(':', out);
    if (shape->count) {
        fputs(" _warplens_offer ", out); /* the blank: without _arguments' own words */
        shape_put(shape, out);
    } else {
        fputc(' ', out);
    }
    fputs("'\n", out);
}

static void put_option(const struct command *command, const struct option *option, FILE *out)
{
    const char *argument = option_argument(option), *joined = argument ? "=" : "";
    if (option->short_name)
        fprintf(out, "            '*'{%s,%s%s}'[", option->short_name, option->long_name, joined);
    else
        fprintf(out, "            '*%s%s[", option->long_name, joined);
    put_part(option->help, out);
    fputc(']', out);
    if (argument) {
        struct shape shape = shape_read(argument, command);
        put_offer(argument, &shape, out);
    } else {
        fputs("'\n", out);
    }
}

static void write_arguments(FILE *out)
{
    for (size_t i = 0; i < command_count; i++) {
        const struct command *command = command_list[i];
        struct shape shape = shape_read(command->operands, command);
        fprintf(out, "    %s)\n        arguments=(\n", command->name);
        OPTIONS_FOR_EACH(option)
        if (option->commands & command->bit)
            put_option(command, option, out);
        if (command->actions) {
            fputs("            '1", out);
            put_offer(command->operands, &shape, out);
            fputs("            '*:operand:_warplens_action'\n", out);
        } else if (*command->operands) {
            fputs("            '*", out);
            put_offer(command->operands, &shape, out);
        }
        fputs("        )\n        ;;\n", out);
    }
}

static void put_action(const struct command *command, const struct command_action *action,
                       const struct shape *shape, FILE *out)
{
    if (action == NULL)
        return;
    fprintf(out, "    '%s %s') _warplens_offer ", command->name, action->name);
    shape_put(shape, out);
    fputs(" && found=0 ;;\n", out);
}

static void write_actions(FILE *out)
{
    page_each_operands(put_action, out);
}

const struct page_mark marks_zsh[] = {
    {"VALUES", write_values},
    {"PARAMETERS", write_parameters},
    {"ARGUMENTS", write_arguments},
    {"ACTIONS", write_actions},
    {0},
};
