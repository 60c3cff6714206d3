/* pool.c - a process gets the number of a job through its socket and answers with the length of the
 * result and the result. Results that come before their turn wait; how far the jobs may run ahead of
 * the first that is not done is limited, and with it the memory that they take. A process whose
 * parent is gone finds its socket closed and ends. */
#define _GNU_SOURCE
#include "pool/pool.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/memory.h"
#include "text/progress.h"

enum { AHEAD_PER_PROCESS = 16, STATUS_NO_MEMORY = 1 };

struct result {
    char *bytes;
    size_t count;
    bool here;
};

struct worker {
    pid_t pid;
    size_t job;
    bool busy;
};

struct pool {
    const struct pool_work *work;
    size_t limit, given, taken; /* jobs that shall be taken, are handed out, are taken */
    size_t done;
    struct result *waiting; /* of job j: waiting[j % ahead] */
    size_t ahead;
    struct worker workers[POOL_PROCESSES_MAX];
    struct pollfd sockets[POOL_PROCESSES_MAX]; /* fd -1: the process is gone; poll passes over it */
    size_t worker_count;
};

static bool write_all(int socket, const void *data, size_t bytes)
{
    for (const char *at = data; bytes;) {
        ssize_t written = send(socket, at, bytes, MSG_NOSIGNAL);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            bytes -= (size_t)written;
        }
    }
    return true;
}

static bool read_all(int socket, void *data, size_t bytes)
{
    for (char *at = data; bytes;) {
        ssize_t got = read(socket, at, bytes);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        if (got > 0) {
            at += got;
            bytes -= (size_t)got;
        }
    }
    return true;
}

/* Does a job; its result is the caller's to free. False without memory. */
static bool run_job(const struct pool_work *work, size_t job, struct result *result)
{
    const size_t failures = memory_failures();
    FILE *out = memory_stream(&result->bytes, &result->count);
    if (out == NULL)
        return false;
    work->run(work->context, job, out);
    const bool fine = fclose(out) == 0 && memory_failures() == failures;
    if (!fine)
        free(result->bytes);
    return fine;
}

static _Noreturn void work_for(const struct pool_work *work, int socket)
{
    size_t job;
    while (read_all(socket, &job, sizeof job)) {
        struct result result;
        if (!run_job(work, job, &result))
            _exit(STATUS_NO_MEMORY);
        bool sent = write_all(socket, &result.count, sizeof result.count) &&
                    write_all(socket, result.bytes, result.count);
        free(result.bytes);
        if (!sent)
            break;
    }
    _exit(0);
}

static bool add_worker(struct pool *pool)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) { /* with another's socket open, nobody would see that this process is gone */
        close(ends[0]);
        for (size_t w = 0; w < pool->worker_count; w++)
            close(pool->sockets[w].fd);
        work_for(pool->work, ends[1]);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return false;
    }
    pool->sockets[pool->worker_count] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    pool->workers[pool->worker_count++] = (struct worker){.pid = pid};
    return true;
}

/* The process of a job ended: no job from this one on will be taken. */
static void lose_worker(struct pool *pool, size_t w)
{
    close(pool->sockets[w].fd);
    pool->sockets[w].fd = -1;
    pool->workers[w].busy = false;
    if (pool->workers[w].job < pool->limit)
        pool->limit = pool->workers[w].job;
}

/* Jobs for those that have none. Returns how many processes are at work. */
static size_t hand_out(struct pool *pool)
{
    size_t busy = 0;
    for (size_t w = 0; w < pool->worker_count; w++) {
        struct worker *worker = &pool->workers[w];
        bool free_hand = pool->sockets[w].fd >= 0 && !worker->busy;
        if (free_hand && pool->given < pool->limit && pool->given - pool->taken < pool->ahead) {
            worker->job = pool->given++;
            worker->busy = true;
            if (!write_all(pool->sockets[w].fd, &worker->job, sizeof worker->job))
                lose_worker(pool, w);
        }
        busy += worker->busy;
    }
    return busy;
}

static bool receive(struct pool *pool, size_t w)
{
    struct result *result = &pool->waiting[pool->workers[w].job % pool->ahead];
    int socket = pool->sockets[w].fd;
    if (!pool->workers[w].busy || !read_all(socket, &result->count, sizeof result->count))
        return false;
    result->bytes = malloc(result->count + 1);
    if (result->bytes == NULL || !read_all(socket, result->bytes, result->count)) {
        free(result->bytes);
        return false;
    }
    result->here = true;
    pool->workers[w].busy = false;
    progress_jobs_done(++pool->done, pool->work->count);
    return true;
}

static void receive_some(struct pool *pool)
{
    if (poll(pool->sockets, pool->worker_count, -1) < 0)
        return; /* interrupted: the caller comes again */
    for (size_t w = 0; w < pool->worker_count; w++)
        if (pool->sockets[w].fd >= 0 && pool->sockets[w].revents && !receive(pool, w))
            lose_worker(pool, w);
}

static void take_waiting(struct pool *pool)
{
    const struct pool_work *work = pool->work;
    while (pool->taken < pool->limit) {
        struct result *result = &pool->waiting[pool->taken % pool->ahead];
        if (!result->here)
            return;
        bool more = work->take(work->context, pool->taken, result->bytes, result->count);
        free(result->bytes);
        *result = (struct result){0};
        if (more)
            pool->taken++;
        else
            pool->limit = pool->taken;
    }
}

/* A process that is still at work when the pool stops does what nobody wants. */
static void end_workers(struct pool *pool)
{
    int status = 0;
    for (size_t w = 0; w < pool->worker_count; w++) {
        if (pool->sockets[w].fd >= 0)
            close(pool->sockets[w].fd);
        if (pool->workers[w].busy)
            kill(pool->workers[w].pid, SIGKILL);
        while (waitpid(pool->workers[w].pid, &status, 0) < 0 && errno == EINTR)
            ;
        if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NO_MEMORY)
            memory_note_failure(); /* here too: whoever misses the job can say why */
    }
    for (size_t i = 0; i < pool->ahead; i++)
        if (pool->waiting[i].here)
            free(pool->waiting[i].bytes);
    free(pool->waiting);
}

/* False: not one process could be started. */
static bool run_in_processes(const struct pool_work *work, size_t processes, size_t *taken)
{
    struct pool pool = {.work = work, .limit = work->count};
    pool.ahead = processes * AHEAD_PER_PROCESS;
    pool.waiting = calloc(pool.ahead, sizeof *pool.waiting);
    if (pool.waiting == NULL)
        return false;
    while (pool.worker_count < processes && add_worker(&pool))
        ;
    while (pool.taken < pool.limit && hand_out(&pool)) {
        receive_some(&pool);
        take_waiting(&pool);
    }
    *taken = pool.taken;
    end_workers(&pool);
    return pool.worker_count > 0;
}

static size_t run_here(const struct pool_work *work)
{
    for (size_t job = 0; job < work->count; job++) {
        struct result result;
        if (!run_job(work, job, &result))
            return job;
        bool more = work->take(work->context, job, result.bytes, result.count);
        free(result.bytes);
        if (!more)
            return job;
        progress_jobs_done(job + 1, work->count);
    }
    return work->count;
}

size_t pool_run(const struct pool_work *work, size_t processes)
{
    size_t taken;
    progress_jobs_done(0, work->count);
    if (processes > work->count)
        processes = work->count;
    if (processes > POOL_PROCESSES_MAX)
        processes = POOL_PROCESSES_MAX;
    if (processes > 1 && run_in_processes(work, processes, &taken))
        return taken;
    return run_here(work);
}
