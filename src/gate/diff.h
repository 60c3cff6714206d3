/* diff.h - two results against each other: which run and which line of one is which of the other, and what
 * differs. */
#ifndef WARPLENS_GATE_DIFF_H
#define WARPLENS_GATE_DIFF_H

#include <stdio.h>

#include "sim/counters/quantity.h"
#include "sweep/sheet.h"

/* One kind of access of one line. */
struct diff_spot {
    const struct sheet_part *line;
    uint8_t space, op;  /* enum mem_space, enum access_word */
    bool is_whole_line; /* the line has no other kind: all its counters are of this one */
};

/* A spot and its partner; without one `after`, or `before`, has no line. */
struct diff_match {
    struct diff_spot before, after;
    bool is_ambiguous; /* there is no partner because there are several */
};

/* Two runs; without a partner one is NULL. */
struct diff_pair {
    const struct sheet *before, *after;
    struct diff_match
        *matches; /* owned: in the order of the lines before, then those after alone */
    size_t match_count;
};

struct diff {
    struct diff_pair *pairs; /* owned: in the order of the runs before, then those after alone */
    size_t count;
};

/* False without memory. The sheets must outlive it. diff_free frees in either case. */
bool diff_start(struct diff *diff, const struct sheets *before, const struct sheets *after);
void diff_free(struct diff *diff);

/* Pairs the runs, and the spots of two runs: diff_match.c. */
bool diff_match_runs(struct diff *diff, const struct sheets *before, const struct sheets *after);
bool diff_match_lines(struct diff_pair *pair);

/* A quantity on both sides. */
struct diff_row {
    struct quantity quantity;
    bool has_before, has_after;
    double before, after;
};
/* "better", "worse", or "" where nothing is said. */
const char *diff_word(const struct diff_row *row);
bool diff_row_differs(const struct diff_row *row);
/* after - before and after / before; NAN when there is none. */
double diff_difference(const struct diff_row *row);
double diff_ratio(const struct diff_row *row);

/* Calls `take` for the counters and ratios of two runs (match NULL) or spots: those that differ, and those
 * that `wanted` names. `wanted`: a comma list; "all": all that differ; NULL: of those the ones that tell
 * layouts apart. Returns how many differ of those that were not taken. */
size_t diff_each_row(const struct diff_pair *pair, const struct diff_match *match,
                     const char *wanted, void *context,
                     void (*take)(void *context, const struct diff_row *row));

void diff_write_text(const struct diff *diff, const char *wanted, FILE *out);
void diff_write_json(const struct diff *diff, const char *wanted, FILE *out);
void diff_write_csv(const struct diff *diff, const char *wanted, FILE *out);
/* Whether a row that is written differs, or something has no partner. */
bool diff_differs(const struct diff *diff, const char *wanted);

#endif
