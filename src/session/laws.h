/* laws.h - results are checked before anybody sees them. */
#ifndef WARPLENS_SESSION_LAWS_H
#define WARPLENS_SESSION_LAWS_H

#include <stdbool.h>

#include "result/result.h"

enum { LAWS_MESSAGE_BYTES = 768 };

/* The laws of laws.def, which no kernel and no GPU may break: false and a message when one
 * does. */
bool laws_keep(const struct result *results, size_t count, char message[LAWS_MESSAGE_BYTES]);

#endif
