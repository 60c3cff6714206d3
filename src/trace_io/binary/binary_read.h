/* binary_read.h - reads a binary trace, in one pass and in memory of fixed size. */
#ifndef WARPLENS_TRACE_IO_BINARY_BINARY_READ_H
#define WARPLENS_TRACE_IO_BINARY_BINARY_READ_H

#include "stream/input.h"
#include "stream/stream.h"

/* Whether a file that begins so is a binary trace. */
bool binary_trace_is(const char *head, size_t bytes);

/* Hands all of the trace to the sink. NULL, or what is wrong: input->message. Every chunk's checksum
 * has been checked before the sink gets any of it. That accesses and launches make sense is for the
 * sink to check (guard.h). */
const char *binary_trace_read(struct trace_input *input, const struct trace_sink *sink);

#endif
