/* verdict_facts.h - what a verdict is chosen by. Internal to verdict.c, verdict_facts.c and verdict_words.c. */
#ifndef WARPLENS_REPORT_VERDICT_FACTS_H
#define WARPLENS_REPORT_VERDICT_FACTS_H

#include "report/verdict.h"
#include "text/text.h"

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

/* All of it follows from a result's counters. Accesses are of result.accesses, NULL when there are none. */
struct verdict_facts {
    const struct result *r;
    struct verdict_limits limits;
    struct verdict_level level;
    const struct result_part *waster;     /* most sectors beyond the ideal at the level */
    const struct result_part *mover;      /* most sectors at the level */
    const struct result_part *conflicted; /* most passes beyond the ideal, where they can matter */
    const struct result_part *camper;     /* most bytes on a hot partition */
    const struct result_part *waited;     /* most of the waiting is for them */
    const struct result_part *pager;      /* most page faults */
    const struct result_part *guest;      /* most sectors of the host's memory */
    double starts; /* part of the time that the starts of blocks take, one after another */
    double ways;   /* passes over ideal passes, of these accesses */
};

struct verdict_limits verdict_limits_of(const struct result *r);
struct verdict_facts verdict_facts_of(const struct result *r, const struct verdict_limits *limits);

/* Sectors of accesses that passed the level beyond those that they need, however they are cached; 0 when a
 * cache has absorbed them. */
uint64_t verdict_excess(const struct verdict_level *level, const struct counters *c);

/* The verdict that follows from the facts: verdict_make without the limits, which tests make up. */
void verdict_from_facts(struct verdict *verdict, const struct verdict_facts *facts);

/* Whether the first limiter is enough to tell of. */
bool verdict_is_mostly(const struct verdict_limits *limits);

/* A sentence of plain words and {names} of facts, which verdict_words.c has a table of. */
void verdict_put_words(const struct verdict_facts *facts, const char *sentence, struct text *out);

#endif
