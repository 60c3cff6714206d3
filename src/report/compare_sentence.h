/* compare_sentence.h - a comparison in one sentence: for compare.c. */
#ifndef WARPLENS_REPORT_COMPARE_SENTENCE_H
#define WARPLENS_REPORT_COMPARE_SENTENCE_H

#include "report/report.h"
#include "text/text.h"

enum { COMPARE_CONTENDERS_MAX = 64 }; /* of more the first */

/* Of `lines` times `columns` entries; empty where there is nothing to compare: one entry, failures alone, or the rules
 * of several GPUs, which count different things. */
void compare_sentence(struct text *t, const struct report_entry *entries, size_t lines,
                      size_t columns, bool columns_are_gpus);

#endif
