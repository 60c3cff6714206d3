/* nvbit_read.h - the text of NVBit's mem_trace -> a stream. What such a trace does not know, and what
 * is assumed: docs/trace-import.md.
 */
#ifndef WARPLENS_TRACE_IO_NVBIT_NVBIT_READ_H
#define WARPLENS_TRACE_IO_NVBIT_NVBIT_READ_H

#include "stream/input.h"
#include "stream/stream.h"

/* Gives the whole trace to the sink: NULL, or one message. */
const char *nvbit_trace_read(struct trace_input *input, const struct trace_sink *sink);

#endif
