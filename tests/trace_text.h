/* trace_text.h - text traces as a test has them: files of tests/data, and texts that are cut off or
 * changed.
 */
#ifndef WARPLENS_TESTS_TRACE_TEXT_H
#define WARPLENS_TESTS_TRACE_TEXT_H

#include "stream/input.h"
#include "trace_calls.h"

/* A reader under test. */
typedef const char *trace_read(struct trace_input *input, const struct trace_sink *sink);

/* A whole file of DATA_DIR, ended by a zero; the caller frees it. */
char *trace_text_file(const char *name);

/* What the reader makes of a text: the calls, and its message ("" without one) in `message`. */
struct trace_calls trace_text_calls(trace_read *read, const char *text, size_t bytes,
                                    char message[INPUT_MESSAGE_BYTES]);

/* The file gives the calls of the file NAME.calls. */
void trace_text_expect(trace_read *read, const char *name, const char *calls_name);

/* With `from` replaced by `to` (its first place) the text ends with that message. */
void trace_text_refused(trace_read *read, const char *name, const char *from, const char *to,
                        const char *message);

/* Cut off anywhere, or with bytes changed, the file is read or refused, with one message. */
void trace_text_damage(trace_read *read, const char *name);

/* A sink that wants no more is left alone, and that is no error. */
void trace_text_stops(trace_read *read, const char *name);

#endif
