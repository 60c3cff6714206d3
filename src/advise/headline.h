/* headline.h - the first sentence of a report: what to do first, or that nothing was found. */
#ifndef WARPLENS_ADVISE_HEADLINE_H
#define WARPLENS_ADVISE_HEADLINE_H

#include "advise/advise.h"
#include "text/text.h"

void headline_write(char text[ADVICE_TEXT_BYTES], const struct advice_report *report);

/* What else is to be said where no change was found: which lines waste something, and what was looked for.
 * "" where there is advice. */
void headline_add_waste(struct text *t, const struct advice_report *report);

#endif
