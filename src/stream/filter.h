/* filter.h - a sink in front of a sink, that hands on what it is given. What begins with a struct
 * trace_filter can take some of the functions' places with its own. */
#ifndef WARPLENS_STREAM_FILTER_H
#define WARPLENS_STREAM_FILTER_H

#include "stream/stream.h"

struct trace_filter {
    const struct trace_sink *next; /* must outlive the filter */
};

/* Hands on everything; `filter` is its context. */
struct trace_sink filter_sink(struct trace_filter *filter);

#endif
