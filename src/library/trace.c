/* trace.c - a trace file or stream -> the run's results. */
#include "library/library.h"

#include "trace_io/trace_file.h"

static bool format_is_known(struct warplens_run *run, const char *name)
{
    struct nearest nearest = nearest_start(name);
    char text[NEAREST_TEXT_BYTES];
    if (trace_format_named(name))
        return true;
    for (size_t i = 0; i < trace_format_count; i++)
        nearest_offer(&nearest, trace_formats[i].name);
    return library_fail(run, "unknown trace format %.64s%s; `warplens trace --help` lists them",
                        name, nearest_text(&nearest, text));
}

/* Opens, runs and closes: a stream, or a path when there is none. */
static bool read_file(struct warplens_run *run, struct trace_file *file, FILE *stream,
                      const char *name, const struct trace_file_options *options)
{
    char message[SESSION_MESSAGE_BYTES];
    struct trace_sink sink;
    const char *error = stream ? trace_file_open_stream(file, stream, name, options)
                               : trace_file_open(file, name, options);
    if (error)
        return library_end(run, error);
    const struct trace_source source = trace_file_source(file);
    struct session *session = session_open(&run->request, run->results, &sink, message);
    error = session ? session_close(session, source.run(source.context, &sink), message) : message;
    bool fine = library_end(run, error);
    if (stream == NULL)
        trace_file_close(file);
    return fine;
}

static bool read_trace(struct warplens_run *run, FILE *stream, const char *name,
                       const struct warplens_trace_options *options)
{
    struct trace_file_options how = {0};
    if (options)
        how = (struct trace_file_options){.format = options->format, .map = options->map};
    if (!library_is_in(run, LIBRARY_SETTING_UP, "read a trace") ||
        (how.format && !format_is_known(run, how.format)) || !library_begin(run))
        return false;
    struct trace_file *file = malloc(sizeof *file);
    bool fine = file ? read_file(run, file, stream, name, &how)
                     : library_end(run, "no memory for reading a trace");
    free(file);
    return fine;
}

bool warplens_read_trace(struct warplens_run *run, const char *path,
                         const struct warplens_trace_options *options)
{
    if (path == NULL)
        return library_fail(run, "a trace without a path");
    return read_trace(run, NULL, path, options);
}

bool warplens_read_stream(struct warplens_run *run, FILE *stream, const char *name,
                          const struct warplens_trace_options *options)
{
    if (stream == NULL)
        return library_fail(run, "a trace without a stream");
    return read_trace(run, stream, name ? name : "the stream", options);
}
