/* leftovers.c - a handler may not read a directory with the C library, nor allocate: it walks a table of names, the
 * latest first, so that a directory comes behind what is in it, and asks the kernel for the names in a folder of
 * others. */
#define _GNU_SOURCE
#include "leftovers/leftovers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
enum { SIGNAL_COUNT = sizeof ending_signals / sizeof ending_signals[0] };

static struct {
    const char *volatile path; /* NULL: free */
    volatile pid_t owner;
    volatile bool is_folder; /* with files of others */
} entries[LEFTOVERS_MAX];
static volatile pid_t child_pid, child_owner;

/* Reads from the beginning until there is nothing that can be removed, for removing moves what is behind. */
void leftovers_empty_folder(const char *path)
{
    _Alignas(struct dirent64) char names[4096];
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    long got, removed = 1;
    while (folder >= 0 && removed && lseek(folder, 0, SEEK_SET) == 0) {
        removed = 0;
        while ((got = syscall(SYS_getdents64, folder, names, sizeof names)) > 0)
            for (long at = 0; at < got;) {
                const struct dirent64 *entry = (const struct dirent64 *)(void *)(names + at);
                removed += unlinkat(folder, entry->d_name, 0) == 0; /* "." and ".." stay */
                at += entry->d_reclen;
            }
    }
    if (folder >= 0)
        close(folder);
}

static void remove_one(int i)
{
    if (entries[i].is_folder)
        leftovers_empty_folder(entries[i].path);
    if (unlink(entries[i].path) != 0)
        rmdir(entries[i].path);
}

/* What it is about to write must not come behind the removal; it has a second. */
static void end_child(void)
{
    const struct timespec step = {.tv_nsec = 10000000};
    const pid_t leader = child_pid < 0 ? -child_pid : child_pid;
    kill(child_pid, SIGTERM);
    for (int i = 0; i < 100 && waitpid(leader, NULL, WNOHANG) == 0; i++)
        nanosleep(&step, NULL);
    kill(child_pid, SIGKILL);
    waitpid(leader, NULL, 0); /* none, if it has ended before */
}

static void on_signal(int number)
{
    const pid_t self = getpid();
    if (child_pid != 0 && child_owner == self)
        end_child();
    for (int i = LEFTOVERS_MAX; i-- > 0;)
        if (entries[i].path && entries[i].owner == self)
            remove_one(i);
    signal(number, SIG_DFL);
    raise(number);
}

static void catch_signals(void)
{
    static bool caught;
    struct sigaction before, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNAL_COUNT && !caught; i++) {
        sigaction(ending_signals[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
    caught = true;
}

static bool add(const char *path, bool is_folder)
{
    int i = 0; /* behind all that are there: the directory that it lies in is one of them */
    catch_signals();
    for (int k = 0; k < LEFTOVERS_MAX; k++)
        if (entries[k].path)
            i = k + 1;
    if (i == LEFTOVERS_MAX)
        return false;
    entries[i].owner = getpid();
    entries[i].is_folder = is_folder;
    entries[i].path = path;
    return true;
}

bool leftovers_add(const char *path)
{
    return add(path, false);
}

bool leftovers_add_folder(const char *path)
{
    return add(path, true);
}

void leftovers_forget(const char *path)
{
    for (int i = 0; i < LEFTOVERS_MAX; i++)
        if (entries[i].path == path)
            entries[i].path = NULL;
}

void leftovers_remove(const char *path)
{
    for (int i = 0; i < LEFTOVERS_MAX; i++)
        if (entries[i].path == path)
            remove_one(i);
    leftovers_forget(path);
}

void leftovers_set_child(pid_t child)
{
    child_owner = getpid();
    child_pid = child;
}

/* No signal comes between the making and its note. */
static sigset_t hold_signals(void)
{
    sigset_t ending, before;
    sigemptyset(&ending);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&ending, ending_signals[i]);
    sigprocmask(SIG_BLOCK, &ending, &before);
    return before;
}

int leftovers_make_file(char *template)
{
    const sigset_t before = hold_signals();
    int descriptor = mkostemp(template, O_CLOEXEC);
    int error = errno;
    if (descriptor >= 0 && !leftovers_add(template)) {
        unlink(template);
        close(descriptor);
        descriptor = -1;
        error = EMFILE;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return descriptor;
}

bool leftovers_make_directory(char *template)
{
    const sigset_t before = hold_signals();
    bool made = mkdtemp(template) != NULL;
    int error = errno;
    if (made && !leftovers_add(template)) {
        rmdir(template);
        made = false;
        error = EMFILE;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return made;
}
