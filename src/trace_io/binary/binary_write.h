/* binary_write.h - a sink that writes a binary trace, in one pass and in memory of fixed size. */
#ifndef WARPLENS_TRACE_IO_BINARY_BINARY_WRITE_H
#define WARPLENS_TRACE_IO_BINARY_BINARY_WRITE_H

#include <stdio.h>

#include "stream/stream.h"

struct binary_writer;

/* A writer to the stream, which stays the caller's. NULL when memory is short. */
struct binary_writer *binary_writer_new(FILE *out);
void binary_writer_free(struct binary_writer *writer);

struct trace_sink binary_writer_sink(struct binary_writer *writer);

/* Writes what is held back, without an end: a reader of the other end of a pipe sees it now. */
bool binary_writer_flush(struct binary_writer *writer);

/* Writes the end, due once after the last launch. NULL, or what went wrong since the beginning: the
 * stream's error (see errno), or a run that the format cannot hold. */
const char *binary_writer_end(struct binary_writer *writer);

#endif
