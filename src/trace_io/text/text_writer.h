/* text_writer.h - what the files of the text trace's writer share. Internal to it. */
#ifndef WARPLENS_TRACE_IO_TEXT_TEXT_WRITER_H
#define WARPLENS_TRACE_IO_TEXT_TEXT_WRITER_H

#include "trace_io/text/text_write.h"

/* Keeps the first message. Always false. */
bool text_writer_fail(struct text_writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the file takes what is written, and nothing was wrong. */
bool text_writer_goes_on(struct text_writer *w);

/* "ld.global.nc.b32" */
void text_writer_put_head(struct text_writer *w, const struct warp_access *a, bool read_only);

/* A name, in quotes where it has to be; whether a text trace can hold it. */
void text_writer_put_name(struct text_writer *w, const char *text);
bool text_writer_name_fits(struct text_writer *w, const char *name);

void text_writer_end_part(struct text_writer *w);

/* A line with the shared memory that a block uses, unless it is what the launch asks for. */
void text_writer_put_shared(struct text_writer *w, const char *what, uint64_t bytes);

/* A name or text, in quotes where it needs them; whether the form holds one so long. */
void text_writer_put_name(struct text_writer *w, const char *text);
bool text_writer_name_fits(struct text_writer *w, const char *name);

bool text_writer_fault(void *context, const struct trace_fault *fault); /* text_fault.c */
bool text_writer_access(void *context, const struct warp_access *access);
bool text_writer_event(void *context, const struct trace_event *event);
bool text_writer_copy(void *context, const struct trace_copy *copy);
/* text_bulk.c: the line in front of a bulk copy's access; of a step that is none of cp.async. */
void text_put_bulk(struct text_writer *w, const struct warp_access *access);
void text_put_bulk_step(struct text_writer *w, const struct trace_copy *copy);
bool text_writer_turn_to(struct text_writer *w, uint32_t block, uint32_t warp);
bool text_writer_sync(void *context, const struct trace_sync *sync);

#endif
