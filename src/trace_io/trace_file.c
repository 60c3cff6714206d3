/* trace_file.c - file -> reader -> guard -> names made printable -> sink. */
#include "trace_io/trace_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "stream/printable.h"
#include "text/memory.h"
#include "text/progress.h"

enum { HEAD_BYTES = 4096 };

static const char *fail(struct trace_file *file, const char *path, const char *what)
{
    snprintf(file->message, sizeof file->message, "%s: %s", path, what);
    return file->message;
}

static uint64_t size_of(FILE *stream)
{
    struct stat status;
    bool known = fstat(fileno(stream), &status) == 0 && S_ISREG(status.st_mode);
    return known ? (uint64_t)status.st_size : 0;
}

void trace_file_start(struct trace_file *file, FILE *stream, const char *name,
                      const struct trace_format *format, const struct trace_file_options *options)
{
    file->options = *options;
    file->format = format;
    file->message[0] = '\0';
    file->file_bytes = size_of(stream);
    input_start(&file->input, stream, name);
}

static const struct trace_format *find_format(struct trace_file *file)
{
    const char *head;
    if (file->options.format)
        return trace_format_named(file->options.format);
    size_t bytes = input_peek(&file->input, &head, HEAD_BYTES);
    return trace_format_of_head(head, bytes);
}

const char *trace_file_open_stream(struct trace_file *file, FILE *stream, const char *name,
                                   const struct trace_file_options *options)
{
    trace_file_start(file, stream, name, NULL, options);
    file->is_io = false;
    input_skip_mark(&file->input);
    file->format = find_format(file);
    if (file->format)
        return NULL;
    file->is_io = file->input.failed;
    const char *what = file->input.failed ? strerror(errno ? errno : EIO)
                                          : "is no trace of a form that warplens knows; `warplens "
                                            "trace --help` lists them";
    return fail(file, name, what);
}

const char *trace_file_open(struct trace_file *file, const char *path,
                            const struct trace_file_options *options)
{
    bool is_stdin = strcmp(path, "-") == 0;
    file->is_io = false;
    struct stat status;
    if (!is_stdin && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return fail(file, path, "is a directory; a trace is a file");
    FILE *stream = is_stdin ? stdin : memory_open_file(path, "rb");
    if (stream == NULL) {
        file->is_io = true;
        return fail(file, path, strerror(errno));
    }
    if (trace_file_open_stream(file, stream, is_stdin ? "standard input" : path, options) == NULL)
        return NULL;
    trace_file_close(file);
    return file->message;
}

static const char *run_file(void *context, const struct trace_sink *sink)
{
    struct trace_file *file = context;
    struct printable printable = {.filter.next = sink};
    const struct trace_sink shown = printable_sink(&printable);
    guard_start(&file->guard, &shown);
    const struct trace_sink guarded = file->options.unguarded ? *sink : guard_sink(&file->guard);
    progress_file(file->format->has_parts ? 0 : file->file_bytes);
    const char *unrecorded = file->format->unrecorded;
    const char *error = NULL;
    if (unrecorded == NULL || sink_note(&shown, NOTE_UNRECORDED, unrecorded))
        error = file->format->read(file, &guarded);
    guard_free(&file->guard);
    printable_stop(&printable);
    file->is_io = ferror(file->input.stream) != 0;
    if (error == NULL && printable.failed)
        return fail(file, file->input.name, "no memory for its names");
    if (error || file->guard.message[0] == '\0')
        return error;
    if (file->input.line)
        snprintf(file->message, sizeof file->message, "%s:%llu: %s", file->input.name,
                 (unsigned long long)file->input.line, file->guard.message);
    else
        snprintf(file->message, sizeof file->message, "%s: %s", file->input.name,
                 file->guard.message);
    return file->message;
}

struct trace_source trace_file_source(struct trace_file *file)
{
    return (struct trace_source){.context = file, .run = run_file};
}

void trace_file_close(struct trace_file *file)
{
    if (file->input.stream != stdin)
        fclose(file->input.stream);
    file->input.stream = NULL;
}
