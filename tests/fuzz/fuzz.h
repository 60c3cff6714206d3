/* fuzz.h - what the fuzz targets share. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; it
 * is linked with libFuzzer (tools/fuzz.sh) or with replay.c, which feeds it the corpus in every test
 * run.
 */
#ifndef WARPLENS_TESTS_FUZZ_H
#define WARPLENS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "session/session.h"
#include "trace_io/trace_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* AddressSanitizer keeps memory of its own. */
#if defined __SANITIZE_ADDRESS__
#define FUZZ_IS_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define FUZZ_IS_SANITIZED 1
#endif
#endif
#ifndef FUZZ_IS_SANITIZED
#define FUZZ_IS_SANITIZED 0
#endif

/* Everything else that goes wrong the sanitizers see. */
#define FUZZ_ASSERT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* One line that says something. */
void fuzz_check_message(const char *message);

/* What the readers of traces promise, for one file: messages are one line; what passes the guard keeps
 * the stream's promises (promise.h); a whole stream comes back the same from a binary trace, and a
 * session judges it by the rules of some GPU. `name`: the file's; `map`: of csv, or NULL. */
void fuzz_trace(const char *format, const char *name, const char *map, const uint8_t *data,
                size_t size);

/* A path that has these bytes until the next call, in memory. */
const char *fuzz_path(const uint8_t *data, size_t size);

/* Runs a source under one GPU; the reports of a result go nowhere. With the model of time the GPU has
 * two SMs and a small L2, for speed. */
void fuzz_session(struct trace_source source, const struct gpu_model *model, bool rules_only);

/* What fuzz_trace does with a trace behind its first reading, and whether reports are written: all of
 * it, or one of the steps, by the trace's hash, for speed. */
extern bool fuzz_takes_all_steps;

#endif
