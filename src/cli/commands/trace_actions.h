/* trace_actions.h - what `warplens trace` can do. Each returns the exit status. */
#ifndef WARPLENS_CLI_COMMANDS_TRACE_ACTIONS_H
#define WARPLENS_CLI_COMMANDS_TRACE_ACTIONS_H

#include "cli/options/options.h"

int trace_record(const struct options *options);
int trace_info_action(const struct options *options);
int trace_check(const struct options *options);
int trace_convert(const struct options *options);
int trace_cat(const struct options *options);

#endif
