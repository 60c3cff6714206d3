/* program_source.c - decisions. What the program writes to standard output goes there too, in front of
 * the report, but not when that is JSON or CSV for another program: then it goes to standard error.
 * A program that fails is reported all the same, without the launch that has not ended; its status makes
 * ours. A program is not believed to end when it says so: one that dies within a launch, or goes on as another
 * one, ends with a fault that is made here.
 */
#define _GNU_SOURCE
#include "cli/inputs/program_source.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inputs/launches_chosen.h"
#include "cli/inputs/source.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Once: commands that compile several programs, or one several times, would say it again. */
static void tell_note(const struct options *options, const char *note)
{
    static char told[sizeof((struct cu_built *)0)->note];
    if (*note && strcmp(told, note) != 0) {
        usage_error(options->command, "%s", note);
        snprintf(told, sizeof told, "%s", note);
    }
}

int program_source_open(struct program_source *program, const struct options *options,
                        const char *path, const struct arch *arch, const char *gpu_title)
{
    static const enum cu_accesses accesses[] = {[ACCESSES_SOURCE] = CU_ACCESSES_SOURCE,
                                                [ACCESSES_SOURCE_IF_KNOWN] =
                                                    CU_ACCESSES_SOURCE_IF_KNOWN};
    const char *files[1 + OPTION_LIST_MAX] = {path};
    int status = confined_choose(&program->confined, options);
    const struct confinement *confinement =
        program->confined.is_wanted ? &program->confined.how : NULL;
    if (status)
        return status;
    memcpy(files + 1, options->with.items, options->with.count * sizeof files[0]);
    const struct cu_request request = {.files = files,
                                       .file_count = 1 + options->with.count,
                                       .options = options->compiler_options.items,
                                       .sm = (int)arch->sm,
                                       .accesses = accesses[options->accesses],
                                       .fmad = options->fmad,
                                       .nvcc = options->nvcc,
                                       .confinement = confinement};
    program->path = path;
    program->options = options;
    program->arch = arch;
    program->gpu_title = gpu_title;
    program->status = 0;
    program->stopped = NULL;
    program->watch.has_stopped = false;
    if (cu_build(&request, &program->built)) {
        tell_note(options, program->built.note);
        return EXIT_OK;
    }
    usage_error(options->command, "%s%s", program->built.error,
                program->built.messages ? "; it says:" : "");
    if (program->built.messages)
        fputs(program->built.messages, stderr);
    free(program->built.messages);
    return program->built.status;
}

static const char *fail(struct program_source *program, const char *what)
{
    snprintf(program->message, sizeof program->message, "%s: %s", program->path, what);
    return program->message;
}

/* Gives the program's end as a fault, when it has failed and no fault has said so. */
static void give_end(struct program_source *program, const struct trace_sink *sink,
                     bool has_ended_trace)
{
    char text[PROGRAM_MESSAGE_BYTES];
    const int status = program->status;
    const char *name = base_name(program->path);
    const bool in_launch = program->file.guard.in_launch;
    if (program->watch.has_stopped || (has_ended_trace && status == 0))
        return;
    if (program->stopped)
        snprintf(text, sizeof text, "%s: the program was stopped: %s", name, program->stopped);
    else if (status > 128)
        snprintf(text, sizeof text, "%s: the program was ended by signal %d (%s)%s", name,
                 status - 128, strsignal(status - 128), in_launch ? " within a launch" : "");
    else if (status || in_launch)
        snprintf(text, sizeof text, "%s: the program ended with status %d%s", name, status,
                 in_launch ? " within a launch" : "");
    else
        snprintf(text, sizeof text,
                 "%s: the program went on as another one (exec), or ended without the C library",
                 name);
    sink_fault(sink, &(struct trace_fault){.kind = FAULT_STOPPED,
                                           .stops = true,
                                           .count = 1,
                                           .file = "?",
                                           .array = "",
                                           .text = text});
}

/* What a program of several threads is run with. */
static bool note_threads(const struct program_source *program, const struct trace_sink *sink)
{
    return !program->built.has_openmp || sink_note(sink, "param.openmp", "one host thread");
}

/* The program's arguments, as a parameter of the run. */
static bool note_arguments(const struct options *options, const struct trace_sink *sink)
{
    char text[256];
    size_t used = 0;
    const char *const *arguments = options->program_arguments;
    for (size_t i = 0; arguments && arguments[i] && used < sizeof text; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", arguments[i]);
    return used == 0 || sink_note(sink, "param.arguments", text);
}

static const char *run_program(void *context, const struct trace_sink *sink)
{
    static const struct trace_file_options how = {.format = "binary"};
    struct program_source *program = context;
    const struct options *options = program->options;
    struct cu_program child;
    bool quiet = options->command_writes_data;
    char launches[LAUNCH_CHOICE_BYTES];
    const struct cu_tracing tracing = {
        .wants_values = sink->wants_values,
        .keeps_accesses = program->built.keeps_accesses,
        .takes_repeats = sink->takes_repeats && !options->trace_repeats,
        .launches = launches_chosen_write(options, launches) ? launches : NULL,
        .timeout_s = options->timeout_s};
    if (!launches_chosen_note(options, sink) ||
        !sink_note(sink, "kernel", base_name(program->path)) ||
        !sink_note(sink, "compiler", program->built.compiler) ||
        (*program->built.nvcc && !sink_note(sink, "nvcc", program->built.nvcc)) ||
        !note_arguments(options, sink) || !note_threads(program, sink))
        return NULL;
    fflush(stdout);
    if (!cu_start(&child, program->built.path, program->path, options->program_arguments,
                  program->arch, program->gpu_title, quiet, &tracing,
                  program->confined.is_wanted ? &program->confined.how : NULL))
        return fail(program, child.error);
    trace_file_start(&program->file, child.trace, program->path, trace_format_named("binary"),
                     &how);
    const struct trace_sink watched = fault_watch_sink(&program->watch, sink);
    const struct trace_source source = trace_file_source(&program->file);
    const char *error = source.run(source.context, &watched);
    program->status = cu_wait(&child);
    program->stopped = child.stopped;
    if (program->status == 128 + SIGPIPE) { /* we gave up first, and that ended the program */
        program->status = 0;
        return error;
    }
    if (program->file.guard.message[0])
        return error;
    give_end(program, &watched, error == NULL);
    return NULL;
}

struct trace_source program_source(struct program_source *program)
{
    return (struct trace_source){.context = program, .run = run_program};
}

/* Threads that race come in one order here, and mostly in another one on a GPU. */
#define RESULTS_ADVICE                                                                             \
    "; where its results are wrong, warplens check says what in its kernels depends on the order " \
    "of threads"

/* A fault that is in a kernel the program has said itself. */
int program_source_close(struct program_source *program)
{
    const char *path = program->path, *command = program->options->command;
    const int status = program->status;
    cu_build_close(&program->built);
    if (program->stopped)
        return usage_error(command, "%s: the program was stopped: %s", path, program->stopped);
    if (status > 128)
        return usage_error(command, "%s: the program was ended by signal %d (%s)%s", path,
                           status - 128, strsignal(status - 128),
                           program->confined.is_wanted
                               ? "; it ran confined, and docs/confinement.md says what it may not"
                               : "");
    if (status)
        return usage_error(command, "%s: the program ended with status %d%s", path, status,
                           strcmp(command, "check") == 0 ? "" : RESULTS_ADVICE);
    if (program->watch.has_stopped)
        return usage_error(
            command, "%s: the run failed: the report has what was complete before, and why", path);
    return EXIT_OK;
}
