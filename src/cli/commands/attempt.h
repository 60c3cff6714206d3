/* attempt.h - runs somebody's file in a process of its own, so that nothing that it does ends warplens: it
 * is compiled, run and judged there, and what comes back is a report in JSON, its output and messages. */
#ifndef WARPLENS_CLI_COMMANDS_ATTEMPT_H
#define WARPLENS_CLI_COMMANDS_ATTEMPT_H

#include "cli/options/options.h"
#include "grade/grade.h"

enum {
    ATTEMPT_OUTPUT_BYTES = 1 << 20,    /* kept of what the program writes: the first ones */
    ATTEMPT_MESSAGES_BYTES = 64 << 10, /* of messages */
};

/* False after a message when no process could be started, or it had no memory. Whatever the file does comes back in the
 * attempt; attempt_free frees it. */
bool attempt_run(struct attempt *attempt, const struct options *options, const char *file,
                 unsigned timeout_s);
void attempt_free(struct attempt *attempt);

#endif
