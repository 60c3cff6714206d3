/* index.h - where the line of each job of a sweep stands in a number of files. The lines stay there. */
#ifndef WARPLENS_SWEEP_INDEX_H
#define WARPLENS_SWEEP_INDEX_H

#include <stdint.h>
#include <sys/types.h>

#include "sweep/line.h"

struct sweep_place {
    size_t file;  /* from 1; 0: there is no line of this job */
    size_t line;  /* from 1 */
    off_t offset; /* in bytes */
    size_t bytes; /* without the line break */
};

struct sweep_index {
    const char *const *paths;
    size_t path_count;
    struct sweep_head first; /* of the first line; its strings are owned */
    const char *first_path;
    struct sweep_place *places; /* one a job */
    size_t failed_jobs;
    char *text; /* of the line that was read last */
    size_t text_room;
    char message[SWEEP_MESSAGE_BYTES];
};

enum sweep_status { SWEEP_FINE, SWEEP_IO, SWEEP_BAD };

/* Reads all files, which have to be of one sweep. Anything but SWEEP_FINE comes with a message.
 * sweep_index_free frees in every case. */
enum sweep_status sweep_index_read(struct sweep_index *index, const char *const *paths,
                                   size_t path_count);
/* Whether each job has its line; a message says which have none, and how they are run. */
enum sweep_status sweep_index_check_complete(struct sweep_index *index);
/* Reads the line of a job again. The line is in the index until the next call, and the caller frees
 * its strings. */
enum sweep_status sweep_index_line(struct sweep_index *index, size_t job, struct sweep_line *line);
void sweep_index_free(struct sweep_index *index);

#endif
