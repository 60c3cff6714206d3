/* text_write.h - a stream as a text trace (docs/trace-text.md). text_trace_read gives the same stream
 * back, call by call.
 */
#ifndef WARPLENS_TRACE_IO_TEXT_TEXT_WRITE_H
#define WARPLENS_TRACE_IO_TEXT_TEXT_WRITE_H

#include <stdio.h>

#include "stream/stream.h"
#include "trace_io/array_table.h"
#include "trace_io/names.h"

enum { WRITER_MESSAGE_BYTES = 320 };

struct text_writer {
    FILE *out;
    char message[WRITER_MESSAGE_BYTES]; /* what went wrong first; empty: nothing */
    struct names names;
    struct array_table arrays; /* of the launch before, then of the running one */
    bool *is_named;            /* owned, by array: addresses in it are written with its name */
    struct launch_info launch; /* the running one; its pointers are not used */
    bool block_open, in_part;
    uint32_t block, warp; /* of the part */
    struct trace_sink sink;
};

/* Writes the first line; writer->sink then takes a stream. The stream `out` stays the caller's.
 * False: no memory; text_writer_end is to be called all the same. */
bool text_writer_start(struct text_writer *writer, FILE *out);

/* NULL, or what went wrong: in the file, or with a stream that a text trace cannot hold. */
const char *text_writer_end(struct text_writer *writer);

#endif
