/* parse.c - parses the command line by the table of options, and says what is wrong with it. */
#define _GNU_SOURCE
#include "cli/options/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/table.h"
#include "text/characters.h"
#include "text/memory.h"
#include "text/nearest.h"
#include "text/progress.h"

/* What an option was called before, and is still taken as. */
static const char *name_of_today(const char *name)
{
    return strcmp(name, "--figure") == 0 ? "--picture" : name;
}

static const struct option *find_option(const char *name, enum command_bit bit)
{
    name = name_of_today(name);
    OPTIONS_FOR_EACH(option)
    if ((option->commands & bit) && (strcmp(name, option->long_name) == 0 ||
                                     (option->short_name && strcmp(name, option->short_name) == 0)))
        return option;
    return NULL;
}

static int unknown_option(const char *command, enum command_bit bit, const char *name)
{
    struct nearest nearest = nearest_start(name);
    OPTIONS_FOR_EACH(option)
    if (option->commands & bit)
        nearest_offer(&nearest, option->long_name);
    char text[NEAREST_TEXT_BYTES];
    return usage_error(command, "unknown option %s%s; `warplens %s --help` lists the options", name,
                       nearest_text(&nearest, text), command);
}

/* One option at argv[*at], its value behind "=" or in the next word. */
static int parse_option(struct options *o, enum command_bit bit, int count, char **argv, int *at)
{
    char name[64];
    const char *word = argv[*at], *equals = strchr(word, '=');
    size_t length = word[1] == '-' && equals ? (size_t)(equals - word) : strlen(word);
    bool joined = (word[1] == 'I' || word[1] == 'D') && word[2]; /* -Idir */
    snprintf(name, sizeof name, "%.*s", joined ? 2 : (int)length, word);
    const struct option *option = find_option(name, bit);
    if (option == NULL)
        return unknown_option(o->command, bit, name);
    const char *argument = option_argument(option);
    const char *value = length < strlen(word) ? word + length + 1 : NULL;
    if (joined)
        value = word + 2;
    if (argument == NULL && value)
        return usage_error(o->command, "%s takes no value", name);
    if (argument && value == NULL && *at + 1 < count)
        value = argv[++*at];
    if (argument && value == NULL)
        return usage_error(o->command, "%s needs a value: %s", name, argument);
    const char *allowed = option->take(o, option, value);
    if (allowed)
        return usage_error(o->command, "%s %s: allowed is %s", name, value, allowed);
    return EXIT_OK;
}

int options_parse(struct options *o, const char *command, enum command_bit bit, int count,
                  char **argv)
{
    *o = (struct options){.command = command,
                          .block_first = -1,
                          .block_last = -1,
                          .processes = 1,
                          .shard = 1,
                          .shards = 1,
                          .seed = 1,
                          .tolerance_percent = -1,
                          .error_exitcode = -1,
                          .launch_count = -1,
                          .launches_per_kernel = -1,
                          .questions = 10,
                          .timeline_block = -1,
                          .operands = (const char *const *)argv};
    bool only_operands = false;
    for (int i = 0; i < count; i++) {
        if ((bit & (COMMAND_PROGRAMS | COMMAND_VALIDATE)) && strcmp(argv[i], "--") == 0) {
            o->program_arguments = (const char *const *)argv + i + 1;
            break;
        }
        if (!only_operands && strcmp(argv[i], "--") == 0) {
            only_operands = true;
        } else if (!only_operands &&
                   (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            o->help = true;
        } else if (!only_operands && argv[i][0] == '-' && argv[i][1]) {
            int status = parse_option(o, bit, count, argv, &i);
            if (status)
                return status;
        } else if (o->operand_count == OPTION_LIST_MAX &&
                   !(bit & (COMMAND_MERGE | COMMAND_GRADE))) {
            return usage_error(command, "more than %d names", OPTION_LIST_MAX);
        } else {
            argv[o->operand_count++] = argv[i];
        }
    }
    if (o->samples && o->rules_only)
        return usage_error(command, "--sample is of the model of time: leave --rules-only out");
    o->timeline |= o->timeline_block >= 0;
    o->command_writes_data =
        o->output == NULL && (bit == COMMAND_TRACE || o->format != FORMAT_TEXT || o->figure);
    return EXIT_OK;
}

void options_free(struct options *o)
{
    for (size_t i = 0; i < o->compiler_options.count; i++)
        free((char *)(uintptr_t)o->compiler_options.items[i]);
    o->compiler_options.count = 0;
}

void options_use_styles(const struct options *o)
{
    const bool is_terminal = o->output == NULL && isatty(STDOUT_FILENO);
    style_use(o->format == FORMAT_TEXT && o->figure == NULL &&
              style_is_wanted(o->color, is_terminal, getenv("NO_COLOR"), getenv("TERM")));
}

void options_print(enum command_bit bit)
{
    OPTIONS_FOR_EACH(option)
    if (option->commands & bit) {
        char head[80];
        const char *argument = option_argument(option);
        snprintf(head, sizeof head, "%s%s%s %s", option->short_name ? option->short_name : "",
                 option->short_name ? ", " : "", option->long_name, argument ? argument : "");
        printf("  %-38s %s\n", head, option->help);
    }
}

/* What came in from outside can hold anything; a compiler's lines stay lines. Without memory a message is cut. */
static void put_message(const char *format, va_list arguments)
{
    char cut[4096];
    va_list again;
    va_copy(again, arguments);
    char *whole = memory_format_list(format, arguments);
    if (whole == NULL)
        vsnprintf(cut, sizeof cut, format, again);
    va_end(again);
    text_make_characters(whole ? whole : cut);
    fprintf(stderr, "%s\n", whole ? whole : cut);
    free(whole);
}

int usage_error(const char *command, const char *format, ...)
{
    va_list arguments;
    progress_hide();
    va_start(arguments, format);
    fprintf(stderr, "warplens%s%s: ", command ? " " : "", command ? command : "");
    put_message(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}
