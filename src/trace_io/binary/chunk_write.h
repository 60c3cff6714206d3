/* chunk_write.h - records of a binary trace -> chunks with a checksum. A record never crosses two
 * chunks, so each chunk can be checked before it is read. */
#ifndef WARPLENS_TRACE_IO_BINARY_CHUNK_WRITE_H
#define WARPLENS_TRACE_IO_BINARY_CHUNK_WRITE_H

#include <stdio.h>

#include "trace_io/binary/put.h"

struct chunk_writer {
    FILE *out;
    const char *error; /* NULL, or the first thing that went wrong */
    uint32_t run;      /* foretold steps that are not in the payload yet */
    struct put put;    /* the payload so far */
};

/* Writes the file's header. The stream stays the caller's. */
void chunk_writer_start(struct chunk_writer *writer, FILE *out);

/* Room for a record of at most so many bytes, behind the steps that were only counted. False when
 * something has gone wrong. */
bool chunk_writer_begin(struct chunk_writer *writer, size_t bytes);

/* Counts a foretold step. */
bool chunk_writer_count(struct chunk_writer *writer);

/* Writes what is held back. */
bool chunk_writer_flush(struct chunk_writer *writer);

#endif
