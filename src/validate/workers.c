/* workers.c - each process takes the next run from a shared number and writes what came out to its
 * pipe. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "session/gallery_source.h"
#include "sim/invariants.h"
#include "validate/workers.h"

/* Stands before a run's launches and its error in a pipe. */
struct reply {
    size_t run, launch_count, error_bytes; /* error_bytes: with the zero; 0: no error */
    bool is_bug;
};

struct progress {
    size_t done, count;
    time_t shown;
    bool terminal;
};

static struct progress progress_start(size_t count)
{
    return (struct progress){
        .count = count, .shown = time(NULL), .terminal = isatty(STDERR_FILENO) != 0};
}

/* A line a second at most, none for what takes less than one. */
static void progress_step(struct progress *progress)
{
    time_t now = time(NULL);
    progress->done++;
    if (!progress->terminal || now <= progress->shown + 1)
        return;
    progress->shown = now;
    fprintf(stderr, "%zu of %zu runs\n", progress->done, progress->count);
}

static void take_result(struct model_run *run, struct result *result)
{
    const struct arch *arch = &result->judge.arch;
    const struct invariant *law = invariants_first_broken(&result->total, arch);
    if (law == NULL) {
        run->launches = result->launches;
        run->launch_count = result->launch_count;
        result->launches = NULL;
    } else if (asprintf(&run->error,
                        "the counters contradict each other: %s (%s) does not hold. This is a bug "
                        "in warplens; please report it with this command line",
                        law->name, law->text) < 0) {
        run->error = NULL;
    }
    run->is_bug = law != NULL;
    session_free(result, 1);
}

static void run_one(struct model_run *run)
{
    struct result result;
    struct gallery_run gallery = {run->kernel, &run->args};
    const struct session_request request = {
        .source = gallery_source(&gallery),
        .gpus = run->gpu,
        .gpu_count = 1,
        .rules_only = run->rules_only,
        .cold_launches = run->cold_launches,
    };
    const char *error = session_run(&request, &result);
    run->done = true;
    if (error)
        run->error = strdup(error);
    else
        take_result(run, &result);
}

static bool write_all(int pipe, const void *data, size_t bytes)
{
    for (const char *at = data; bytes;) {
        ssize_t written = write(pipe, at, bytes);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            bytes -= (size_t)written;
        }
    }
    return true;
}

static bool read_all(int pipe, void *data, size_t bytes)
{
    for (char *at = data; bytes;) {
        ssize_t got = read(pipe, at, bytes);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            at += got;
            bytes -= (size_t)got;
        }
    }
    return true;
}

static _Noreturn void work(struct model_run *runs, size_t count, atomic_size_t *next, int pipe)
{
    bool fine = true;
    for (size_t i; fine && (i = atomic_fetch_add(next, 1)) < count;) {
        struct model_run *run = &runs[i];
        run_one(run);
        struct reply reply = {i, run->launch_count, run->error ? strlen(run->error) + 1 : 0,
                              run->is_bug};
        fine = write_all(pipe, &reply, sizeof reply) &&
               write_all(pipe, run->launches, run->launch_count * sizeof *run->launches) &&
               write_all(pipe, run->error, reply.error_bytes);
    }
    _exit(fine ? 0 : 1);
}

/* One reply from a pipe that has some; false at its end. */
static bool receive(struct model_run *runs, int pipe)
{
    struct reply reply;
    if (!read_all(pipe, &reply, sizeof reply))
        return false;
    struct model_run *run = &runs[reply.run];
    run->launches = malloc(reply.launch_count * sizeof *run->launches + 1);
    run->error = reply.error_bytes ? malloc(reply.error_bytes) : NULL;
    if (run->launches == NULL || (reply.error_bytes && run->error == NULL))
        return false;
    run->launch_count = reply.launch_count;
    run->is_bug = reply.is_bug;
    run->done = read_all(pipe, run->launches, reply.launch_count * sizeof *run->launches) &&
                read_all(pipe, run->error, reply.error_bytes);
    return run->done;
}

static void receive_all(struct model_run *runs, size_t count, struct pollfd *pipes, size_t started)
{
    struct progress progress = progress_start(count);
    for (size_t open = started; open;) {
        if (poll(pipes, started, -1) < 0 && errno != EINTR)
            return;
        for (size_t w = 0; w < started; w++) {
            if (pipes[w].fd < 0 || pipes[w].revents == 0)
                continue;
            pipes[w].revents = 0;
            if (receive(runs, pipes[w].fd)) {
                progress_step(&progress);
                continue;
            }
            close(pipes[w].fd);
            pipes[w].fd = -1; /* poll passes over it */
            open--;
        }
    }
}

/* Returns how many processes were started. */
static size_t start(struct model_run *runs, size_t count, size_t processes, atomic_size_t *next,
                    struct pollfd *pipes, pid_t *pids)
{
    size_t started = 0;
    for (; started < processes; started++) {
        int ends[2];
        if (pipe(ends) != 0)
            break;
        fflush(NULL);
        pids[started] = fork();
        if (pids[started] == 0)
            work(runs, count, next, ends[1]);
        close(ends[1]);
        if (pids[started] < 0) {
            close(ends[0]);
            break;
        }
        pipes[started] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    }
    return started;
}

static size_t run_in_processes(struct model_run *runs, size_t count, size_t processes)
{
    struct pollfd pipes[WORKERS_MAX];
    pid_t pids[WORKERS_MAX];
    atomic_size_t *next =
        mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED)
        return 0;
    atomic_init(next, 0);
    size_t started = start(runs, count, processes, next, pipes, pids);
    receive_all(runs, count, pipes, started);
    for (size_t w = 0; w < started; w++)
        while (waitpid(pids[w], NULL, 0) < 0 && errno == EINTR)
            ;
    munmap(next, sizeof *next);
    return started;
}

void workers_run(struct model_run *runs, size_t count, size_t processes)
{
    if (processes > count)
        processes = count;
    if (processes > WORKERS_MAX)
        processes = WORKERS_MAX;
    if (processes > 1 && run_in_processes(runs, count, processes))
        return;
    struct progress progress = progress_start(count);
    for (size_t i = 0; i < count; i++) {
        run_one(&runs[i]);
        progress_step(&progress);
    }
}

void workers_free(struct model_run *runs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(runs[i].error);
        free(runs[i].launches);
    }
}
