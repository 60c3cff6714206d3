/* library.h - what the files behind include/warplens/warplens.h share. */
#ifndef WARPLENS_LIBRARY_LIBRARY_H
#define WARPLENS_LIBRARY_LIBRARY_H

#include <warplens/warplens.h>

#include "report/verdict.h"
#include "text/nearest.h"
#include "session/session.h"
#include "sim/counters/quantity.h"

enum { LIBRARY_GPUS_MAX = 64, LIBRARY_MESSAGE_BYTES = 1024 };

/* Where a run is; it never goes back. */
enum library_stage {
    LIBRARY_SETTING_UP,
    LIBRARY_TAKING, /* accesses, one by one */
    LIBRARY_DONE,   /* it has results */
    LIBRARY_FAILED, /* it has a message, which stays */
};

enum library_place { LIBRARY_TOTAL, LIBRARY_LINE, LIBRARY_ARRAY, LIBRARY_LAUNCH };

struct warplens_counts {
    struct warplens_run *run;
    size_t gpu;
    enum library_place place;
    const char *name;                   /* file, array or kernel */
    uint32_t line;                      /* LIBRARY_LINE */
    size_t launch_number;               /* LIBRARY_LAUNCH */
    const struct result_launch *launch; /* LIBRARY_LAUNCH; otherwise NULL */
    struct counters counters;
};

/* Counts under one GPU. */
struct library_counts {
    struct warplens_counts total;
    struct warplens_counts *lines, *arrays, *launches;
    size_t line_count, array_count, launch_count;
    struct verdict verdict;
};

struct library_push;

struct warplens_run {
    enum library_stage stage;
    struct session_gpu gpus[LIBRARY_GPUS_MAX];
    size_t gpu_count;
    struct session_request request;
    struct library_push *push;     /* LIBRARY_TAKING */
    struct result *results;        /* LIBRARY_DONE: gpu_count of them */
    struct library_counts *counts; /* LIBRARY_DONE: gpu_count of them */
    char message[LIBRARY_MESSAGE_BYTES];
};

/* Keeps a message unless the run has failed for good. False. */
bool library_fail(struct warplens_run *run, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether a run is in the stage that a function needs; `what` is what it would do. */
bool library_is_in(struct warplens_run *run, enum library_stage stage, const char *what);
bool library_has_gpu(struct warplens_run *run, size_t gpu);

/* Accesses are about to come: settings are checked and put together, room is made for results. */
bool library_begin(struct warplens_run *run);
/* They came, and the session said `error` or NULL: the run is done or has failed. */
bool library_end(struct warplens_run *run, const char *error);

/* The results' counts; false without memory. */
bool library_count(struct warplens_run *run);
void library_counts_free(struct warplens_run *run);

void library_push_free(struct warplens_run *run);

/* What a name stands for, and its value of some counts. */
struct library_value {
    struct quantity quantity;
    double value;
};
bool library_find_value(const struct warplens_counts *counts, const char *name,
                        struct library_value *found);

/* The counters that explain a value, up to LIBRARY_RELATED; how many. */
enum { LIBRARY_RELATED = 3 };
size_t library_find_related(const struct quantity *quantity,
                            const struct counter_info *related[LIBRARY_RELATED]);

/* "kernel.cu:12", "array tile", "launch 3 (kernel)", "the whole run" */
enum { LIBRARY_PLACE_BYTES = 256 };
const char *library_place_text(const struct warplens_counts *counts,
                               char text[LIBRARY_PLACE_BYTES]);

/* The part of a path behind its last slash. */
const char *library_base_name(const char *path);

#endif
