/* trace_stream.h - keeps every call of a stream, to compare two streams exactly, and makes random
 * ones. For the tests of what reads and writes traces.
 */
#ifndef WARPLENS_TESTS_TRACE_STREAM_H
#define WARPLENS_TESTS_TRACE_STREAM_H

#include <stdio.h>

#include "trace/stream.h"

/* A line of text for each call, with every field; of addresses, those of active lanes. */
struct trace_stream {
    FILE *lines;
    char *text; /* owned; valid after trace_stream_end */
    size_t bytes;
    uint64_t calls;
    uint64_t call_limit; /* after so many calls it wants no more; 0: there is no limit */
    struct trace_sink sink;
};

void trace_stream_start(struct trace_stream *stream);
/* Completes the text; trace_stream_free gives it back. */
void trace_stream_end(struct trace_stream *stream);
void trace_stream_free(struct trace_stream *stream);

/* The test fails, with the first call that differs, unless both streams are the same. `title` says
 * which they are. */
void trace_stream_assert_equal(const struct trace_stream *got, const struct trace_stream *expected,
                               const char *title);

/* A random stream that keeps the promises of trace/stream.h, from (seed, number) alone: odd names,
 * sites that look alike, arrays that come and go, managed pages, warps in any order, all forms of
 * accesses. */
void trace_stream_random(uint64_t seed, uint64_t number, const struct trace_sink *sink);

#endif
