/* filter.h - denied.def as a seccomp filter. */
#ifndef WARPLENS_CONFINE_FILTER_H
#define WARPLENS_CONFINE_FILTER_H

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "confine/confine.h"

enum { FILTER_MAX = 1024, FILTER_OWN_MAX = 16 };

struct filter {
    struct sock_filter code[FILTER_MAX];
    size_t count; /* above FILTER_MAX: it had no room */
    /* Where the process's own number belongs, which is known behind fork. */
    size_t own[FILTER_OWN_MAX], own_count;
};

/* `path`: the words of execve by which a program is started, the same pointer. */
void filter_make(struct filter *filter, enum confine_role role, const char *path);

/* Takes effect for the calling process, which has no new privileges any more. False with errno set.
 * Async-signal-safe. */
bool filter_enter(struct filter *filter, pid_t self);

#endif
