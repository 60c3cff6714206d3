/* round.h - one round of advice: looks at a run, tries what the causes propose, keeps what saves. */
#ifndef WARPLENS_ADVISE_ROUND_H
#define WARPLENS_ADVISE_ROUND_H

#include "advise/advise.h"
#include "advise/causes.h"
#include "advise/measure.h"

/* A change that was run in time. */
struct trial {
    struct change change; /* owned */
    struct advice advice;
    uint16_t object; /* of a candidate that stands alone; otherwise NO_OBJECT */
    size_t order;    /* of the cause in the table, then of the candidate */
    const struct cause *cause;
    double least_saved; /* the candidate's */
};

struct round {
    struct measure *measure;
    const struct plan *plan;  /* what was changed before */
    struct observed observed; /* the run with those changes */
    struct result result;
    struct trial trials[ADVICE_MAX]; /* best first, each main change before its alternatives */
    size_t trial_count;
    struct advice_untried untried[UNTRIED_MAX];
    size_t untried_count;
    uint64_t runs;
    bool has_result, has_observed;
};

/* Fills a round; NULL, or what went wrong. round_free is due in any case. */
const char *round_run(struct round *round, struct measure *measure, const struct plan *plan,
                      uint32_t number);
void round_free(struct round *round);

#endif
