/* line.h - one job of a sweep as one line of JSON: {"schema":1,"sweep":"9f86d081884c7d65","jobs":240,
 * "job":17,"shard":"2/8","compiler":"gcc 12.2.0","args":"offsetCopy -p offset=0,1","label":"offsetCopy
 * offset=1","runs":[...]} (without line breaks). The runs are those of the JSON report, byte for byte,
 * with a tab for each line break: a report has tabs nowhere else, so that the way back is as simple. */
#ifndef WARPLENS_SWEEP_LINE_H
#define WARPLENS_SWEEP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum {
    SWEEP_JOBS_MAX = 1000000,
    SWEEP_NAME_BYTES = 17, /* 16 hexadecimal digits */
    SWEEP_MESSAGE_BYTES = 1024,
};

/* What stands before the runs. */
struct sweep_head {
    char sweep[SWEEP_NAME_BYTES]; /* which sweep it is: a hash of all that its jobs depend on */
    size_t jobs, job;             /* jobs are numbered from 0 */
    size_t shard, shards;         /* from 1: has the jobs with job % shards == shard - 1 */
    char *compiler;               /* that built the kernels */
    char *args;                   /* of `warplens sweep`, without the shard */
    char *label;                  /* the kernel and its values of -p name=value,value */
};

struct sweep_line {
    struct sweep_head head; /* its strings are owned */
    const char *runs;       /* in the text: what is between the brackets */
    size_t runs_bytes;
};

void sweep_head_put(const struct sweep_head *head, FILE *out);
/* Runs as the report has them -> as a line has them, and the end of the line. */
void sweep_line_put_runs(const char *runs, size_t bytes, FILE *out);
/* Runs as a line has them -> as the report has them. */
void sweep_line_put_report(const struct sweep_line *line, FILE *out);

/* Reads a whole line, its line break left out. False with `message` set to what is wrong with it. On
 * success the caller frees it with sweep_line_free. */
bool sweep_line_read(struct sweep_line *line, const char *text, size_t bytes,
                     char message[SWEEP_MESSAGE_BYTES]);
void sweep_line_free(struct sweep_line *line);

/* Whether a run among these has failed. */
bool sweep_line_has_failure(const char *runs, size_t bytes);

#endif
