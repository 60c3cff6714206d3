/* messages_launch.h - what a compiler or linker says -> one line in the words of the program. */
#ifndef WARPLENS_CU_MESSAGES_LAUNCH_H
#define WARPLENS_CU_MESSAGES_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

#include "cu/build.h"

/* Of a launch, or of what warplens refuses. `messages`: the compiler's; `rewritten`: what it was to compile; `include`: the
 * folder of warplens's own headers. False: the first error is not about a launch's arguments, nor a refusal of those headers. */
bool messages_explain_launch(const char *messages, const char *rewritten, const char *include,
                             char *line, size_t room);

/* messages_missing.c. Whether the messages (NULL: none) are of a header or a name that is known, or of a file without main; then
 * `error` has one line: where, what, and what to do. */
bool messages_explain_missing(const char *messages, const char *file, char error[CU_ERROR_BYTES]);

#endif
