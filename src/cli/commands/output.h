/* output.h - where a report goes: standard output, or a file that is written whole or not at all.
 *
 * An old file keeps its mode, its owner and all of its names: a new one takes its name where that changes nothing
 * else, and otherwise what is complete is copied onto it. A symbolic link stays one. What is complete is on the disk before it
 * takes the name. When the run fails, or a signal ends it, the old file is as it was and nothing else is left.
 */
#ifndef WARPLENS_CLI_COMMANDS_OUTPUT_H
#define WARPLENS_CLI_COMMANDS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    const char *path;   /* as it was named; NULL: standard output */
    char *target;       /* the file, behind all links; NULL when `path` is written directly */
    char *partial_path; /* what becomes `target` at the end; NULL when it is copied onto it */
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
