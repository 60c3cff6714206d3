/* words.h - what advice says, put together from its candidates. */
#ifndef WARPLENS_ADVISE_WORDS_H
#define WARPLENS_ADVISE_WORDS_H

#include "advise/causes.h"

/* Adds a candidate's words to those that the advice has. */
void words_add(struct advice *advice, const struct observed *observed, const struct candidate *c);

/* What the change costs: `extra`, or "" ; bytes of memory. */
void words_cost(struct advice *advice, const char *extra);

#endif
