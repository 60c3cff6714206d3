/* limit.h - limits take effect. */
#ifndef WARPLENS_CONFINE_LIMIT_H
#define WARPLENS_CONFINE_LIMIT_H

#include "confine/confine.h"

/* For the calling process, none higher than it has. False with errno set. Async-signal-safe. */
bool limits_enter(const struct confinement *how);

#endif
