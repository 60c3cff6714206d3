/* commands.h - the subcommands. A command is one file, which defines its struct, and one word below;
 * options name it by its bit. */
#ifndef WARPLENS_CLI_COMMANDS_H
#define WARPLENS_CLI_COMMANDS_H

#include "cli/options.h"

struct command {
    const char *name, *operands, *help; /* help: a few words, for the list of commands */
    enum command_bit bit;
    int (*run)(const struct options *options); /* returns the exit status */
    const char *about;                         /* what it does and examples; --help says it */
};

/* In the order in which help names them. */
#define COMMANDS(X)                                                                                \
    X(run)                                                                                         \
    X(compare) X(sweep) X(merge) X(explain) X(validate) X(kernels) X(gpus) X(counters) X(trace)    \
        X(bench)                                                                                   \
    X(diff)                                                                                        \
    X(gate)

#define DECLARE_COMMAND(name) extern const struct command command_##name;
COMMANDS(DECLARE_COMMAND)
#undef DECLARE_COMMAND

extern const struct command *const command_list[];
extern const size_t command_count;

#endif
