/* source.c - operand -> source. */
#define _GNU_SOURCE
#include "cli/inputs/source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

bool source_is_file(const char *operand)
{
    return strcmp(operand, "-") == 0 || strpbrk(operand, "./");
}

int source_check_file(const char *command, const char *operand)
{
    if (!source_is_file(operand) || strcmp(operand, "-") == 0 || access(operand, R_OK) == 0)
        return EXIT_OK;
    usage_error(command, "%s: %s", operand, strerror(errno));
    return EXIT_IO;
}

int source_open(struct opened_source *opened, const struct options *options,
                const struct gallery_kernel *kernel, const struct gallery_args *args,
                const struct session_gpu *gpu)
{
    const struct trace_file_options how = {
        .format = options->from, .map = options->map, .shows_progress = true};
    if (kernel->run == NULL && cu_build_takes(kernel->name)) {
        opened->kind = SOURCE_PROGRAM;
        opened->source = program_source(&opened->program);
        return program_source_open(&opened->program, options, kernel->name, &gpu->arch,
                                   gpu->model->title);
    }
    if (kernel->run == NULL)
        return source_open_trace(opened, options->command, kernel->name, &how);
    opened->kind = SOURCE_KERNEL;
    opened->gallery = (struct gallery_run){kernel, args};
    opened->source = gallery_source(&opened->gallery);
    return EXIT_OK;
}

int source_open_trace(struct opened_source *opened, const char *command, const char *path,
                      const struct trace_file_options *options)
{
    const char *error = trace_file_open(&opened->file, path, options);
    if (error) {
        usage_error(command, "%s", error);
        return opened->file.is_io ? EXIT_IO : EXIT_USAGE;
    }
    opened->kind = SOURCE_TRACE;
    opened->source = trace_file_source(&opened->file);
    return EXIT_OK;
}

bool source_launched_nothing(const struct opened_source *opened)
{
    const struct program_source *program = &opened->program;
    if (opened->kind != SOURCE_PROGRAM || program->status || program->file.guard.launches)
        return false;
    usage_error(program->options->command,
                "%s: the program launched no kernel: there is nothing to report", program->path);
    return true;
}

bool source_program_failed(const struct opened_source *opened)
{
    return opened->kind == SOURCE_PROGRAM && opened->program.status;
}

int source_close(struct opened_source *opened)
{
    if (opened->kind == SOURCE_PROGRAM)
        return program_source_close(&opened->program);
    if (opened->kind != SOURCE_TRACE)
        return EXIT_OK;
    trace_file_close(&opened->file);
    return opened->file.is_io ? EXIT_IO : EXIT_OK;
}
