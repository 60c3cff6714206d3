/* program_source.h - somebody's CUDA program as a source: compiled, run beside warplens, its accesses
 * read as they come. */
#ifndef WARPLENS_CLI_INPUTS_PROGRAM_SOURCE_H
#define WARPLENS_CLI_INPUTS_PROGRAM_SOURCE_H

#include "cli/inputs/confined.h"
#include "cli/options/options.h"
#include "cu/build.h"
#include "cu/start.h"
#include "models/arch.h"
#include "stream/fault_watch.h"
#include "trace_io/trace_file.h"

enum { PROGRAM_MESSAGE_BYTES = 1024 };

/* Points into itself: do not copy it. */
struct program_source {
    const char *path;
    const struct options *options;
    const struct arch *arch; /* of the GPU that the program believes to have */
    const char *gpu_title;
    struct confined confined;
    const char *stopped; /* what warplens ended it for, or NULL */
    struct cu_built built;
    int status;               /* the program's exit status; 128 and more for a signal */
    struct fault_watch watch; /* whether a fault has ended a kernel or the program */
    struct trace_file file;
    char message[PROGRAM_MESSAGE_BYTES];
};

/* Compiles it. EXIT_OK; or EXIT_USAGE or EXIT_IO after the compiler's messages and one of ours, and
 * nothing to close. All pointers must outlive the source. */
int program_source_open(struct program_source *program, const struct options *options,
                        const char *path, const struct arch *arch, const char *gpu_title);

/* Runs it, each time anew. */
struct trace_source program_source(struct program_source *program);

/* EXIT_OK, or EXIT_USAGE after a message when a kernel or the program has failed. */
int program_source_close(struct program_source *program);

#endif
