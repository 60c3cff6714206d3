/* watch.h - holds what a confined program writes into its folder to a limit: resource limits hold each file alone. */
#ifndef WARPLENS_CONFINE_WATCH_H
#define WARPLENS_CONFINE_WATCH_H

#include "confine/confine.h"
#include "confine/ender.h"

struct confine_watch {
    struct ender ender;
    const char *folder;
    int64_t most_bytes;
};

/* Begins, and ends the process when there is too much. False with errno set. The folder's name must outlive it. */
bool confine_watch_start(struct confine_watch *watch, pid_t pid, const char *folder,
                         int64_t most_bytes);

/* When the process has ended: whether this did it. */
bool confine_watch_end(struct confine_watch *watch);

#endif
