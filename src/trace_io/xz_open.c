/* xz_open.c - started without a shell; what xz says goes nowhere, since its exit status says it. The
 * limit on its memory lets every preset of xz pass.
 */
#define _GNU_SOURCE
#include "trace_io/xz_open.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int spawn(pid_t *process, const char *path, int to)
{
    char *arguments[] = {(char *)"xz",
                         (char *)"--decompress",
                         (char *)"--stdout",
                         (char *)"--memlimit-decompress=128MiB",
                         (char *)"--",
                         (char *)path,
                         NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (error == 0)
        error = posix_spawnp(process, "xz", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Whether it did all it was to do. */
static bool wait_for_end(pid_t process)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

const char *xz_open(struct xz_file *file, const char *path)
{
    int ends[2];
    if (access(path, R_OK) != 0)
        return strerror(errno);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return strerror(errno);
    int error = spawn(&file->process, path, ends[1]);
    close(ends[1]);
    file->stream = error ? NULL : fdopen(ends[0], "r");
    if (file->stream)
        return NULL;
    close(ends[0]); /* ends an xz that has begun */
    if (error == 0)
        wait_for_end(file->process);
    if (error == ENOENT)
        return "the program xz is not there: install it (xz-utils), or decompress the traces with "
               "it where it is";
    return strerror(error ? error : ENOMEM);
}

bool xz_close(struct xz_file *file)
{
    fclose(file->stream);
    return wait_for_end(file->process);
}
