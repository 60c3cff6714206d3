/* messages_launch.h - what a compiler says of a launch or of what warplens refuses -> one line in the
 * words of the program.
 */
#ifndef WARPLENS_CU_MESSAGES_LAUNCH_H
#define WARPLENS_CU_MESSAGES_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

/* `messages`: the compiler's; `rewritten`: what it was to compile; `include`: the folder of warplens's own headers.
 * False: the first error is not about a launch's arguments, nor a refusal of those headers. */
bool messages_explain_launch(const char *messages, const char *rewritten, const char *include,
                             char *line, size_t room);

#endif
