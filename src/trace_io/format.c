/* format.c - the table of formats. */
#include "trace_io/format.h"

#include <string.h>

#include "trace_io/binary_read.h"
#include "trace_io/binary_write.h"
#include "trace_io/trace_file.h"

/* ---- binary ---------------------------------------------------------------------------------- */

static const char *read_binary(struct trace_file *file, const struct trace_sink *sink)
{
    return binary_trace_read(&file->input, sink);
}

static const char *end_binary(void *state)
{
    return binary_writer_end(state);
}

static void free_binary(void *state)
{
    binary_writer_free(state);
}

static bool open_binary(struct trace_writer *writer, FILE *out, const char *path)
{
    struct binary_writer *binary = binary_writer_new(out);
    (void)path;
    if (binary == NULL)
        return false;
    *writer = (struct trace_writer){binary_writer_sink(binary), binary, end_binary, free_binary};
    return true;
}

const struct trace_format trace_formats[] = {
    {.name = "binary",
     .suffix = ".wlt",
     .about = "small and fast, nothing is lost",
     .is = binary_trace_is,
     .read = read_binary,
     .open = open_binary},
};
const size_t trace_format_count = sizeof trace_formats / sizeof trace_formats[0];

const struct trace_format *trace_format_named(const char *name)
{
    for (size_t i = 0; i < trace_format_count; i++)
        if (strcmp(trace_formats[i].name, name) == 0)
            return &trace_formats[i];
    return NULL;
}

const struct trace_format *trace_format_of_path(const char *path)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < trace_format_count; i++) {
        size_t tail = strlen(trace_formats[i].suffix);
        if (length > tail && strcmp(path + length - tail, trace_formats[i].suffix) == 0)
            return &trace_formats[i];
    }
    return NULL;
}

const struct trace_format *trace_format_of_head(const char *head, size_t bytes)
{
    for (size_t i = 0; i < trace_format_count; i++)
        if (trace_formats[i].is(head, bytes))
            return &trace_formats[i];
    return NULL;
}
