/* fault_watch.h - a sink in front of a sink that notes whether a fault has stopped the run. */
#ifndef WARPLENS_STREAM_FAULT_WATCH_H
#define WARPLENS_STREAM_FAULT_WATCH_H

#include "stream/filter.h"

struct fault_watch {
    struct trace_filter filter;
    bool has_stopped;
};

/* The sink of a watch, in front of `next`; both must outlive it. */
struct trace_sink fault_watch_sink(struct fault_watch *watch, const struct trace_sink *next);

#endif
