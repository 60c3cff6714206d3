/* library_runs.h - runs for the tests of the public API: of a recorded kernel, and pushed by hand. */
#ifndef WARPLENS_TESTS_LIBRARY_RUNS_H
#define WARPLENS_TESTS_LIBRARY_RUNS_H

#include <warplens/warplens.h>

#include "session/gallery_source.h"
#include "session/session.h"

#include "test_support.h"

/* Fails with the run's message. */
#define ASSERT(run, expectation)                                                                   \
    do {                                                                                           \
        if (!(expectation))                                                                        \
            fail_msg("%s", warplens_message(run));                                                 \
    } while (0)

/* The run's message holds the part and is one line. */
void library_assert_says(const struct warplens_run *run, const char *part);

/* A small run of a kernel of the gallery under an H200 and a K20X: what the session gives that the
 * command line uses, and its recorded trace. */
struct library_kernel_run {
    struct gallery_args args;
    struct gallery_run gallery;
    struct session_gpu gpus[2];
    struct result results[2];
    char *trace; /* as `warplens trace record` writes it */
    size_t trace_bytes;
};

void library_open_kernel_run(struct library_kernel_run *of, const char *name);
void library_close_kernel_run(struct library_kernel_run *of);

/* The trace through the API, under the same GPUs. */
struct warplens_run *library_read_kernel_run(const struct library_kernel_run *of);

enum { WARPS = 2 };

/* One launch of one block of two warps. Line 1 loads a float a lane in order, line 2 every other
 * float, line 3 shared words 32 apart, line 4 stores in order. */
bool library_push_kernel(struct warplens_run *run);

/* The report as a text of the caller's. */
char *library_report(struct warplens_run *run, enum warplens_format format);

#endif
