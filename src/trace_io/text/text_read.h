/* text_read.h - reads a trace that a person wrote: docs/trace-text.md says how it looks. */
#ifndef WARPLENS_TRACE_IO_TEXT_TEXT_READ_H
#define WARPLENS_TRACE_IO_TEXT_TEXT_READ_H

#include "stream/input.h"
#include "stream/stream.h"

/* The first line of every such trace. */
#define TEXT_TRACE_FIRST_LINE "warplens text trace 1"

/* Gives the trace to the sink. NULL, or the message of the input: "FILE:LINE: column N: what; what
 * is allowed". */
const char *text_trace_read(struct trace_input *input, const struct trace_sink *sink);

#endif
