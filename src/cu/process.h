/* process.h - other programs: started without a shell, waited for. */
#ifndef WARPLENS_CU_PROCESS_H
#define WARPLENS_CU_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "confine/confine.h"

/* A list of arguments that ends with NULL. The strings are the caller's. */
struct arguments {
    const char **items;
    size_t count, room;
    bool failed; /* no memory */
};
void arguments_add(struct arguments *arguments, const char *text);
void arguments_add_all(struct arguments *arguments, const char *const *texts); /* up to NULL */
void arguments_free(struct arguments *arguments);

/* How a compiler is confined; it writes into the work directory. */
struct process_confined {
    const struct confinement *how;
    struct arguments reads;          /* what it may read besides */
    char error[CONFINE_ERROR_BYTES]; /* why it could not be confined */
};

/* Runs items[0], a path, to its end: standard input is empty, output goes to the file `output`, messages to
 * the file `messages`. Its exit status, 128 and more for a signal, or -1 with errno set when it cannot
 * be started. `confined`: NULL when it is not. */
int process_run(const struct arguments *arguments, const char *output, const char *messages,
                struct process_confined *confined);

/* The exit status of a child when it has ended. */
int process_wait(pid_t pid);

/* A file's whole text with a 0 behind it, to be freed; NULL with errno set. */
char *process_read_file(const char *path, size_t *length);

#endif
