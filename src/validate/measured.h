/* measured.h - what profilers and the CUDA harness measured: launches with their counters, read from
 * CSV files of five forms.
 *
 * A tidy file names kernel, parameters and run of each launch, a file of programs the program and its
 * arguments. Files of nvprof and ncu name only the
 * __global__ function; which gallery kernel launched it is for the caller to know. A row of nvprof is
 * the average over its invocations.
 */
#ifndef WARPLENS_VALIDATE_MEASURED_H
#define WARPLENS_VALIDATE_MEASURED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "validate/name_set.h"

enum { MEASURED_MESSAGE_BYTES = 640 };

enum measured_format {
    MEASURED_PROGRAMS,
    MEASURED_TIDY,
    MEASURED_NVPROF,
    MEASURED_NCU_DETAILS,
    MEASURED_NCU_RAW
};

struct measured_value {
    uint32_t counter, line; /* number of the counter's name; line of the file */
    double value;           /* times of ncu in ns */
    double tolerance;       /* half of the last decimal place that the file shows */
};

struct measured_launch {
    uint32_t file, line;        /* number of the file; its first line about this launch */
    const char *gpu;            /* the device as the file names it; NULL: it does not */
    int sm;                     /* 90 for compute capability 9.0; 0: not in the file */
    const char *kernel;         /* of the gallery; NULL: the file does not say */
    const char *run;            /* "" when the file does not say */
    const char *params;         /* "n=1024 block=256"; NULL: the file does not say */
    const char *program;        /* a CUDA program's file; NULL: the file does not say */
    const char *arguments;      /* of the program, between blanks */
    const char *with;           /* its further source files, beside it, between blanks */
    bool is_warm;               /* of the program: caches were not emptied */
    const char *function;       /* the __global__ function's plain name */
    const char *name;           /* the same as the file has it */
    const char *shown;          /* with template arguments */
    uint32_t grid[3], block[3]; /* 0: the file does not say */
    uint64_t
        index; /* tidy, programs: from 1 within the run; else from 1 among the file's launches of
                             the function */
    bool
        has_counters; /* tidy: more than times; counters that were collected and have no row are 0 */
    uint64_t invocations;          /* launches that the values are averages of */
    struct measured_value *values; /* owned; by counter */
    size_t value_count, value_room;
};

struct measured_file {
    const char *path; /* the caller's */
    enum measured_format format;
    uint32_t *collected; /* owned, ascending: counters that are 0 where they are not given */
    size_t collected_count;
};

/* All zero: nothing read yet. */
struct measured {
    struct measured_file *files;
    size_t file_count;
    struct measured_launch *launches; /* by file, in the order of their first rows */
    size_t launch_count, launch_room;
    struct name_set counters; /* every counter's name */
    struct name_set modelled; /* the names that the model has on some GPU */
    struct name_set texts;    /* that launches point to */
    struct name_set scaled;   /* "counter (unit)": left out because the unit is scaled */
    char message[MEASURED_MESSAGE_BYTES];
};

/* Adds what a file holds. Returns 0, or after putting one line into `message` 1 when the file cannot
 * be read and 2 when its content is wrong. `path` must live as long as `measured`. */
int measured_read(struct measured *measured, const char *path);
/* The same from a stream, which stays the caller's. */
int measured_read_stream(struct measured *measured, FILE *stream, const char *path);
void measured_free(struct measured *measured);

/* The counter's value in a launch; false: not measured. */
bool measured_get(const struct measured *measured, const struct measured_launch *launch,
                  uint32_t counter, double *value, double *tolerance);

/* Whether a counter is a launch's time: of CUDA events or of ncu. Times are never left out as 0. */
bool measured_is_time(const char *counter);

/* The counter that holds the launch's time by CUDA events, in microseconds. */
#define MEASURED_TIME "time_us"

#endif
