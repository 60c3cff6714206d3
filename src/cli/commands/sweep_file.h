/* sweep_file.h - the file that a shard of a sweep adds its lines to. */
#ifndef WARPLENS_CLI_COMMANDS_SWEEP_FILE_H
#define WARPLENS_CLI_COMMANDS_SWEEP_FILE_H

#include "cli/commands/sweep_plan.h"

struct sweep_file {
    FILE *stream;
    const char *path;   /* NULL: standard output */
    size_t done;        /* lines of the shard's first jobs that it has */
    size_t failed_jobs; /* of these */
};

/* Opens the file, or makes it. One that exists must hold the lines of the shard's first jobs and nothing
 * else; a last line that was cut short is taken off. EXIT_OK, or another status after a message, and then
 * the file is as it was. */
int sweep_file_open(struct sweep_file *file, const struct sweep_plan *plan);
/* Adds a whole line. False: it cannot be written; errno says why. */
bool sweep_file_add(struct sweep_file *file, const char *line, size_t bytes);
/* EXIT_OK, or EXIT_IO after a message. */
int sweep_file_close(struct sweep_file *file);

#endif
