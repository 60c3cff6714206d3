/* output.h - where a report goes: standard output, or a file that is written whole or not at all.
 */
#ifndef WARPLENS_CLI_COMMANDS_OUTPUT_H
#define WARPLENS_CLI_COMMANDS_OUTPUT_H

#include <stdio.h>

struct output {
    FILE *stream;
    const char *path;   /* NULL: standard output */
    char *partial_path; /* what becomes `path` at the end; NULL when `path` is written directly */
};

/* Opens `path` (NULL: standard output). EXIT_OK, or EXIT_IO after a message. */
int output_open(struct output *output, const char *path);

/* Whether it could be opened, before a long run: EXIT_OK, or EXIT_IO after a message. Leaves nothing, and
 * opens nothing but regular files. */
int output_try(const char *path);

/* Flushes and closes; a file takes its name only now. EXIT_OK, or EXIT_IO after a message, and then
 * an old file of that name is untouched. */
int output_close(struct output *output);

/* Gives up: nothing of the file is left. */
void output_discard(struct output *output);

#endif
