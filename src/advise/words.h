/* words.h - what advice says, put together from its candidates. */
#ifndef WARPLENS_ADVISE_WORDS_H
#define WARPLENS_ADVISE_WORDS_H

#include "advise/causes.h"

/* Fills where, why and change from the candidates that are one change. Texts that are alike but for the
 * array, which they have as OBJECT_MARK, become one. */
void words_fill(struct advice *advice, const struct observed *observed,
                const struct candidate *const *members, size_t count);

/* Adds an array and its lines: "tile (transpose.c:38, 46)". */
void words_add_place(char text[ADVICE_TEXT_BYTES], const struct observed *observed,
                     uint16_t object);

/* What to do, in a few words: "Pad the rows". */
void words_order(char text[ADVICE_TEXT_BYTES], const struct advice *advice);

/* What to do, where, and what it saves, in one sentence: "Pad the rows (tile, mm.cu:7): 35.6 -> 10.8 us, 3.3
 * times as fast." */
void words_headline(char text[ADVICE_TEXT_BYTES], const struct advice *advice);

/* What the change costs: `extra`, or "" ; bytes of memory. */
void words_cost(struct advice *advice, const char *extra);

#endif
