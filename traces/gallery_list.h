/* gallery_list.h - every topic of the gallery, in the order of meson.build. */
#ifndef WARPLENS_GALLERY_LIST_H
#define WARPLENS_GALLERY_LIST_H

#include "gallery.h"

extern const struct gallery_topic *const gallery_topics[];
extern const size_t gallery_topic_count;

/* A kernel by name, NULL when there is none. */
const struct gallery_kernel *gallery_find(const char *name);

/* Runs its host code, which is left where it has no memory: tracer_error() says so then. */
void gallery_run_kernel(const struct gallery_kernel *kernel, const struct gallery_args *args);

#endif
