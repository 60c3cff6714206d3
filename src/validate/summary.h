/* summary.h - how far modelled values are from measured ones: errors, bias, rank correlation.
 *
 * The error of a pair is 100 * (modelled - measured) / measured, in percent; for counters that are
 * percentages themselves it is modelled - measured, in points. A measured 0 has no percent: a
 * modelled 0 is then equal, and anything else is counted apart, in no mean.
 */
#ifndef WARPLENS_VALIDATE_SUMMARY_H
#define WARPLENS_VALIDATE_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

struct summary_pair {
    double measured, modelled;
    double tolerance; /* the measured value is known to this: half of its last decimal place */
};

struct summary {
    size_t pairs;
    size_t equal;                      /* as far as the measured value's decimals go */
    size_t not_zero;                   /* measured 0, modelled not */
    size_t above;                      /* modelled over measured */
    size_t errors;                     /* pairs that have an error: the means are over these */
    double mean_absolute, worst, bias; /* worst: the largest by size, with its sign; else means */
    size_t worst_pair;                 /* a pair with not_zero when there is no error but those */
    bool has_rank;
    double rank; /* Spearman's: -1 to 1 */
};

/* False when the pair has no error in percent (measured 0, and no points). */
bool summary_error(const struct summary_pair *pair, bool points, double *error);
bool summary_equal(const struct summary_pair *pair);
/* How many pairs are equal or have an error of at most so much. */
size_t summary_within(const struct summary_pair *pairs, size_t count, bool points, double error);

/* False: no memory. */
bool summary_make(const struct summary_pair *pairs, size_t count, bool points,
                  struct summary *summary);

#endif
