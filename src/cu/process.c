/* process.c - posix_spawn, or confine_start; and files that pass between processes. */
#define _GNU_SOURCE
#include "cu/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cu/workdir.h"
#include "leftovers/leftovers.h"
#include "text/list.h"
#include "text/memory.h"

extern char **environ;

void arguments_add(struct arguments *arguments, const char *text)
{
    if (!LIST_MAKE_ROOM(arguments->items, arguments->count + 1, arguments->room)) {
        arguments->failed = true;
        return;
    }
    arguments->items[arguments->count++] = text;
    arguments->items[arguments->count] = NULL;
}

void arguments_add_all(struct arguments *arguments, const char *const *texts)
{
    for (; texts && *texts; texts++)
        arguments_add(arguments, *texts);
}

void arguments_free(struct arguments *arguments)
{
    free(arguments->items);
    *arguments = (struct arguments){0};
}

int process_wait(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

enum { CREATE = O_WRONLY | O_CREAT | O_TRUNC };

/* The environment with a folder of ours for temporary files: what a compiler that is ended leaves there goes with it.
 * 0, or errno. */
static int add_variables(struct arguments *variables, char **own, bool confined)
{
    const char *scratch = workdir_scratch();
    if (scratch == NULL)
        return errno;
    if (asprintf(own, "TMPDIR=%s", scratch) < 0)
        return ENOMEM;
    for (char **v = environ; *v; v++)
        if (confined ? confine_keeps_variable(*v) : strncmp(*v, "TMPDIR=", 7) != 0)
            arguments_add(variables, *v);
    arguments_add(variables, *own);
    return variables->failed ? ENOMEM : 0;
}

/* In a group of its own: a compiler's parts are ended with it. */
static int spawn_to_files(pid_t *pid, const struct arguments *arguments,
                          const struct arguments *variables, const char *output,
                          const char *messages)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, CREATE, 0600);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, CREATE, 0600);
    if (error == 0)
        error = posix_spawnp(pid, arguments->items[0], &actions, &attributes,
                             (char *const *)(uintptr_t)arguments->items,
                             (char *const *)(uintptr_t)variables->items);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int start_confined(pid_t *pid, const struct arguments *arguments,
                          const struct arguments *variables, const int files[3],
                          struct process_confined *confined)
{
    const struct confine_job job = {.role = CONFINE_COMPILER,
                                    .how = confined->how,
                                    .path = arguments->items[0],
                                    .arguments = arguments->items,
                                    .variables = variables->items,
                                    .reads = confined->reads.items,
                                    .folder = workdir_path(),
                                    .moves = {{files[0], 0}, {files[1], 1}, {files[2], 2}},
                                    .move_count = 3};
    *pid = confine_start(&job, confined->error);
    return *pid < 0 ? EPERM : 0;
}

static int confine_to_files(pid_t *pid, const struct arguments *arguments,
                            const struct arguments *variables, const char *output,
                            const char *messages, struct process_confined *confined)
{
    const int files[3] = {open("/dev/null", O_RDONLY | O_CLOEXEC),
                          open(output, CREATE | O_CLOEXEC, 0600),
                          open(messages, CREATE | O_CLOEXEC, 0600)};
    int error = files[0] < 0 || files[1] < 0 || files[2] < 0 ? errno : 0;
    if (error == 0)
        error = confined->reads.failed ? ENOMEM
                                       : start_confined(pid, arguments, variables, files, confined);
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            close(files[i]);
    return error;
}

int process_run(const struct arguments *arguments, const char *output, const char *messages,
                struct process_confined *confined)
{
    pid_t pid;
    struct arguments variables = {0};
    char *own = NULL;
    int error = arguments->failed ? ENOMEM : add_variables(&variables, &own, confined != NULL);
    if (error == 0)
        error = confined ? confine_to_files(&pid, arguments, &variables, output, messages, confined)
                         : spawn_to_files(&pid, arguments, &variables, output, messages);
    arguments_free(&variables);
    free(own);
    if (error == ENOMEM)
        memory_note_failure();
    if (error) {
        errno = error;
        return -1;
    }
    leftovers_set_child(-pid);
    int status = process_wait(pid);
    leftovers_set_child(0);
    return status;
}

char *process_read_file(const char *path, size_t *length)
{
    struct stat info;
    FILE *file = memory_open_file(path, "rbe");
    if (file == NULL)
        return NULL;
    size_t size = fstat(fileno(file), &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
    char *text = memory_take(size + 1, 1);
    if (text) {
        *length = fread(text, 1, size, file);
        text[*length] = '\0';
    }
    fclose(file);
    return text;
}
