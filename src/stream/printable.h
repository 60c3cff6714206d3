/* printable.h - a sink in front of a sink, that makes names printable (text/characters.h): a trace's are a
 * stranger's bytes, and from here on they go to terminals, pages and parsers.
 */
#ifndef WARPLENS_STREAM_PRINTABLE_H
#define WARPLENS_STREAM_PRINTABLE_H

#include "stream/filter.h"

struct printable {
    struct trace_filter filter; /* `next` is where they go */
    bool failed;                /* no memory for a name */
};

struct trace_sink printable_sink(struct printable *printable);

#endif
