/* excess.h - what a run wastes, site by site: so that no advice is not taken for no waste. */
#ifndef WARPLENS_ADVISE_EXCESS_H
#define WARPLENS_ADVISE_EXCESS_H

#include "session/session.h"

/* The accesses to one array by one line. */
struct excess {
    const struct trace_site *site; /* the first of them; the run's */
    uint64_t moved, ideal;         /* sectors; passes where the site is one of shared memory */
};

/* Those that move more than 1.5 times the sectors that their words need, or have bank conflicts; those
 * that waste most come first. NULL when memory is short; to be freed. */
struct excess *excess_find(const struct result *result, size_t *count);

#endif
