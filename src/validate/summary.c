/* summary.c - means over pairs, and Spearman's rank correlation. */
#include "validate/summary.h"
#include "text/memory.h"

#include <math.h>
#include <stdlib.h>

enum { RANK_PAIRS_MIN = 3 };

/* Sums of doubles differ in their last digits. */
static const double rounding = 1e-9;

bool summary_equal(const struct summary_pair *pair)
{
    double difference = fabs(pair->modelled - pair->measured);
    return difference <= pair->tolerance * (1 + rounding) + rounding * fabs(pair->measured);
}

bool summary_error(const struct summary_pair *pair, bool points, double *error)
{
    *error = pair->modelled - pair->measured;
    if (points)
        return true;
    if (pair->measured == 0)
        return false;
    *error *= 100 / pair->measured;
    return true;
}

struct ranked {
    double value, rank;
    size_t pair;
};

static int by_value(const void *a, const void *b)
{
    double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

static int by_pair(const void *a, const void *b)
{
    size_t x = ((const struct ranked *)a)->pair, y = ((const struct ranked *)b)->pair;
    return (x > y) - (x < y);
}

/* Ranks from 1; equal values share the average of theirs. */
static void rank(struct ranked *ranked, size_t count)
{
    qsort(ranked, count, sizeof *ranked, by_value);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && ranked[end].value == ranked[i].value;)
            end++;
        for (size_t k = i; k < end; k++)
            ranked[k].rank = (double)(i + 1 + end) / 2;
    }
    qsort(ranked, count, sizeof *ranked, by_pair);
}

/* The correlation of the ranks; false when one side is constant. */
static bool correlation(const struct ranked *x, const struct ranked *y, size_t count, double *rho)
{
    double mean = (double)(count + 1) / 2, xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        double dx = x[i].rank - mean, dy = y[i].rank - mean;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    *rho = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
    return xx > 0 && yy > 0;
}

static bool spearman(const struct summary_pair *pairs, size_t count, struct summary *summary)
{
    if (count < RANK_PAIRS_MIN)
        return true;
    struct ranked *x = memory_take(1, 2 * count * sizeof *x);
    if (x == NULL)
        return false;
    struct ranked *y = x + count;
    for (size_t i = 0; i < count; i++) {
        x[i] = (struct ranked){.value = pairs[i].measured, .pair = i};
        y[i] = (struct ranked){.value = pairs[i].modelled, .pair = i};
    }
    rank(x, count);
    rank(y, count);
    summary->has_rank = correlation(x, y, count, &summary->rank);
    free(x);
    return true;
}

static void add_pair(struct summary *s, const struct summary_pair *pair, size_t i, bool points)
{
    double error;
    bool equal = summary_equal(pair);
    bool has_error = summary_error(pair, points, &error);
    s->equal += equal;
    s->above += !equal && pair->modelled > pair->measured;
    if (!has_error && !equal && s->not_zero++ == 0 && s->worst == 0)
        s->worst_pair = i;
    if (!has_error)
        return;
    if (equal)
        error = 0;
    if (fabs(error) > fabs(s->worst)) {
        s->worst = error;
        s->worst_pair = i;
    }
    s->errors++;
    s->mean_absolute += fabs(error);
    s->bias += error;
}

size_t summary_within(const struct summary_pair *pairs, size_t count, bool points, double allowed)
{
    size_t within = 0;
    for (size_t i = 0; i < count; i++) {
        double error;
        within += summary_equal(&pairs[i]) ||
                  (summary_error(&pairs[i], points, &error) && fabs(error) <= allowed);
    }
    return within;
}

bool summary_make(const struct summary_pair *pairs, size_t count, bool points,
                  struct summary *summary)
{
    *summary = (struct summary){.pairs = count};
    for (size_t i = 0; i < count; i++)
        add_pair(summary, &pairs[i], i, points);
    if (summary->errors) {
        summary->mean_absolute /= (double)summary->errors;
        summary->bias /= (double)summary->errors;
    }
    return spearman(pairs, count, summary);
}
