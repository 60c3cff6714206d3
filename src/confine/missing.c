/* missing.c - asks the kernel for its means. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine/confine.h"
#include "confine/numbers.h"
#include "confine/reach.h"

/* NULL: it is there. */
static const char *missing_landlock(void)
{
    if (reach_version() > 0)
        return NULL;
    if (errno == EOPNOTSUPP)
        return "Landlock is switched off (the kernel's boot parameter lsm= must name landlock)";
    if (errno == ENOSYS)
        return "this kernel has no Landlock (Linux 5.13 or later can have it)";
    return "Landlock is refused to this process (by a container's own filter, perhaps)";
}

static const char *missing_seccomp(void)
{
    const uint32_t actions[] = {SECCOMP_RET_TRAP, SECCOMP_RET_ERRNO, SECCOMP_RET_KILL_PROCESS};
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &actions[i]) != 0)
            return "this kernel has no seccomp filters (Linux 4.14 or later can have them)";
    return NULL;
}

bool confine_is_possible(char missing[CONFINE_ERROR_BYTES])
{
    const char *landlock = missing_landlock(), *seccomp = missing_seccomp();
    snprintf(missing, CONFINE_ERROR_BYTES, "%s%s%s", landlock ? landlock : "",
             landlock && seccomp ? ", and " : "", seccomp ? seccomp : "");
    return landlock == NULL && seccomp == NULL;
}
