/* cmd_explain.c - `warplens explain`. */
#include "cli/commands.h"

int command_explain(const struct options *options)
{
    return usage_error(options->command, "not there yet");
}
