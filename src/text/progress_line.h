/* progress_line.h - the words of the line that says how far a command is: pure, without clock and terminal. */
#ifndef WARPLENS_TEXT_PROGRESS_LINE_H
#define WARPLENS_TEXT_PROGRESS_LINE_H

#include <stddef.h>
#include <stdint.h>

enum { PROGRESS_LINE_BYTES = 512 };

/* What is 0 or "" is not known, and not said. */
struct progress_line {
    const char *title; /* what is run, under what: "transpose on 3 GPUs" */
    size_t jobs_done, jobs;
    const char *note;   /* what is done besides runs; then launches and blocks are not said */
    uint64_t launch;    /* the one that runs, from 1 */
    const char *kernel; /* its __global__ function */
    uint64_t blocks_done, blocks;
    const char *hint;           /* what would take less time; NULL as well */
    uint64_t bytes_read, bytes; /* of the trace's file */
    double seconds;             /* since the beginning */
    double jobs_seconds;        /* of them, until the last job was done */
    double launch_seconds;      /* since the launch's beginning */
};

/* Seconds that the rest takes when it goes on as before; below 0: nothing can be said. It is of the jobs when
 * there are several, otherwise of the launch, otherwise of the file: how many launches follow, nobody knows. */
double progress_seconds_left(double done, double all, double seconds);

/* The line, in at most `columns` characters: what is too long loses the end of its title, and then its own. */
void progress_line_text(const struct progress_line *line, size_t columns,
                        char text[PROGRESS_LINE_BYTES]);

#endif
