/* workdir.c - the directory's files are known by name, so that a signal handler, which may not read
 * a directory with the C library, can remove them. What others write into the scratch folder, which has no folders in
 * it, has any names: the handler asks the kernel for them. */
#define _GNU_SOURCE
#include "cu/workdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILES_MAX = 256 };

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
enum { SIGNAL_COUNT = sizeof ending_signals / sizeof ending_signals[0] };

static char *directory;
static char *volatile scratch; /* a folder in it; NULL: none yet */
static char *files[FILES_MAX];
static volatile sig_atomic_t file_count;
static volatile pid_t child_pid;
static struct sigaction before[SIGNAL_COUNT];

/* Async-signal-safe. Reads from the beginning until there is nothing that can be removed, for removing moves what
 * is behind. */
static void empty_folder(const char *path)
{
    _Alignas(struct dirent64) char entries[4096];
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    long got, removed = 1;
    while (folder >= 0 && removed && lseek(folder, 0, SEEK_SET) == 0) {
        removed = 0;
        while ((got = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0)
            for (long at = 0; at < got;) {
                const struct dirent64 *entry = (const struct dirent64 *)(void *)(entries + at);
                removed += unlinkat(folder, entry->d_name, 0) == 0; /* "." and ".." stay */
                at += entry->d_reclen;
            }
    }
    if (folder >= 0)
        close(folder);
}

static void remove_all(void)
{
    if (scratch) {
        empty_folder(scratch);
        rmdir(scratch);
    }
    for (int i = 0; i < file_count; i++)
        unlink(files[i]);
    if (directory)
        rmdir(directory);
}

static void on_signal(int signal_number)
{
    if (child_pid > 0)
        kill(child_pid, scratch ? SIGKILL : SIGTERM);
    if (child_pid > 0 && scratch) /* what it would still write, we would not remove */
        waitpid(child_pid, NULL, 0);
    remove_all();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

/* A signal that is ignored, as under nohup, stays so. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaction(ending_signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(ending_signals[i], &action, NULL);
    }
}

bool workdir_open(void)
{
    const char *parent = getenv("TMPDIR");
    char *path;
    if (directory) {
        errno = EBUSY;
        return false;
    }
    if (asprintf(&path, "%s/warplens-XXXXXX", parent && *parent ? parent : "/tmp") < 0)
        return false;
    if (mkdtemp(path) == NULL) {
        int error = errno;
        free(path);
        errno = error;
        return false;
    }
    directory = realpath(path, NULL); /* a confined program begins in another directory than ours */
    free(path);
    if (directory == NULL)
        return false;
    catch_signals();
    return true;
}

const char *workdir_file(const char *name)
{
    char *path;
    if (directory == NULL || file_count == FILES_MAX ||
        asprintf(&path, "%s/%s", directory, name) < 0)
        return NULL;
    files[file_count] = path;
    file_count++;
    return path;
}

const char *workdir_path(void)
{
    return directory;
}

const char *workdir_scratch(void)
{
    char *path;
    if (scratch) {
        empty_folder(scratch);
        return scratch;
    }
    if (asprintf(&path, "%s/scratch", directory) < 0)
        return NULL;
    if (mkdir(path, 0700) != 0) {
        free(path);
        return NULL;
    }
    scratch = path;
    return scratch;
}

void workdir_set_child(pid_t child)
{
    child_pid = child;
}

void workdir_close(void)
{
    if (directory == NULL)
        return;
    remove_all();
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaction(ending_signals[i], &before[i], NULL);
    while (file_count > 0) {
        file_count--;
        free(files[file_count]);
    }
    free(scratch);
    scratch = NULL;
    free(directory);
    directory = NULL;
}
