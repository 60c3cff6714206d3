/* workdir.c - the directory's files are known by name, so that a signal handler, which may not read
 * a directory, can remove them. */
#define _GNU_SOURCE
#include "cu/workdir.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text/memory.h"

enum { FILES_MAX = 256 };

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGXFSZ};
enum { SIGNAL_COUNT = sizeof ending_signals / sizeof ending_signals[0] };

static char *directory;
static char *files[FILES_MAX];
static volatile sig_atomic_t file_count;
static volatile pid_t child_pid;
static struct sigaction before[SIGNAL_COUNT];

static void remove_all(void)
{
    for (int i = 0; i < file_count; i++)
        unlink(files[i]);
    if (directory)
        rmdir(directory);
}

static void on_signal(int signal_number)
{
    if (child_pid > 0)
        kill(child_pid, SIGTERM);
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
    path = memory_format("%s/warplens-XXXXXX", parent && *parent ? parent : "/tmp");
    if (path == NULL)
        return false;
    if (mkdtemp(path) == NULL) {
        int error = errno;
        free(path);
        errno = error;
        return false;
    }
    directory = path;
    catch_signals();
    return true;
}

const char *workdir_file(const char *name)
{
    if (directory == NULL || file_count == FILES_MAX)
        return NULL;
    char *path = memory_format("%s/%s", directory, name);
    if (path == NULL)
        return NULL;
    files[file_count] = path;
    file_count++;
    return path;
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
    free(directory);
    directory = NULL;
}
