/* messages_missing.h - what a compiler or linker says of what warplens does not have, in warplens's words. */
#ifndef WARPLENS_CU_MESSAGES_MISSING_H
#define WARPLENS_CU_MESSAGES_MISSING_H

#include <stdbool.h>

#include "cu/build.h"

/* Whether the messages (NULL: none) are of a header or a name that is known, or of a file without main; then `error`
 * has one line: where, what, and what to do. */
bool messages_explain_missing(const char *messages, const char *file, char error[CU_ERROR_BYTES]);

#endif
