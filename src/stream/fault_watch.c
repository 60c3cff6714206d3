/* fault_watch.c - all goes on as it comes. */
#include "stream/fault_watch.h"

static bool on_fault(void *context, const struct trace_fault *fault)
{
    struct fault_watch *watch = context;
    watch->has_stopped |= fault->stops;
    return sink_fault(watch->filter.next, fault);
}

struct trace_sink fault_watch_sink(struct fault_watch *watch, const struct trace_sink *next)
{
    *watch = (struct fault_watch){.filter.next = next};
    struct trace_sink sink = filter_sink(&watch->filter);
    sink.fault = on_fault;
    return sink;
}
