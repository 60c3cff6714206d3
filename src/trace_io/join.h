/* join.h - several runs -> one: sites are numbered on, notes are the first run's, but for calls of libraries. */
#ifndef WARPLENS_TRACE_IO_JOIN_H
#define WARPLENS_TRACE_IO_JOIN_H

#include "stream/filter.h"

struct join {
    struct trace_filter filter; /* first: the context of its functions */
    uint32_t runs, first_site, site_count;
};

/* `next` must outlive it. join_next is due before each run. */
void join_start(struct join *join, const struct trace_sink *next);
void join_next(struct join *join);
struct trace_sink join_sink(struct join *join);

#endif
