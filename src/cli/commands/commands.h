/* commands.h - the subcommands. A command is one file, which defines its struct, and one word below;
 * options name it by its bit. Help, the manual page and the shells' completions are made from these
 * tables and those of options; what the words in `operands` mean to them: pages/shape.h. */
#ifndef WARPLENS_CLI_COMMANDS_COMMANDS_H
#define WARPLENS_CLI_COMMANDS_COMMANDS_H

#include <stdio.h>

#include "cli/options/options.h"

/* What the first operand of a command with several actions can be. */
struct command_action {
    const char *name, *operands;
    int (*run)(const struct options *options);
    size_t least, most; /* operands behind the name */
};

struct command {
    const char *name, *operands, *help;   /* help: a few words, for the list of commands */
    const struct command_action *actions; /* NULL: none; ends with a row without a name */
    enum command_bit bit;
    int (*run)(const struct options *options); /* returns the exit status */
    const char *about;                         /* what it does and examples; --help says it */
};

/* In the order in which help names them. */
#define COMMANDS(X)                                                                                \
    X(run)                                                                                         \
    X(compare)                                                                                     \
    X(explain)                                                                                     \
    X(check)                                                                                       \
    X(advise)                                                                                      \
    X(diff)                                                                                        \
    X(gate)                                                                                        \
    X(grade)                                                                                       \
    X(sweep)                                                                                       \
    X(merge)                                                                                       \
    X(validate)                                                                                    \
    X(kernels)                                                                                     \
    X(gpus)                                                                                        \
    X(counters)                                                                                    \
    X(trace)                                                                                       \
    X(quiz)                                                                                        \
    X(bench)                                                                                       \
    X(help)

#define DECLARE_COMMAND(name) extern const struct command command_##name;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

extern const struct command *const command_list[];
extern const size_t command_count;

/* NULL when there is none. */
const struct command *command_find(const char *name);

/* The list of commands. */
void help_print_usage(FILE *out);
/* What a command does, and its options. */
void help_print_command(const struct command *command);
/* A message with the nearest names; returns EXIT_USAGE. `asked_by` as for usage_error. */
int help_unknown_command(const char *asked_by, const char *name);

#endif
