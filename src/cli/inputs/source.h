/* source.h - what an operand of run, compare, explain and trace names: a kernel of the gallery, a
 * trace file or a CUDA program, as a source. */
#ifndef WARPLENS_CLI_INPUTS_SOURCE_H
#define WARPLENS_CLI_INPUTS_SOURCE_H

#include "cli/inputs/program_source.h"
#include "session/gallery_source.h"
#include "session/session.h"
#include "trace_io/trace_file.h"

/* Points into itself: do not copy it. */
struct opened_source {
    struct trace_source source;
    enum { SOURCE_KERNEL, SOURCE_TRACE, SOURCE_PROGRAM } kind;
    union {
        struct gallery_run gallery;
        struct trace_file file;
        struct program_source program;
    };
};

/* Whether an operand names a file: "-", or a name with a dot or a slash, which no kernel has. */
bool source_is_file(const char *operand);

/* Whether an operand that names a file can be read, before a long run: EXIT_OK, or EXIT_IO after a
 * message. */
int source_check_file(const char *command, const char *operand);

/* A chosen kernel: one of the gallery with these values of its parameters, or a file. Everything must
 * outlive the source. `gpu` is the one that a program believes to have. EXIT_OK; or EXIT_USAGE or
 * EXIT_IO after a message, and nothing to close. */
int source_open(struct opened_source *opened, const struct options *options,
                const struct gallery_kernel *kernel, const struct gallery_args *args,
                const struct session_gpu *gpu);

/* A trace. */
int source_open_trace(struct opened_source *opened, const char *command, const char *path,
                      const struct trace_file_options *options);

/* Whether it was a program that ended well and launched no kernel, after a message that says so. */
bool source_launched_nothing(const struct opened_source *opened);

/* Whether it was a program that ended badly: source_close says how. */
bool source_program_failed(const struct opened_source *opened);

/* EXIT_OK, or after a message EXIT_USAGE when a program has failed and EXIT_IO when a file could not be
 * read to its end. */
int source_close(struct opened_source *opened);

#endif
