/* source.c - input -> source. */
#define _GNU_SOURCE
#include "cli/inputs/source.h"

#include "cli/inputs/launches_chosen.h"
#include "report/faults.h"

/* A program is told which launches are wanted; of others they are left out here. */
static void choose_launches(struct opened_source *opened, const struct options *options)
{
    const struct launch_choice choice = launches_chosen(options);
    if (launch_choice_is_all(&choice))
        return;
    launches_chosen_text(options, opened->chosen);
    opened->source = select_source(&opened->select, opened->source, &choice, opened->chosen);
}

int source_open(struct opened_source *opened, const struct options *options, const struct job *job,
                const struct session_gpu *gpu)
{
    const int status = launches_chosen_check(options);
    if (status)
        return status;
    opened->options = options;
    opened->input = job->input;
    if (options->accesses == ACCESSES_SOURCE && job->input.kind != INPUT_PROGRAM)
        return usage_error(
            options->command,
            "%s: --accesses source is for CUDA programs, which are compiled when they run; %s",
            input_name(&job->input),
            job->input.kind == INPUT_TRACE ? "a trace has the accesses that it was recorded with"
                                           : "the gallery's kernels are compiled as nvcc has them");
    switch (job->input.kind) {
    case INPUT_TRACE:
        return source_open_trace(opened, options, job->input.path, false);
    case INPUT_PROGRAM:
        opened->source = program_source(&opened->program);
        return program_source_open(&opened->program, options, job->input.path, &gpu->arch,
                                   gpu->model->title);
    case INPUT_KERNEL:
        opened->gallery = (struct gallery_run){job->input.kernel, &job->args};
        opened->source = gallery_source(&opened->gallery);
        choose_launches(opened, options);
    }
    return EXIT_OK;
}

int source_open_trace(struct opened_source *opened, const struct options *options, const char *path,
                      bool unguarded)
{
    const struct trace_file_options how = {
        .format = options->from, .map = options->map, .unguarded = unguarded};
    const char *error = trace_file_open(&opened->file, path, &how);
    if (error) {
        usage_error(options->command, "%s", error);
        return opened->file.is_io ? EXIT_IO : EXIT_USAGE;
    }
    opened->options = options;
    opened->input = (struct input){.kind = INPUT_TRACE, .path = path};
    opened->source = trace_file_source(&opened->file);
    choose_launches(opened, options);
    return EXIT_OK;
}

int source_fail(const struct opened_source *opened, const char *error)
{
    const char *command = opened->options->command, *name = input_name(&opened->input);
    switch (opened->input.kind) {
    case INPUT_KERNEL:
        return usage_error(command, "%s: %s", name, error);
    case INPUT_PROGRAM:
        if (opened->program.file.guard.launch_count == 0 &&
            opened->program.file.guard.message[0] == '\0') {
            usage_error(command, "%s: the program launched no kernel%s: there is nothing to report",
                        name,
                        opened->program.file.guard.has_libraries
                            ? " but those of libraries, which are not traced"
                            : "");
            return EXIT_OK;
        }
        break;
    case INPUT_TRACE:
        break;
    }
    return usage_error(command, "%s", error);
}

int source_close(struct opened_source *opened)
{
    switch (opened->input.kind) {
    case INPUT_PROGRAM:
        return program_source_close(&opened->program);
    case INPUT_TRACE:
        trace_file_close(&opened->file);
        return opened->file.is_io ? EXIT_IO : EXIT_OK;
    case INPUT_KERNEL:
        break;
    }
    return EXIT_OK;
}

int source_check_stop(const struct opened_source *opened, const struct run_info *info)
{
    const struct run_fault *stop = run_info_stop(info);
    if (stop == NULL)
        return EXIT_OK;
    if (opened->input.kind == INPUT_TRACE)
        usage_error(opened->options->command, "%s: %s", input_name(&opened->input),
                    stop->fault.text);
    return EXIT_USAGE;
}

int source_tell_faults(const struct opened_source *opened, const struct run_info *info)
{
    struct text t;
    if (info->fault_count == 0 || info->has_stopped)
        return source_check_stop(opened, info);
    report_faults_line(info, &t);
    usage_error(opened->options->command, "%s: %s", input_name(&opened->input), t.s);
    return EXIT_OK;
}
