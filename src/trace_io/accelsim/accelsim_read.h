/* accelsim_read.h - Accel-Sim's traces -> a stream. What is converted, and how:
 * docs/trace-import.md.
 */
#ifndef WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_READ_H
#define WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_READ_H

#include "stream/input.h"
#include "stream/stream.h"

/* Gives all kernels of a kernelslist.g, or the one of a .traceg file, to the sink: NULL, or one
 * message. The list's files are in `directory`. */
const char *accelsim_trace_read(struct trace_input *input, const char *directory,
                                const struct trace_sink *sink);

#endif
