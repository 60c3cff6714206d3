/* rank.h - which of the trials are worth saying, and in which order. */
#ifndef WARPLENS_ADVISE_RANK_H
#define WARPLENS_ADVISE_RANK_H

#include "advise/round.h"

/* Sorts the round's trials and drops those that save nothing worth a change. */
void rank_trials(struct round *round);

#endif
