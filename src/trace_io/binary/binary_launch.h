/* binary_launch.h - the launch record of a binary trace, and the records of arrays that it has no room for,
 * which come in front of it: a record lies in one chunk. */
#ifndef WARPLENS_TRACE_IO_BINARY_BINARY_LAUNCH_H
#define WARPLENS_TRACE_IO_BINARY_BINARY_LAUNCH_H

#include "stream/managed_range.h"
#include "trace_io/binary/get.h"
#include "trace_io/binary/put.h"

enum { LAUNCH_ROOM = CHUNK_PAYLOAD_MAX - 16 }; /* bytes of either record behind its tag */

/* Starts as zeros. Do not copy: info points into it. */
struct binary_launch {
    struct launch_info info;
    struct trace_array arrays[CODEC_ARRAYS_MAX];
    struct managed_range managed[MANAGED_ARRAYS_MAX];
    uint8_t *touched; /* the pages of all managed arrays */

    /* Read so far, of this launch. */
    char *texts; /* the names, each with a zero behind it */
    size_t text_bytes, text_room;
    size_t name_at[CODEC_ARRAYS_MAX]; /* in `texts` */
    size_t array_count;
    uint64_t array_end; /* of the array before */
};

/* Read a record behind its tag: arrays of the launch that comes next; the launch, whose `info` is valid
 * until the next call. NULL, or what is wrong. */
const char *binary_launch_read_arrays(struct binary_launch *launch, struct get *get);
const char *binary_launch_read(struct binary_launch *launch, struct get *get);
void binary_launch_free(struct binary_launch *launch);

/* NULL, or why a trace cannot hold the launch. */
const char *binary_launch_refusal(const struct launch_info *launch);

/* The most bytes that the launch's record takes behind its tag without its arrays; how many of the arrays
 * from `first` on take at most so many bytes. */
size_t binary_launch_bytes(const struct launch_info *launch);
size_t binary_launch_fitting(const struct launch_info *launch, size_t first, size_t bytes);

/* Records, behind their tags: `count` arrays from `first` on; the launch with the arrays from `first` on. */
void binary_launch_put_arrays(struct put *put, const struct launch_info *launch, size_t first,
                              size_t count);
void binary_launch_put(struct put *put, const struct launch_info *launch, size_t first);

#endif
