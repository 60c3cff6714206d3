/* program_source.c - decisions. What the program writes to standard output goes there too, in front of
 * the report, but not when that is JSON or CSV for another program: then it goes to standard error.
 * A program that fails when all its launches are complete is reported all the same; its status makes
 * ours.
 */
#define _GNU_SOURCE
#include "cli/inputs/program_source.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/inputs/source.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int program_source_open(struct program_source *program, const struct options *options,
                        const char *path, const struct arch *arch, const char *gpu_title)
{
    const char *files[1 + OPTION_LIST_MAX] = {path};
    memcpy(files + 1, options->with.items, options->with.count * sizeof files[0]);
    const struct cu_request request = {.files = files,
                                       .file_count = 1 + options->with.count,
                                       .options = options->compiler_options.items,
                                       .sm = (int)arch->sm};
    program->path = path;
    program->options = options;
    program->arch = arch;
    program->gpu_title = gpu_title;
    program->status = 0;
    program->has_ended_trace = false;
    if (cu_build(&request, &program->built))
        return EXIT_OK;
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

/* Why there is no complete trace; NULL when that is no reason not to report it. When the program has
 * ended badly, program_source_close says so. */
static const char *explain_end(struct program_source *program, const char *error)
{
    if (program->status == 128 + SIGPIPE) { /* we gave up first, and that ended the program */
        program->status = 0;
        return error;
    }
    if (error == NULL || (program->status && !program->file.guard.in_launch))
        return NULL;
    if (program->file.guard.in_launch)
        return fail(program, "a launch failed; the program has said why");
    return fail(
        program,
        "its trace is cut short: a launch failed, and the program has said why, or it went on as "
        "another program (exec)");
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
    if (!sink_note(sink, "kernel", base_name(program->path)) ||
        !sink_note(sink, "compiler", program->built.compiler) || !note_arguments(options, sink))
        return NULL;
    fflush(stdout);
    if (!cu_start(&child, program->built.path, program->path, options->program_arguments,
                  program->arch, program->gpu_title, quiet, sink->wants_values))
        return fail(program, strerror(errno));
    trace_file_start(&program->file, child.trace, program->path, trace_format_named("binary"),
                     &how);
    const struct trace_source source = trace_file_source(&program->file);
    const char *error = source.run(source.context, sink);
    program->status = cu_wait(&child);
    program->has_ended_trace = error == NULL;
    return explain_end(program, error);
}

struct trace_source program_source(struct program_source *program)
{
    return (struct trace_source){.context = program, .run = run_program};
}

int program_source_close(struct program_source *program)
{
    int status = program->status;
    cu_build_close(&program->built);
    if (status == 0)
        return EXIT_OK;
    if (status > 128)
        return usage_error(program->options->command, "%s: the program was ended by signal %d (%s)",
                           program->path, status - 128, strsignal(status - 128));
    return usage_error(program->options->command, "%s: the program ended with status %d",
                       program->path, status);
}
