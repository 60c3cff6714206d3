/* trace_check.h - `trace check FILE`: what is wrong with a trace. */
#ifndef WARPLENS_CLI_COMMANDS_TRACE_CHECK_H
#define WARPLENS_CLI_COMMANDS_TRACE_CHECK_H

#include "cli/options/options.h"

/* The status; EXIT_USAGE where there is an error in the trace. */
int trace_check(const struct options *options);

#endif
