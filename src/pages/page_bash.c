/* page_bash.c - the tables of completions/warplens.bash: arms of `case`. */
#include <string.h>

#include "gallery_list.h"
#include "pages/pages.h"

enum { LINE_WIDTH = 100 };

static void write_options(FILE *out)
{
    for (size_t i = 0; i < command_count; i++) {
        fprintf(out, "    %s) options='", command_list[i]->name);
        OPTIONS_FOR_EACH(option)
        if (option->commands & command_list[i]->bit)
            fprintf(out, "%s ", option->long_name);
        fputs("--help' ;;\n", out);
    }
}

/* "'run --gpu' | 'compare --gpu'": one name of an option behind each command that takes it. */
static void put_patterns(const struct option *option, const char *name, bool *first, FILE *out)
{
    for (size_t i = 0; name && i < command_count; i++)
        if (option->commands & command_list[i]->bit) {
            fprintf(out, "%s'%s %s'", *first ? "    " : " | ", command_list[i]->name, name);
            *first = false;
        }
}

/* An option is the same for all commands of a row, but for actions, which no option has. */
static void write_arguments(FILE *out)
{
    OPTIONS_FOR_EACH(option)
    {
        const char *argument = option_argument(option);
        bool first = true;
        if (argument == NULL)
            continue;
        struct shape shape = shape_read(argument, command_list[0]);
        put_patterns(option, option->long_name, &first, out);
        put_patterns(option, option->short_name, &first, out);
        fputs(") shape='", out);
        shape_put(&shape, out);
        fputs("' ;;\n", out);
    }
}

static void put_operands(const struct command *command, const struct command_action *action,
                         const struct shape *shape, FILE *out)
{
    fprintf(out, "    '%s%s%s') shape='", command->name, action ? " " : "",
            action ? action->name : "");
    shape_put(shape, out);
    fputs("' ;;\n", out);
}

static void write_operands(FILE *out)
{
    page_each_operands(put_operands, out);
}

/* Names in lines of some width. */
static void put_names(const struct value_list *list, FILE *out)
{
    int column = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool breaks = column + (int)strlen(list->values[i].name) > LINE_WIDTH;
        column = breaks ? 0 : column;
        column += fprintf(out, "%s%s", breaks ? "\n" : i ? " " : "", list->values[i].name);
    }
}

static void write_values(FILE *out)
{
    for (size_t i = 0; i < value_kind_count; i++) {
        struct value_list list = values_make(&value_kinds[i]);
        fprintf(out, "    %s)\n        values='", value_kinds[i].word);
        put_names(&list, out);
        fputs("'\n        ;;\n", out);
        values_free(&list);
    }
}

static void put_parameters(const struct gallery_kernel *kernel, FILE *out)
{
    fprintf(out, "    %s) values+=' ", kernel->name);
    for (size_t i = 0; i < GALLERY_PARAMS_MAX && kernel->params[i].name; i++)
        fprintf(out, "%s%s", i ? " " : "", kernel->params[i].name);
    fputs("' ;;\n", out);
}

static void write_parameters(FILE *out)
{
    for (size_t t = 0; t < gallery_topic_count; t++)
        for (size_t i = 0; i < gallery_topics[t]->count; i++)
            put_parameters(&gallery_topics[t]->kernels[i], out);
}

const struct page_mark marks_bash[] = {
    {"OPTIONS", write_options}, {"ARGUMENTS", write_arguments},   {"OPERANDS", write_operands},
    {"VALUES", write_values},   {"PARAMETERS", write_parameters}, {0},
};
