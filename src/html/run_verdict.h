/* run_verdict.h - what a run's counters come to, in one sentence. */
#ifndef WARPLENS_HTML_RUN_VERDICT_H
#define WARPLENS_HTML_RUN_VERDICT_H

#include <stdio.h>

#include "result/result.h"

/* What held the kernel up for most of its time, and for most of the rest. */
struct verdict_limits {
    enum resource first, second;
    double first_share, second_share; /* of the time; both 0 without the model of time */
};

/* Sectors at the level of memory that holds the kernel up: what passes it, and what is excessive. */
struct verdict_level {
    const char *where; /* "to and from L2"; empty: where warps ask for them */
    uint64_t (*sectors)(const struct counters *);
    uint64_t total;
    double excess; /* share of the total */
};

/* What the sentence is chosen by: all of it follows from a result's counters. Lines are NULL when there is none. */
struct verdict_facts {
    const struct result *r;
    struct verdict_limits limits;
    struct verdict_level level;
    const struct result_part *waster;     /* most sectors beyond the ideal at the level */
    const struct result_part *mover;      /* most sectors at the level */
    const struct result_part *conflicted; /* most passes beyond the ideal, where they can matter */
    const struct result_part *camper;     /* most bytes on a hot partition */
    const struct result_part *waiter;     /* most of the waiting */
    double ways;                          /* passes over ideal passes, of these accesses */
};

struct verdict_limits verdict_limits_of(const struct result *r);
struct verdict_facts verdict_facts_of(const struct result *r, const struct verdict_limits *limits);

/* Sectors of a line that passed the level beyond those that its accesses need, however they are cached; 0 when a
 * cache has absorbed them. */
uint64_t verdict_excess(const struct verdict_level *level, const struct counters *c);

/* The sentence, in plain text without a line end. */
void verdict_write(const struct verdict_facts *facts, FILE *out);

#endif
