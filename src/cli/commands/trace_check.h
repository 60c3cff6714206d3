/* trace_check.h - `trace check`: findings -> text. */
#ifndef WARPLENS_CLI_COMMANDS_TRACE_CHECK_H
#define WARPLENS_CLI_COMMANDS_TRACE_CHECK_H

#include <stdio.h>

#include "trace_io/check.h"

/* `error`: why the reader could not go on, or NULL. True when there is no error of any kind. */
bool trace_check_print(const struct check *check, const char *path, const char *error, FILE *out);

#endif
