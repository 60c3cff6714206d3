/* help.c - the table of commands, and `warplens help`: the list of them, or what one does. */
#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "text/nearest.h"

#define ROW(name) &command_##name,
const struct command *const command_list[] = {COMMANDS(ROW)};
const size_t command_count = sizeof command_list / sizeof command_list[0];

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count; i++)
        if (strcmp(name, command_list[i]->name) == 0)
            return command_list[i];
    return NULL;
}

void help_print_usage(FILE *out)
{
    fprintf(out,
            "warplens shows how a GPU kernel's warps touch memory, on a machine without a GPU.\n\n"
            "usage: warplens COMMAND [options]\n\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(out, "  %-9s %-26s %s\n", command_list[i]->name, command_list[i]->operands,
                command_list[i]->help);
    fprintf(out, "\n`warplens help COMMAND` says more. Exit status: 0 fine, 1 a file failed, 2 bad "
                 "input,\n3 a threshold not met, 70 a bug of warplens.\n");
}

void help_print_command(const struct command *command)
{
    printf("usage: warplens %s%s%s%s\n\n%s\n\n", command->name, *command->operands ? " " : "",
           command->operands, command->bit ? " [options]" : "", command->about);
    options_print(command->bit);
}

int help_unknown_command(const char *asked_by, const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    for (size_t i = 0; i < command_count; i++)
        nearest_offer(&nearest, command_list[i]->name);
    return usage_error(asked_by, "unknown command %s%s; `warplens --help` lists them", name,
                       nearest_text(&nearest, text));
}

static int do_help(const struct options *options)
{
    if (options->operand_count > 1)
        return usage_error(options->command, "takes one command at most");
    if (options->operand_count == 0) {
        help_print_usage(stdout);
        return EXIT_OK;
    }
    const struct command *command = command_find(options->operands[0]);
    if (command == NULL)
        return help_unknown_command(options->command, options->operands[0]);
    help_print_command(command);
    return EXIT_OK;
}

const struct command command_help = {
    .name = "help",
    .operands = "[COMMAND]",
    .help = "the list of commands, or what one does",
    .bit = COMMAND_HELP,
    .run = do_help,
    .about =
        "Lists the commands, or says what one does and which options it takes; so does --help\n"
        "behind its name.",
};
