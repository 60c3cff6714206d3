/* touched.h - the inside of repeats.c: which memory a launch has touched, and what is in it. */
#ifndef WARPLENS_TRACER_TOUCHED_H
#define WARPLENS_TRACER_TOUCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNS_MAX = 1024 };

/* Neighbouring granules that were touched alike. */
struct run {
    uint64_t begin, end; /* offsets in the arena */
    bool is_written;
};

struct touched {
    bool in_place; /* touched_find: some were read and written */
    size_t run_count;
    struct run runs[RUNS_MAX];
    char *kept; /* what is in those that were written, run by run; NULL: it is not kept */
    uint64_t kept_bytes;
};

/* What the launch has touched that has just run. False: it is more than RUNS_MAX runs. Keeps nothing. */
bool touched_find(struct touched *touched);
bool touched_same(const struct touched *a, const struct touched *b);
/* A copy of the runs. */
void touched_take(struct touched *to, const struct touched *from);
/* Of the contents, and of constant memory, which may be written as a whole. False: an array there is not device memory's, or
 * was freed. */
bool touched_hash(const struct touched *touched, uint64_t *hash);
/* Keeps a copy of what was written, as it is now; false: there is no room. Writes that again; gives it up. */
bool touched_keep_written(struct touched *touched);
void touched_write_again(const struct touched *touched);
void touched_keep_nothing(struct touched *touched);

#endif
