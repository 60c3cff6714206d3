/* trace_streams.h - streams for the tests of writers: drawn from a seed, and a small one. */
#ifndef WARPLENS_TESTS_TRACE_STREAMS_H
#define WARPLENS_TESTS_TRACE_STREAMS_H

#include "stream/stream.h"

struct trace_stream_kind {
    uint64_t seed;
    bool work_is_one; /* every event is one instruction, as an export without fillers has it */
    bool no_matrices; /* as an export for Accel-Sim needs it */
};

/* Three launches of blocks with barriers: accesses to all spaces, whole warps and parts, lanes that
 * end early, loads whose values are needed. The same calls for the same kind. */
void trace_stream_give(struct trace_stream_kind kind, const struct trace_sink *sink);

/* A block of 40 threads: loads, one of which needs the other's value; a barrier; stores to shared and
 * to local memory, when half of the second warp has ended. */
void trace_stream_small(const struct trace_sink *sink);

#endif
