/* process.c - posix_spawn, and files that pass between processes. */
#define _GNU_SOURCE
#include "cu/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cu/workdir.h"
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

static int spawn_to_files(pid_t *pid, const struct arguments *arguments, const char *output,
                          const char *messages)
{
    enum { CREATE = O_WRONLY | O_CREAT | O_TRUNC };
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, CREATE, 0600);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, CREATE, 0600);
    if (error == 0)
        error = posix_spawnp(pid, arguments->items[0], &actions, NULL,
                             (char *const *)(uintptr_t)arguments->items, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int process_run(const struct arguments *arguments, const char *output, const char *messages)
{
    pid_t pid;
    int error = arguments->failed ? ENOMEM : spawn_to_files(&pid, arguments, output, messages);
    if (error == ENOMEM)
        memory_note_failure();
    if (error) {
        errno = error;
        return -1;
    }
    workdir_set_child(pid);
    int status = process_wait(pid);
    workdir_set_child(0);
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
