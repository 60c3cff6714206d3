/* trace_texts.c - texts of traces for the tests of their reader. */
#define _GNU_SOURCE
#include "test_support.h"

#include <string.h>

#include "trace_texts.h"

static struct trace_input input;

static FILE *stream_of(const char *text, size_t bytes)
{
    FILE *file = bytes ? fmemopen((void *)(uintptr_t)text, bytes, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    return file;
}

/* Reads a text; the message, or NULL. */
const char *trace_text_read(const char *text, size_t bytes, const struct trace_sink *sink)
{
    FILE *file = stream_of(text, bytes);
    input_start(&input, file, "dir/t.txt");
    const char *error = text_trace_read(&input, sink);
    fclose(file);
    return error;
}

void trace_text_assert_error(const char *text, const char *expected)
{
    struct trace_stream stream;
    char whole[INPUT_MESSAGE_BYTES];
    trace_stream_start(&stream);
    const char *error = trace_text_read(text, strlen(text), &stream.sink);
    trace_stream_end(&stream);
    trace_stream_free(&stream);
    snprintf(whole, sizeof whole, "dir/t.txt:%s", expected);
    if (error == NULL)
        fail_msg("no error, instead of %s", whole);
    assert_string_equal(error, whole);
}
