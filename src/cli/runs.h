/* runs.h - what the commands that run kernels share. */
#ifndef WARPLENS_CLI_RUNS_H
#define WARPLENS_CLI_RUNS_H

#include <stdbool.h>

#include "session/result.h"

enum { RUNS_MESSAGE_BYTES = 768 };

/* The laws of invariants.def, which no kernel and no GPU may break: false and a message when one
 * does. */
bool runs_keep_laws(const struct result *results, size_t count, char message[RUNS_MESSAGE_BYTES]);

#endif
