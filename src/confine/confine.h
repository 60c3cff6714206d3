/* confine.h - runs somebody else's program, or the compiler on somebody else's source, so that it reaches
 * nothing but what is named: docs/confinement.md says what holds and by which means.
 *
 * Everything is done by the kernel, with system calls of the process itself between fork and exec: Landlock
 * (files, TCP, signals), a seccomp filter (system calls), resource limits, no capabilities, no new
 * privileges. None of it can be taken back by the process. */
#ifndef WARPLENS_CONFINE_CONFINE_H
#define WARPLENS_CONFINE_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { CONFINE_READS_MAX = 64, CONFINE_ERROR_BYTES = 512, CONFINE_MOVES_MAX = 4 };

/* What the user allows. Paths are the user's, and live as long as this. */
struct confinement {
#define LIMIT(name, field, usual, from, to, what) int64_t field;
#include "confine/limits.def"
#undef LIMIT
    const char *reads[CONFINE_READS_MAX]; /* files; folders with all that is in them */
    size_t read_count;
};

/* With the usual limits and nothing to read. */
struct confinement confinement_usual(void);

/* Sets a limit: NULL; or what is allowed, valid until the next call. */
const char *confinement_set_limit(struct confinement *how, const char *name, int64_t value);

enum confine_role {
    CONFINE_COMPILER = 1, /* starts its parts; reads the system's headers and programs */
    CONFINE_PROGRAM = 2,  /* starts nothing; reads the system's libraries */
};

/* A process to start. Lists end with NULL. */
struct confine_job {
    enum confine_role role;
    const struct confinement *how;
    const char *path; /* of the executable */
    const char *const *arguments, *const *variables;
    const char *const *reads; /* what it may read besides how->reads */
    const char *folder;       /* where it may write files, and make no folders */
    struct confine_move {
        int from, to;
    } moves[CONFINE_MOVES_MAX]; /* descriptors, in their order; all others above 2 are closed */
    size_t move_count;
};

/* False, with what is missing, when this kernel cannot confine. */
bool confine_is_possible(char missing[CONFINE_ERROR_BYTES]);

/* The process, which has begun as the other program; -1 after an error, which says what did not work. A program's
 * working directory is its folder, the compiler's is ours. Async-signal-safe between fork and exec: other
 * threads may run. */
pid_t confine_start(const struct confine_job *job, char error[CONFINE_ERROR_BYTES]);

/* Whether "NAME=value" is handed on: secrets stand in environments. */
bool confine_keeps_variable(const char *variable);

/* Why the process ended with this status (128 and more: a signal), if that was confinement's doing; NULL
 * otherwise. Valid until the next call. */
const char *confine_explain(const struct confinement *how, int status, double cpu_s,
                            bool filled_folder);

#endif
