/* record_sort.h - puts records in the order of their keys, in bounded memory.
 *
 * Trace files give warps' accesses in another order than a stream (stream/stream.h) has them, and a
 * kernel's do not fit in memory. Records are collected up to a limit, sorted and written to a
 * temporary file as a run; reading merges the runs. When there are as many runs as fit in memory with a
 * buffer each, they become one. Records with equal keys keep the order in which they were added.
 */
#ifndef WARPLENS_TRACE_IO_RECORD_SORT_H
#define WARPLENS_TRACE_IO_RECORD_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    RECORD_BYTES_MAX = 8192,
    SORT_SLICE_BYTES = 1 << 16, /* of the memory, for a run that is read */
    SORT_RUNS_MAX = 256,
    SORT_BYTES = SORT_RUNS_MAX * SORT_SLICE_BYTES,
};

struct record_entry; /* a record in memory */
struct record_run;   /* ... and a run in the file */

struct record_sort {
    size_t room; /* bytes of memory for records */
    uint8_t *memory;
    size_t used;
    struct record_entry *entries;
    size_t count, entry_room;
    FILE *file;
    struct record_run *runs;
    uint32_t *heap; /* runs that have records left, the one with the least key first */
    uint32_t run_count, run_room, heap_count;
    size_t next;       /* entry to be read, when there are no runs */
    const char *error; /* NULL, or what went wrong */
};

/* `bytes` of memory for records: at least 2 slices; SORT_BYTES is the most. */
bool record_sort_start(struct record_sort *sort, size_t bytes);
void record_sort_free(struct record_sort *sort);

/* Adds a record of at most RECORD_BYTES_MAX bytes; false on an error. */
bool record_sort_add(struct record_sort *sort, uint64_t key, const void *record, size_t bytes);

/* Begins to read: nothing may be added until record_sort_clear. */
bool record_sort_read(struct record_sort *sort);

/* The next record, copied to `record`; false at the end or on an error. */
bool record_sort_next(struct record_sort *sort, uint64_t *key, void *record, size_t *bytes);

/* Forgets all records; the temporary file is given back. */
void record_sort_clear(struct record_sort *sort);

#endif
