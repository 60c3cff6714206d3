/* binary_launch.h - the launch record of a binary trace. */
#ifndef WARPLENS_TRACE_IO_BINARY_BINARY_LAUNCH_H
#define WARPLENS_TRACE_IO_BINARY_BINARY_LAUNCH_H

#include "stream/managed_range.h"
#include "trace_io/binary/get.h"
#include "trace_io/binary/put.h"

/* Starts as zeros. Do not copy: info points into it. */
struct binary_launch {
    struct launch_info info;
    struct trace_array arrays[CODEC_ARRAYS_MAX];
    struct managed_range managed[MANAGED_ARRAYS_MAX];
    uint8_t *touched; /* the pages of all managed arrays */
    char *texts;      /* the names */
};

/* Reads a record behind its tag; `info` is valid until the next call. NULL, or what is wrong. */
const char *binary_launch_read(struct binary_launch *launch, struct get *get);
void binary_launch_free(struct binary_launch *launch);

/* The most bytes that the record of a launch can take behind its tag; whether a record, and a reader,
 * have room for it; the record. */
size_t binary_launch_bytes(const struct launch_info *launch);
bool binary_launch_fits(const struct launch_info *launch);
void binary_launch_put(struct put *put, const struct launch_info *launch);

#endif
