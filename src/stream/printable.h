/* printable.h - a sink in front of a sink, that makes names printable (text/characters.h): a trace's are a
 * stranger's bytes, and from here on they go to terminals, pages and parsers.
 */
#ifndef WARPLENS_STREAM_PRINTABLE_H
#define WARPLENS_STREAM_PRINTABLE_H

#include "stream/filter.h"

struct printable {
    struct trace_filter filter; /* `next` is where they go */
    bool failed;                /* no memory for a name */
    char *kernel, **names;      /* copies that the launch under way has; NULL: none was needed */
    struct trace_array *arrays;
    size_t name_count;
};

struct trace_sink printable_sink(struct printable *printable);
/* Frees what the last launch has. */
void printable_stop(struct printable *printable);

#endif
