/* progress.h - a sink in front of a sink, that says on standard error how far a trace is and how fast,
 * when it takes longer than a second. */
#ifndef WARPLENS_STREAM_PROGRESS_H
#define WARPLENS_STREAM_PROGRESS_H

#include "stream/filter.h"

struct progress {
    struct trace_filter filter; /* first: the context of its functions */
    const uint64_t *bytes;      /* read so far */
    uint64_t all_bytes;         /* 0: unknown */
    uint64_t accesses, next_look;
    double began, shown; /* seconds */
    bool is_on, is_terminal, has_line;
};

/* `next` and `bytes` must outlive it. Off: only hands on. */
void progress_start(struct progress *progress, const struct trace_sink *next, bool is_on,
                    const uint64_t *bytes, uint64_t all_bytes);
struct trace_sink progress_sink(struct progress *progress);
/* The last line: what was read in all, and the rate. */
void progress_end(struct progress *progress);

#endif
