/* csv_write.h - a stream as comma-separated values (docs/trace-csv.md): all that counters depend on.
 * csv_trace_read gives it back without notes, and with sites numbered as accesses first name them.
 */
#ifndef WARPLENS_TRACE_IO_CSV_CSV_WRITE_H
#define WARPLENS_TRACE_IO_CSV_CSV_WRITE_H

#include <stdio.h>

#include "stream/stream.h"
#include "trace_io/array_table.h"
#include "trace_io/csv/csv_columns.h"
#include "trace_io/site_table.h"

enum { CSV_WRITER_MESSAGE_BYTES = 320 };

struct csv_writer {
    FILE *out;
    char message[CSV_WRITER_MESSAGE_BYTES]; /* what went wrong first; empty: nothing */
    struct names names;
    struct array_table arrays;
    struct site_table sites;
    struct launch_info launch; /* the running one; its pointers are not used */
    uint64_t launch_number;    /* from 1 */
    unsigned column;           /* of the row being written */
    struct trace_sink sink;
};

/* Writes the header; writer->sink then takes a stream. The stream `out` stays the caller's. False: no
 * memory; csv_writer_end is to be called all the same. */
bool csv_writer_start(struct csv_writer *writer, FILE *out);

/* NULL, or what went wrong: in the file, or with a stream that a CSV trace cannot hold. */
const char *csv_writer_end(struct csv_writer *writer);

#endif
