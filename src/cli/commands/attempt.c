/* attempt.c - a process, three pipes and a deadline. The process leads a group: when time is over the group
 * gets SIGTERM, on which the process removes the files of the build (leftovers/), and what is left of it
 * 2 seconds later SIGKILL. It ends with us. Standard input is empty, no core is dumped. What the
 * program may do, confine/ decides. */
#define _GNU_SOURCE
#include "cli/commands/attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/inputs/sheets.h"
#include "cu/build.h"
#include "text/memory.h"

enum { REPORT, OUTPUT, MESSAGES, STREAMS };
enum { GRACE_MS = 2000, STEP_MS = 10 };
enum { STATUS_NO_MEMORY = 71 }; /* of the process; none of warplens's own */

/* What comes through one pipe. */
struct stream {
    int fd;
    char *text; /* `most` bytes of room at most, and a zero behind them */
    size_t bytes, room, most;
    bool is_long, has_ended;
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- The process ----------------------------------------------------------------------------------- */

static void be_child(const struct options *options, const char *file, const int writers[STREAMS])
{
    const struct rlimit no_core = {0, 0};
    int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(empty, STDIN_FILENO);
    dup2(writers[OUTPUT], STDOUT_FILENO);
    dup2(writers[MESSAGES], STDERR_FILENO);
    FILE *out = fdopen(writers[REPORT], "w");
    int status = out ? sheets_run(options, file, out) : EXIT_IO;
    if (out && fclose(out) != 0)
        status = EXIT_IO;
    fflush(stdout);
    _exit(out == NULL || memory_failures() ? STATUS_NO_MEMORY : status);
}

static pid_t start(const struct options *options, const char *file, struct stream streams[STREAMS])
{
    int fds[STREAMS][2], writers[STREAMS];
    for (int i = 0; i < STREAMS; i++) {
        if (pipe2(fds[i], O_CLOEXEC) != 0) {
            while (i-- > 0)
                close(writers[i]);
            return -1;
        }
        streams[i].fd = fds[i][0];
        writers[i] = fds[i][1];
        fcntl(fds[i][0], F_SETFL, O_NONBLOCK);
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        be_child(options, file, writers);
    for (int i = 0; i < STREAMS; i++)
        close(writers[i]);
    if (pid > 0)
        setpgid(pid, pid); /* whoever comes first */
    return pid;
}

/* ---- What comes back ------------------------------------------------------------------------------- */

static bool has_room(struct stream *stream)
{
    if (stream->bytes < stream->room)
        return true;
    size_t room = stream->room ? 2 * stream->room : 1 << 14;
    room = room < stream->most ? room : stream->most;
    char *grown = room > stream->bytes ? memory_grow(stream->text, room + 1) : NULL;
    if (grown == NULL)
        return false;
    stream->text = grown;
    stream->room = room;
    return true;
}

/* Takes what is there; what is too much is read and forgotten, so that nobody waits for us. */
static void drain(struct stream *stream)
{
    char unwanted[4096];
    while (!stream->has_ended) {
        bool keeps = has_room(stream);
        ssize_t got = read(stream->fd, keeps ? stream->text + stream->bytes : unwanted,
                           keeps ? stream->room - stream->bytes : sizeof unwanted);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EAGAIN)
            return;
        stream->has_ended = got <= 0;
        if (keeps && got > 0)
            stream->bytes += (size_t)got;
        else if (got > 0)
            stream->is_long = true;
        if (stream->text)
            stream->text[stream->bytes] = '\0';
    }
}

/* Reads until the report's pipe is closed, which only the process itself holds; false: time is over. */
static bool listen_until(struct stream streams[STREAMS], int64_t deadline_ms)
{
    while (!streams[REPORT].has_ended) {
        struct pollfd polled[STREAMS];
        int64_t left = deadline_ms - now_ms();
        if (left <= 0)
            return false;
        for (int i = 0; i < STREAMS; i++)
            polled[i] =
                (struct pollfd){.fd = streams[i].has_ended ? -1 : streams[i].fd, .events = POLLIN};
        if (poll(polled, STREAMS, (int)left) < 0 && errno != EINTR)
            return false;
        for (int i = 0; i < STREAMS; i++)
            drain(&streams[i]);
    }
    return true;
}

/* ---- The end --------------------------------------------------------------------------------------- */

/* Asks all of the group to end, compilers and their parts too, which then remove their files; and makes
 * those that do not. */
static void stop(pid_t pid, int *status)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000};
    bool has_ended = false;
    kill(-pid, SIGTERM);
    for (int waited = 0; waited < GRACE_MS && kill(-pid, 0) == 0; waited += STEP_MS) {
        has_ended = has_ended || waitpid(pid, status, WNOHANG) == pid;
        nanosleep(&step, NULL);
    }
    kill(-pid, SIGKILL);
    if (!has_ended)
        waitpid(pid, status, 0);
}

