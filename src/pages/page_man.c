/* page_man.c - the tables of warplens.1: man macros. What commands say about themselves is filled text;
 * lines that begin with a blank are examples and tables, and stay lines. */
#include <string.h>

#include "models/models.h"
#include "pages/pages.h"

/* Characters that roff would take for its own, or set as others. */
static void put_character(char c, bool minus, FILE *out)
{
    static const struct {
        char c;
        const char *roff;
    } table[] = {{'\\', "\\e"},   {'~', "\\(ti"}, {'^', "\\(ha"},
                 {'\'', "\\(aq"}, {'`', "\\(ga"}, {'"', "\\(dq"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].c == c) {
            fputs(table[i].roff, out);
            return;
        }
    fputs(c == '-' && minus ? "\\-" : (char[]){c, '\0'}, out);
}

/* As it is, every hyphen a minus that can be copied. */
static void put_verbatim(const char *text, size_t length, FILE *out)
{
    for (size_t i = 0; i < length; i++)
        put_character(text[i], true, out);
}

/* Running text: `code` is bold, and there and in front of options hyphens are minus signs. */
static void put_text(const char *text, size_t length, FILE *out)
{
    bool code = false;
    if (length && (text[0] == '.' || text[0] == '\''))
        fputs("\\&", out);
    for (size_t i = 0; i < length; i++) {
        bool begins = i == 0 || strchr(" (-", text[i - 1]) || text[i + 1] == '-';
        if (text[i] == '`') {
            code = !code;
            fputs(code ? "\\fB" : "\\fR", out);
        } else {
            put_character(text[i], code || begins, out);
        }
    }
    fputc('\n', out);
}

static void put_about(const char *text, FILE *out)
{
    bool lines = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool wants_lines = length ? text[0] == ' ' : lines && text[1] == ' ';
        if (lines != wants_lines)
            fputs(wants_lines ? ".PP\n.EX\n" : ".EE\n", out);
        if (wants_lines) {
            put_verbatim(text, length, out);
            fputc('\n', out);
        } else if (length) {
            put_text(text, length, out);
        } else if (text[1] && text[1] != ' ') {
            fputs(".PP\n", out);
        }
        lines = wants_lines;
        text += length + (text[length] == '\n');
    }
    fputs(lines ? ".EE\n" : "", out);
}

static void put_bold(const char *text, FILE *out)
{
    fputs("\\fB", out);
    put_verbatim(text, strlen(text), out);
    fputs("\\fR", out);
}

static void put_command(const struct command *command, FILE *out)
{
    const char *between = "";
    fputs(".SS ", out);
    put_bold(command->name, out);
    fputs(*command->operands ? " " : "", out);
    put_verbatim(command->operands, strlen(command->operands), out);
    fputc('\n', out);
    put_about(command->about, out);
    OPTIONS_FOR_EACH(option)
    if (option->commands & command->bit) {
        fputs(*between ? between : ".PP\nOptions:\n", out);
        put_bold(option->long_name, out);
        between = ",\n";
    }
    fputs(*between ? ".\n" : "", out);
}

static void write_commands(FILE *out)
{
    for (size_t i = 0; i < command_count; i++)
        put_command(command_list[i], out);
}

/* An option, its argument, what it does, and whose it is. */
static void put_option(const struct option *option, FILE *out)
{
    const char *between = "", *argument = option_argument(option);
    fputs(".TP\n", out);
    if (option->short_name) {
        put_bold(option->short_name, out);
        fputs(", ", out);
    }
    put_bold(option->long_name, out);
    if (argument) {
        fputs(" \\fI", out);
        put_verbatim(argument, strlen(argument), out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_text(option->help, strlen(option->help), out);
    for (size_t i = 0; i < command_count; i++)
        if (option->commands & command_list[i]->bit) {
            fprintf(out, "%s%s", *between ? between : "(", command_list[i]->name);
            between = ", ";
        }
    fputs(")\n", out);
}

static void write_options(FILE *out)
{
    OPTIONS_FOR_EACH(option)
    put_option(option, out);
}

static void write_gpus(FILE *out)
{
    for (size_t i = 0; i < model_count; i++) {
        fputs(".TP 12\n", out);
        put_bold(models[i]->name, out);
        fprintf(out, "\n%s, sm_%lld%s\n", models[i]->title, (long long)models[i]->sm.value,
                models[i]->is_default ? " *" : "");
    }
}

static void write_title(FILE *out)
{
    fprintf(out, ".TH WARPLENS 1 \"\" \"warplens %s\" \"User Commands\"\n", WARPLENS_VERSION);
}

const struct page_mark marks_man[] = {
    {"TITLE", write_title},
    {"COMMANDS", write_commands},
    {"OPTIONS", write_options},
    {"GPUS", write_gpus},
    {0},
};
