/* run_verdict.h - what a run's counters come to, in one sentence. */
#ifndef WARPLENS_HTML_RUN_VERDICT_H
#define WARPLENS_HTML_RUN_VERDICT_H

#include <stdio.h>

#include "session/result.h"

/* What the sentence is chosen by: all of it follows from a result's counters. */
struct verdict_facts {
    const struct result *r;
    enum resource limiter;            /* held the kernel up for most of its time */
    double limited;                   /* share of the time; 0: without the model of time */
    const struct result_part *waster; /* the line with most sectors beyond the ideal; NULL: none */
    const struct result_part
        *conflicted;                  /* the line with most passes beyond the ideal; NULL: none */
    const struct result_part *camper; /* the line with most bytes on a hot partition; NULL: none */
    double excess;                    /* sectors beyond the ideal, of all sectors */
    double ways; /* passes over ideal passes, all shared and constant accesses */
    double used; /* bytes used of bytes that transactions move */
};

struct verdict_facts verdict_facts_of(const struct result *r);

/* The sentence, in plain text without a line end. */
void verdict_write(const struct verdict_facts *facts, FILE *out);

/* The number of the table's row that speaks; for tests. */
size_t verdict_rule(const struct verdict_facts *facts);

#endif
