/* accelsim_write.h - a sink that writes what it is given for Accel-Sim: kernelslist.g, and
 * kernel-N.traceg for each launch, in the format of version 5 of its tracer. What is made up, and
 * what is lost: docs/trace-import.md.
 */
#ifndef WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_WRITE_H
#define WARPLENS_TRACE_IO_ACCELSIM_ACCELSIM_WRITE_H

#include "stream/stream.h"

struct accelsim_options {
    bool no_fillers; /* leave out the instructions between accesses */
    bool no_lines;   /* ... and the source lines in front of instructions */
};

struct accelsim_writer;

/* Writes into a directory, which is made unless it is there. NULL when memory is short. */
struct accelsim_writer *accelsim_writer_new(const char *directory, struct accelsim_options options);

struct trace_sink accelsim_writer_sink(struct accelsim_writer *writer);

/* Closes the files: NULL, or one message of what went wrong, valid until accelsim_writer_free. */
const char *accelsim_writer_end(struct accelsim_writer *writer);

void accelsim_writer_free(struct accelsim_writer *writer);

#endif
