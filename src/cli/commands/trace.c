/* trace.c - `warplens trace`: traces in and out. Everything streams. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/inputs/choose.h"
#include "cli/commands/commands.h"
#include "cli/commands/output.h"
#include "cli/inputs/source.h"
#include "cli/inputs/watch.h"
#include "cli/commands/trace_check.h"
#include "cli/commands/trace_info.h"
#include "stream/fault_watch.h"
#include "text/memory.h"
#include "text/progress.h"
#include "trace_io/join.h"

/* ---- Where a trace goes ---------------------------------------------------------------------- */

struct trace_output {
    struct output output;
    struct trace_writer writer;
};

static int output_format(const struct options *options, const char *otherwise,
                         const struct trace_format **format)
{
    *format = trace_format_named(options->trace_format ? options->trace_format : otherwise);
    if (options->trace_format == NULL && options->output && trace_format_of_path(options->output))
        *format = trace_format_of_path(options->output);
    if ((*format)->open == NULL)
        return usage_error("trace", "--format %s: traces of this form can only be read",
                           (*format)->name);
    return EXIT_OK;
}

static int open_output(struct trace_output *out, const struct options *options,
                       const char *otherwise)
{
    const struct trace_format *format;
    int status = output_format(options, otherwise, &format);
    if (status)
        return status;
    if (format->makes_directory && options->output == NULL)
        return usage_error("trace", "--format %s makes a directory: name it with -o", format->name);
    if (options->output == NULL && isatty(STDOUT_FILENO) && strcmp(format->name, "binary") == 0)
        return usage_error("trace", "a binary trace is not for a terminal: name a file with -o, or "
                                    "pass it on with |");
    status = output_open(&out->output, format->makes_directory ? NULL : options->output);
    if (status || format->open(&out->writer, out->output.stream, options->output))
        return status;
    output_discard(&out->output);
    return usage_error("trace", "no memory for the trace, or its directory cannot be made");
}

/* Ends the trace. A writer's message is the writer's: it is said before that is freed. */
static int end_trace(struct trace_output *out)
{
    const char *error = out->writer.end(out->writer.state);
    return error && !ferror(out->output.stream) ? usage_error("trace", "%s", error) : EXIT_OK;
}

/* Ends the trace, or gives it up when something has gone wrong with what it was made from. */
static int close_output(struct trace_output *out, int status)
{
    if (status == EXIT_OK)
        status = end_trace(out);
    out->writer.free(out->writer.state);
    if (status == EXIT_OK)
        return output_close(&out->output);
    output_discard(&out->output);
    return status;
}

/* ---- Where it comes from --------------------------------------------------------------------- */

/* A form of trace that has no launches without steps cannot hold one that repeats another. */
struct whole_watch {
    struct fault_watch faults; /* first: it is the sink's context */
    bool has_repeats;
};

static bool refuse_repeat(void *context, const struct trace_left_out *launch)
{
    struct whole_watch *watch = context;
    watch->has_repeats |= launch->repeats > 0;
    return launch->repeats == 0;
}

/* Gives all of a job's run to the sink. `writes`: that goes on writing the command's output. *has_stopped: a kernel
 * or the program has failed, which its trace says; the status is that of the trace. */
static int run_job(const struct options *options, const struct job *job,
                   const struct session_gpu *gpu, const struct trace_sink *sink, bool writes,
                   bool *has_stopped)
{
    struct opened_source *opened = memory_take(1, sizeof *opened);
    if (opened == NULL)
        return usage_error("trace", "no memory for a file");
    watch_start(options, job, 1, writes);
    watch_job(job, NULL, 0);
    int status = source_open(opened, options, job, gpu);
    if (status == EXIT_OK) {
        const bool is_kernel = job->input.kind == INPUT_KERNEL;
        struct whole_watch watch = {0};
        struct trace_sink watched = fault_watch_sink(&watch.faults, sink);
        if (!sink->takes_repeats)
            watched.launch_left_out = refuse_repeat;
        const char *error = opened->source.run(opened->source.context, &watched);
        *has_stopped |= watch.faults.has_stopped;
        if (watch.has_repeats)
            error = "a launch that only says which one it repeats: binary traces alone can hold "
                    "that; record the program with --trace-repeats";
        if (error)
            status = usage_error("trace", "%s%s%s", is_kernel ? job->input.kernel->name : "",
                                 is_kernel ? ": " : "", error);
        const int closed = source_close(opened);
        status = closed == EXIT_IO ? closed : status;
    }
    progress_end();
    free(opened);
    return status;
}

static int run_trace(const struct options *options, const char *path, const struct trace_sink *sink,
                     bool writes, bool *has_stopped)
{
    const struct job job = {.input = {.kind = INPUT_TRACE, .path = path}};
    return run_job(options, &job, NULL, sink, writes, has_stopped);
}

static int run_program(const struct options *options, const char *path,
                       const struct trace_sink *sink, bool *has_stopped)
{
    const struct job job = {.input = {.kind = INPUT_PROGRAM, .path = path}};
    struct gpu_choice gpus;
    int status = choose_gpus(&gpus, options);
    return status ? status : run_job(options, &job, &gpus.gpus[0], sink, true, has_stopped);
}

