/* csv_read.h - reads a trace from comma-separated values: docs/trace-csv.md says which. */
#ifndef WARPLENS_TRACE_IO_CSV_CSV_READ_H
#define WARPLENS_TRACE_IO_CSV_CSV_READ_H

#include "stream/input.h"
#include "stream/stream.h"

/* Gives the trace to the sink. `map`: which columns are which fields, NULL: those of our names. NULL,
 * or the message of the input: "FILE:LINE: column N: what; what is allowed". */
const char *csv_trace_read(struct trace_input *input, const char *map,
                           const struct trace_sink *sink);

#endif
