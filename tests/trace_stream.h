/* trace_stream.h - keeps every call of a stream, to compare two streams exactly, and makes random
 * ones. For the tests of what reads and writes traces.
 */
#ifndef WARPLENS_TESTS_TRACE_STREAM_H
#define WARPLENS_TESTS_TRACE_STREAM_H

#include <stdio.h>

#include "stream/stream.h"

enum { TRACE_STREAM_SITES = 4096 };

/* A line of text for each call, with every field; of addresses, those of active lanes. */
struct trace_stream {
    FILE *lines;
    char *text; /* owned; valid after trace_stream_end */
    size_t bytes;
    uint64_t calls;
    uint64_t call_limit; /* after so many calls it wants no more; 0: there is no limit */
    /* Set after the start: sites are told by their places and not by their numbers; notes and the
     * calls of sites are not kept. */
    bool by_place;
    bool shows_values;                           /* what lanes store is told */
    struct trace_site sites[TRACE_STREAM_SITES]; /* by_place; the names are owned */
    uint32_t site_count;
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

/* The first block between lines of ``` of a document; the caller frees it. */
char *trace_stream_example(const char *path);

/* A random stream that keeps the promises of stream/stream.h, from (seed, number) alone: odd names,
 * sites that look alike, arrays that come and go, managed pages, warps in any order, all forms of
 * accesses. `printable`: no control characters in names. */
void trace_stream_random(uint64_t seed, uint64_t number, bool printable,
                         const struct trace_sink *sink);

#endif