static int run_kernel(const struct options *options, const char *name,
                      const struct trace_sink *sink)
{
    struct job_list list;
    int status = choose_jobs(&list, options, &name, 1);
    if (status)
        return status;
    if (list.count != 1)
        return usage_error("trace", "record takes one value for each parameter");
    bool never = false; /* a kernel of the gallery that fails is an error */
    return run_job(options, &list.jobs[0], NULL, sink, true, &never);
}

/* ---- The actions ----------------------------------------------------------------------------- */

static int record(const struct options *options)
{
    struct trace_output out;
    const char *operand = options->operands[1];
    bool has_stopped = false;
    int status = open_output(&out, options, "binary");
    if (status)
        return status;
    switch (input_kind_of(operand)) {
    case INPUT_KERNEL:
        status = run_kernel(options, operand, &out.writer.sink);
        break;
    case INPUT_PROGRAM:
        status = run_program(options, operand, &out.writer.sink, &has_stopped);
        break;
    case INPUT_TRACE:
        status = run_trace(options, operand, &out.writer.sink, true, &has_stopped);
        break;
    }
    status = close_output(&out, status);
    return status == EXIT_OK && has_stopped ? EXIT_USAGE : status;
}

/* Gives the operands' runs to the sink as one. What each of them may have, all together may not. */
static int run_joined(const struct options *options, const struct trace_sink *sink)
{
    struct join join;
    struct guard guard;
    int status = EXIT_OK;
    guard_start(&guard, sink);
    const struct trace_sink guarded = guard_sink(&guard);
    join_start(&join, &guarded);
    const struct trace_sink joined = join_sink(&join);
    for (size_t i = 1; i < options->operand_count && status == EXIT_OK; i++) {
        join_next(&join);
        bool has_stopped = false; /* the trace says so, and so will the one that is written */
        status = run_trace(options, options->operands[i], &joined, true, &has_stopped);
        if (status == EXIT_OK && guard.message[0])
            status = usage_error("trace", "%s, joined to those before: %s", options->operands[i],
                                 guard.message);
    }
    guard_free(&guard);
    return status;
}

static int join_files(const struct options *options, const char *otherwise)
{
    struct trace_output out;
    int status = open_output(&out, options, otherwise);
    return status ? status : close_output(&out, run_joined(options, &out.writer.sink));
}

static int convert(const struct options *options)
{
    return join_files(options, "binary");
}

static int cat(const struct options *options)
{
    return join_files(options, "text");
}

static int show_info(const struct options *options)
{
    struct trace_info *info = trace_info_new();
    struct output output;
    if (info == NULL)
        return usage_error("trace", "no memory for the trace's sums");
    const struct trace_sink sink = trace_info_sink(info);
    bool has_stopped = false; /* which it prints */
    int status = run_trace(options, options->operands[1], &sink, false, &has_stopped);
    if (status == EXIT_OK)
        status = output_open(&output, options->output);
    if (status == EXIT_OK) {
        trace_info_print(info, options->operands[1], output.stream);
        status = output_close(&output);
    }
    trace_info_free(info);
    return status;
}

static const struct command_action actions[] = {
    {"record", "KERNEL|FILE.cu", record, 1, 1},
    {"info", "FILE", show_info, 1, 1},
    {"check", "FILE", trace_check, 1, 1},
    {"convert", "FILE...", convert, 1, OPTION_LIST_MAX},
    {"cat", "FILE...", cat, 1, OPTION_LIST_MAX},
    {0},
};

static int unknown_action(const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    for (const struct command_action *action = actions; action->name; action++)
        nearest_offer(&nearest, action->name);
    return usage_error("trace", "unknown action %s%s; `warplens trace --help` lists them", name,
                       nearest_text(&nearest, text));
}

static int do_trace(const struct options *options)
{
    if (options->operand_count == 0)
        return usage_error("trace", "needs an action; `warplens trace --help` lists them");
    for (const struct command_action *action = actions; action->name; action++) {
        size_t given = options->operand_count - 1;
        if (strcmp(options->operands[0], action->name) != 0)
            continue;
        if (given < action->least || given > action->most)
            return usage_error("trace", "%s takes %s", action->name, action->operands);
        return action->run(options);
    }
    return unknown_action(options->operands[0]);
}

const struct command command_trace = {
    .name = "trace",
    .operands = "ACTION ...",
    .actions = actions,
    .help = "traces in and out",
    .bit = COMMAND_TRACE,
    .run = do_trace,
    .about =
        "Everything streams: `-` is standard input, memory stays bounded.\n\n"
        "  warplens trace record NAME -o FILE       runs a kernel or FILE.cu, keeps its accesses\n"
        "  warplens trace info FILE                 what is in a trace\n"
        "  warplens trace check FILE                what is wrong with a trace\n"
        "  warplens trace convert FILE... -o FILE   writes traces, joined, in another form\n"
        "  warplens trace cat FILE...               writes them as text\n\n"
        "Forms of traces: binary (FILE.wlt; small, nothing is lost), text (FILE.wlt.txt; to be "
        "written\n"
        "by hand), csv (FILE.csv; --map for other programs' columns), accelsim (kernelslist.g with "
        "its\n"
        ".traceg files; written into a directory), nvbit (what mem_trace prints; read only). "
        "`run`,\n"
        "`compare`, `sweep` and `explain FILE:LINE` take any of them in place of a kernel.",
};