static void wait_for(pid_t pid, int *status)
{
    while (waitpid(pid, status, 0) < 0 && errno == EINTR) {
    }
    kill(-pid, SIGKILL); /* processes that the program has left behind */
}

/* Why there is no report, unless the messages end with it. */
static void say_why(struct attempt *attempt, int status, bool in_time, unsigned timeout_s,
                    bool has_all_messages)
{
    if (!in_time)
        snprintf(attempt->reason, sizeof attempt->reason,
                 "it did not end within %u seconds (compiling, running and judging)", timeout_s);
    else if (WIFSIGNALED(status))
        snprintf(attempt->reason, sizeof attempt->reason, "warplens was ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (attempt->messages == NULL || !has_all_messages)
        snprintf(attempt->reason, sizeof attempt->reason, "warplens ended with status %d%s",
                 WEXITSTATUS(status),
                 has_all_messages ? "" : ", after more than 64 KB of messages");
}

/* Which is no fault of the file's. */
static bool is_without_memory(int status)
{
    return WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NO_MEMORY;
}

bool attempt_run(struct attempt *attempt, const struct options *options, const char *file,
                 unsigned timeout_s)
{
    struct stream streams[STREAMS] = {[REPORT] = {.fd = -1, .most = SHEET_FILE_BYTES},
                                      [OUTPUT] = {.fd = -1, .most = ATTEMPT_OUTPUT_BYTES},
                                      [MESSAGES] = {.fd = -1, .most = ATTEMPT_MESSAGES_BYTES}};
    int status = 0;
    *attempt = (struct attempt){.is_program = cu_build_takes(file)};
    pid_t pid = start(options, file, streams);
    bool in_time = pid > 0 && listen_until(streams, now_ms() + (int64_t)timeout_s * 1000);
    if (pid > 0)
        (in_time ? wait_for : stop)(pid, &status);
    for (int i = 0; i < STREAMS && pid > 0; i++)
        drain(&streams[i]);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].fd >= 0)
            close(streams[i].fd);
    attempt->report = streams[REPORT].text;
    attempt->report_bytes = streams[REPORT].bytes;
    attempt->output = streams[OUTPUT].text;
    attempt->output_bytes = streams[OUTPUT].bytes;
    attempt->messages = streams[MESSAGES].text;
    if (!in_time || status || streams[REPORT].is_long) { /* a part of a report is none */
        free(attempt->report);
        attempt->report = NULL;
    }
    if (attempt->report == NULL)
        say_why(attempt, status, in_time, timeout_s, !streams[MESSAGES].is_long);
    if (pid < 0)
        usage_error(options->command, "%s: cannot start a process: %s", file, strerror(errno));
    else if (is_without_memory(status))
        usage_error(options->command, "%s: no memory to run and judge it", file);
    return pid > 0 && !is_without_memory(status);
}

void attempt_free(struct attempt *attempt)
{
    free(attempt->report);
    free(attempt->output);
    free(attempt->messages);
}
