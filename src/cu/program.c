/* program.c - the entry of a traced program: the tracer starts before main and stops at exit.
 *
 * The constructor runs before those of the program, which may already call CUDA, and the destructor
 * behind theirs. A program that is started by hand, without a descriptor for its trace, computes as
 * usual and is checked as usual.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cu/program.h"
#include "stream/select.h"
#include "tracer/engine.h"
#include "tracer/runtime/runtime.h"
#include "tracer/tracer.h"
#include "trace_io/binary/binary_write.h"

enum { FIRST = 101 }; /* of the priorities that programs have, 0 to 100 being the C library's */

/* ---- The sink --------------------------------------------------------------------------------- */

static FILE *stream;
static struct binary_writer *writer; /* NULL: nobody reads a trace */
static struct trace_sink sink;
static pid_t program_pid; /* a child that fork or vfork made has another */

/* Nobody reads a report: the line is all there is of what a GPU lets pass. */
static bool tell_fault(void *context, const struct trace_fault *fault)
{
    (void)context;
    if (!fault->stops)
        fprintf(stderr, "warplens: %s; %llu in all\n", fault->text,
                (unsigned long long)fault->count);
    return true;
}

static bool ignore_access(void *context, const struct warp_access *access)
{
    (void)context;
    (void)access;
    return true;
}

/* Launches that are complete reach the reader even if the program dies later. */
static bool write_launch_end(void *context, uint64_t shared_bytes_per_block)
{
    static struct trace_sink inner;
    if (inner.access == NULL)
        inner = binary_writer_sink(context);
    return sink_launch_end(&inner, shared_bytes_per_block) && binary_writer_flush(context);
}

static const struct trace_sink *sink_open(FILE *out)
{
    writer = out ? binary_writer_new(out) : NULL;
    sink = (struct trace_sink){.access = ignore_access, .fault = tell_fault};
    if (writer) {
        sink = binary_writer_sink(writer);
        sink.launch_end = write_launch_end;
        sink.wants_values = getenv("WARPLENS_TRACE_VALUES") != NULL;
        sink.takes_repeats = getenv("WARPLENS_TRACE_REPEATS") != NULL;
    }
    return &sink;
}

static void sink_finish(FILE *out)
{
    if (writer)
        binary_writer_end(writer);
    binary_writer_free(writer);
    writer = NULL;
    fclose(out);
}

/* ---- Start and end ---------------------------------------------------------------------------- */

/* A descriptor that is not open, or no number, is none. */
static FILE *stream_open(void)
{
    const char *text = getenv("WARPLENS_TRACE_FD");
    int fd = text ? atoi(text) : -1;
    if (fd <= 2 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0)
        return NULL;
    return fdopen(fd, "wb");
}

/* Which launches are wanted. */
static void select_open(void)
{
    static struct launch_select select;
    struct launch_choice choice;
    const char *text = getenv("WARPLENS_TRACE_LAUNCHES");
    if (stream == NULL || text == NULL || !launch_choice_read(&choice, text))
        return;
    launch_select_start(&select, &choice);
    tracer_set_select(&select);
}

/* Nothing of a forked child belongs in the trace, neither what is buffered nor launches of its own. It does
 * not outlive the program, which may be killed with warplens. */
static void leave_trace(void)
{
    if (stream)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (stream && nowhere >= 0)
        dup3(nowhere, fileno(stream), O_CLOEXEC);
    close(nowhere);
}

static __attribute__((constructor(FIRST))) void program_start(void)
{
    stream = stream_open();
    program_pid = getpid();
    if (stream) /* warplens may be killed, which it cannot tell us */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    pthread_atfork(NULL, NULL, leave_trace);
    program_catch_faults();
    program_catch_denied();
    tracer_set_program(true);
    tracer_set_joining(getenv("WARPLENS_TRACE_ACCESSES") == NULL);
    select_open();
    tracer_start(sink_open(stream));
}

void program_tell_error(void)
{
    static bool told;
    const char *error = tracer_error();
    if (error && !told) {
        fflush(stdout);
        fprintf(stderr, "warplens: %s\n", error);
    }
    told = told || error;
}

void program_end_trace(void)
{
    if (stream && getpid() == program_pid) {
        runtime_libraries_give();
        sink_finish(stream);
        stream = NULL;
    }
    tracer_stop();
}

static __attribute__((destructor(FIRST))) void program_end(void)
{
    if (engine.current)
        tracer_fail("%s: the kernel has ended the program; a thread of a kernel ends with return",
                    engine.kernel);
    if (engine.sink)
        faults_give();
    program_tell_error();
    program_end_trace();
}

/* In place of the C library's, which would leave the trace without its end. vfork's child shares our memory. */
_Noreturn void _exit(int status)
{
    if (getpid() == program_pid)
        program_end();
    for (;;)
        syscall(SYS_exit_group, status);
}

_Noreturn void _Exit(int status)
{
    _exit(status);
}
