/* trace_texts.h - texts of traces for the tests of their reader. */
#ifndef WARPLENS_TESTS_TRACE_TEXTS_H
#define WARPLENS_TESTS_TRACE_TEXTS_H

#include "trace_io/text/text_read.h"
#include "trace_stream.h"

#define FIRST "warplens text trace 1\n"
#define HEAD FIRST "array in bytes=4096\nlaunch k grid=4 block=40\n"

/* Reads a text as the file dir/t.txt. The message, which lives until the next call, or NULL. */
const char *trace_text_read(const char *text, size_t bytes, const struct trace_sink *sink);

/* It is refused, with "dir/t.txt:" and this message. */
void trace_text_assert_error(const char *text, const char *expected);

#endif
