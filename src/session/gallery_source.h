/* gallery_source.h - a kernel of the gallery as a source: it runs under the tracer. */
#ifndef WARPLENS_SESSION_GALLERY_SOURCE_H
#define WARPLENS_SESSION_GALLERY_SOURCE_H

#include "gallery.h"
#include "stream/stream.h"

struct gallery_run {
    const struct gallery_kernel *kernel;
    const struct gallery_args *args;
};

/* `run` must outlive the source. */
struct trace_source gallery_source(struct gallery_run *run);

#endif
