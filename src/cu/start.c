/* start.c - the program runs beside warplens; a pipe brings its trace.
 *
 * The trace goes to a descriptor that programs do not use by themselves, named in
 * WARPLENS_TRACE_FD. Signals that warplens ignores or catches are as usual in the program.
 */
#define _GNU_SOURCE
#include "cu/start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cu/process.h"
#include "cu/workdir.h"
#include "leftovers/leftovers.h"
#include "text/memory.h"

extern char **environ;

enum { TRACE_FD = 119 };

/* "name=title;major=9;..." */
static char *describe_device(const struct arch *arch, const char *title)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = memory_stream(&text, &bytes);
    if (out == NULL)
        return NULL;
    fprintf(out, "WARPLENS_DEVICE=name=%s", title);
#define DEVICE_KEY(key, usual, from_arch) fprintf(out, ";" #key "=%lld", (long long)(from_arch));
#include "tracer/runtime/device_keys.def"
#undef DEVICE_KEY
    return fclose(out) == 0 ? text : NULL;
}

/* The environment with our variables in place of any of their names. */
static void add_environment(struct arguments *variables, const char *device,
                            const struct cu_tracing *tracing, const char *launches, bool confined)
{
    static const char trace[] = "WARPLENS_TRACE_FD=119";
    for (char **v = environ; *v; v++)
        if (strncmp(*v, "WARPLENS_TRACE_", 15) != 0 && strncmp(*v, "WARPLENS_DEVICE=", 16) != 0 &&
            (!confined || confine_keeps_variable(*v)))
            arguments_add(variables, *v);
    arguments_add(variables, trace);
    if (tracing->wants_values)
        arguments_add(variables, "WARPLENS_TRACE_VALUES=1");
    if (tracing->keeps_accesses)
        arguments_add(variables, "WARPLENS_TRACE_ACCESSES=source");
    if (tracing->takes_repeats)
        arguments_add(variables, "WARPLENS_TRACE_REPEATS=1");
    if (*launches)
        arguments_add(variables, launches);
    arguments_add(variables, device);
}

static int spawn(struct cu_program *program, const char *path, const struct arguments *arguments,
                 const struct arguments *variables, int trace_fd, bool output_to_errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn_file_actions_adddup2(&actions, trace_fd, TRACE_FD);
        if (error == 0 && output_to_errors)
            error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
        if (error == 0)
            error = posix_spawn(&program->pid, path, &actions, &attributes,
                                (char *const *)(uintptr_t)arguments->items,
                                (char *const *)(uintptr_t)variables->items);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Its folder is empty at the start of every run. */
static int spawn_confined(struct cu_program *program, const char *path,
                          const struct arguments *arguments, const struct arguments *variables,
                          int trace_fd, bool output_to_errors)
{
    const struct confine_job job = {.role = CONFINE_PROGRAM,
                                    .how = program->confinement,
                                    .path = path,
                                    .arguments = arguments->items,
                                    .variables = variables->items,
                                    .folder = workdir_scratch(),
                                    .moves = {{trace_fd, TRACE_FD}, {STDERR_FILENO, STDOUT_FILENO}},
                                    .move_count = output_to_errors ? 2 : 1};
    if (job.folder == NULL)
        return errno;
    program->pid = confine_start(&job, program->error);
    if (program->pid < 0)
        return EPERM;
    if (confine_watch_start(&program->watch, program->pid, job.folder,
                            program->confinement->disk_bytes))
        return 0;
    int error = errno;
    kill(program->pid, SIGKILL);
    process_wait(program->pid);
    return error;
}

static int start(struct cu_program *program, const char *path, const struct arguments *arguments,
                 const struct arguments *variables, bool output_to_errors)
{
    int fds[2];
    if (arguments->failed || variables->failed)
        return ENOMEM;
    if (pipe2(fds, O_CLOEXEC) != 0)
        return errno;
    int error = (program->confinement ? spawn_confined : spawn)(program, path, arguments, variables,
                                                                fds[1], output_to_errors);
    close(fds[1]);
    if (error) {
        close(fds[0]);
        return error;
    }
    leftovers_set_child(program->pid);
    program->trace = fdopen(fds[0], "rb");
    if (program->trace && (program->timeout_s == 0 ||
                           time_limit_start(&program->limit, program->pid, program->timeout_s)))
        return 0;
    error = errno;
    if (program->trace)
        fclose(program->trace);
    else
        close(fds[0]);
    kill(program->pid, SIGKILL);
    process_wait(program->pid);
    leftovers_set_child(0);
    return error;
}

bool cu_start(struct cu_program *program, const char *path, const char *name,
              const char *const *arguments, const struct arch *arch, const char *title,
              bool output_to_errors, const struct cu_tracing *tracing,
              const struct confinement *confinement)
{
    struct arguments argv = {0}, variables = {0};
    char *device = describe_device(arch, title);
    char *launches = tracing->launches
                         ? memory_format("WARPLENS_TRACE_LAUNCHES=%s", tracing->launches)
                         : memory_copy("");
    int error = ENOMEM;
    *program = (struct cu_program){.confinement = confinement, .timeout_s = tracing->timeout_s};
    if (device && launches) {
        arguments_add(&argv, name);
        arguments_add_all(&argv, arguments);
        add_environment(&variables, device, tracing, launches, confinement != NULL);
        error = start(program, path, &argv, &variables, output_to_errors);
    }
    arguments_free(&argv);
    arguments_free(&variables);
    free(device);
    free(launches);
    if (error == ENOMEM)
        memory_note_failure();
    if (error && !*program->error)
        snprintf(program->error, sizeof program->error, "%s", strerror(error));
    return error == 0;
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

/* Of children that were waited for. */
static double children_cpu_s(void)
{
    struct rusage use;
    return getrusage(RUSAGE_CHILDREN, &use) == 0 ? seconds(use.ru_utime) + seconds(use.ru_stime)
                                                 : 0;
}

int cu_wait(struct cu_program *program)
{
    fclose(program->trace);
    program->trace = NULL;
    const double before_s = children_cpu_s();
    int status = process_wait(program->pid);
    leftovers_set_child(0);
    if (program->confinement) {
        bool filled = confine_watch_end(&program->watch);
        program->stopped =
            confine_explain(program->confinement, status, children_cpu_s() - before_s, filled);
    }
    if (program->timeout_s && time_limit_end(&program->limit) && status == 128 + SIGKILL)
        program->stopped = "it took longer than --timeout allows";
    return status;
}
