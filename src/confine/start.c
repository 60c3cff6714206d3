/* start.c - fork, confine, exec. What can be made before the fork is made there; behind it only system calls are
 * used. A pipe that exec closes tells which step has failed. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine/confine.h"
#include "confine/filter.h"
#include "confine/limit.h"
#include "confine/numbers.h"
#include "confine/reach.h"

enum { CLOSE_ON_EXEC = 4 /* CLOSE_RANGE_CLOEXEC */ };

/* What the process does, one after another; each may fail. */
enum step { DESCRIPTORS, FOLDER, LIMITS, PRIVILEGES, FILES, CALLS, EXEC, STEPS };
static const char *const step_names[STEPS] = {
    "its descriptors", "its folder", "resource limits", "privileges", "Landlock",
    "seccomp",         "exec"};

struct failure {
    enum step step;
    int error;
};

struct plan {
    const struct confine_job *job;
    struct filter filter;
    int rules;   /* of Landlock */
    pid_t maker; /* warplens */
};

/* ---- In the process, async-signal-safe ---------------------------------------------------------- */

static bool set_descriptors(const struct confine_job *job)
{
    if (syscall(NR_close_range, STDERR_FILENO + 1, ~0U, CLOSE_ON_EXEC) != 0)
        return false;
    for (size_t i = 0; i < job->move_count; i++)
        if (dup2(job->moves[i].from, job->moves[i].to) < 0)
            return false;
    return true;
}

/* Ends with warplens; as root, has none of root's powers; cannot get any by what it starts. */
static bool drop_privileges(pid_t maker)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == maker &&
           syscall(SYS_capset, &header, none) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/* Signals are blocked until here: warplens's handlers are not the process's. What is ignored, as under nohup, stays
 * so, but for what ends a process that broke a limit. */
static void reset_signals(void)
{
    static const int never_ignored[] = {SIGPIPE, SIGXCPU, SIGXFSZ, SIGSYS};
    struct sigaction action;
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(number, SIG_DFL);
    for (size_t i = 0; i < sizeof never_ignored / sizeof never_ignored[0]; i++)
        signal(never_ignored[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static enum step confine_and_exec(struct plan *plan)
{
    const struct confine_job *job = plan->job;
    reset_signals();
    if (!set_descriptors(job))
        return DESCRIPTORS;
    if (job->role == CONFINE_COMPILER)
        setpgid(0, 0); /* its parts are ended with it */
    if (job->role == CONFINE_PROGRAM && chdir(job->folder) != 0)
        return FOLDER;
    if (!limits_enter(job->how))
        return LIMITS;
    if (!drop_privileges(plan->maker))
        return PRIVILEGES;
    if (!reach_enter(plan->rules))
        return FILES;
    if (!filter_enter(&plan->filter, getpid()))
        return CALLS;
    execve(job->path, (char *const *)(uintptr_t)job->arguments,
           (char *const *)(uintptr_t)job->variables);
    return EXEC;
}

static _Noreturn void be_process(struct plan *plan, int tell)
{
    const struct failure failure = {.step = confine_and_exec(plan), .error = errno};
    ssize_t told = write(tell, &failure, sizeof failure);
    (void)told; /* the status says it as well */
    syscall(SYS_exit_group, 127);
    __builtin_unreachable();
}

/* ---- In warplens ------------------------------------------------------------------------------ */

/* The process, once it has begun as what it is to be. */
static pid_t fork_process(struct plan *plan, const int tell[2], char error[CONFINE_ERROR_BYTES])
{
    struct failure failure;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t pid = fork();
    if (pid == 0)
        be_process(plan, tell[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(tell[1]);
    if (pid < 0) {
        snprintf(error, CONFINE_ERROR_BYTES, "cannot start a process: %s", strerror(errno));
        return -1;
    }
    ssize_t got;
    while ((got = read(tell[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
    }
    if (got != (ssize_t)sizeof failure)
        return pid;
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
    }
    snprintf(error, CONFINE_ERROR_BYTES, "cannot confine it: %s: %s", step_names[failure.step],
             strerror(failure.error));
    return -1;
}

pid_t confine_start(const struct confine_job *job, char error[CONFINE_ERROR_BYTES])
{
    int tell[2];
    pid_t pid = -1;
    struct plan *plan = calloc(1, sizeof *plan);
    snprintf(error, CONFINE_ERROR_BYTES, "cannot confine it: %s", strerror(errno));
    if (plan == NULL)
        return -1;
    plan->job = job;
    plan->maker = getpid();
    plan->rules = reach_make(job, error);
    filter_make(&plan->filter, job->role, job->path);
    if (plan->rules >= 0 && pipe2(tell, O_CLOEXEC) == 0) {
        pid = fork_process(plan, tell, error);
        close(tell[0]);
    }
    if (plan->rules >= 0)
        close(plan->rules);
    free(plan);
    return pid;
}
