/* source.h - an input as a source, which runs it and hands its accesses on. */
#ifndef WARPLENS_CLI_INPUTS_SOURCE_H
#define WARPLENS_CLI_INPUTS_SOURCE_H

#include "cli/inputs/input.h"
#include "cli/inputs/program_source.h"
#include "session/gallery_source.h"
#include "session/session.h"
#include "stream/select.h"
#include "trace_io/trace_file.h"

/* Points into itself: do not copy it. */
struct opened_source {
    struct trace_source source;
    struct select_source select; /* of the source, when launches are chosen and it is no program */
    char chosen[LAUNCH_CHOICE_BYTES];
    const struct options *options;
    struct input input;
    union { /* by the input's kind */
        struct gallery_run gallery;
        struct trace_file file;
        struct program_source program;
    };
};

/* Everything must outlive the source. `gpu` is the one that a program believes to have. EXIT_OK; or
 * EXIT_USAGE or EXIT_IO after a message, and nothing to close. */
int source_open(struct opened_source *opened, const struct options *options, const struct job *job,
                const struct session_gpu *gpu);

/* A trace; `unguarded` as in trace_file_options. */
int source_open_trace(struct opened_source *opened, const struct options *options, const char *path,
                      bool unguarded);

/* The exit status of a run that ended with `error`: EXIT_USAGE after a message. A program that launched no
 * kernel, and has not failed, has nothing to report: EXIT_OK, after a message that says so. */
int source_fail(const struct opened_source *opened, const char *error);

/* EXIT_OK, or after a message EXIT_USAGE when a program has failed and EXIT_IO when a file could not be
 * read to its end. */
int source_close(struct opened_source *opened);

/* EXIT_OK, or after a message EXIT_USAGE when a trace says that what it is of has failed; of a program
 * source_close says so. */
int source_check_stop(const struct opened_source *opened, const struct run_info *info);
/* The same, and a line on standard error of the faults that stop nothing, for commands whose output has no place
 * for them. */
int source_tell_faults(const struct opened_source *opened, const struct run_info *info);

#endif
