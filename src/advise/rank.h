/* rank.h - which of the trials are worth saying, and in which order. */
#ifndef WARPLENS_ADVISE_RANK_H
#define WARPLENS_ADVISE_RANK_H

#include "advise/round.h"

/* Drops trials that will not be said: all variants of a remedy but the best, and what saves too little. */
void rank_make_room(struct round *round);

/* Sorts the round's trials and drops those that save nothing worth a change. */
void rank_trials(struct round *round);

#endif
