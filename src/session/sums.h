/* sums.h - counters by site -> counters by source line and by array. */
#ifndef WARPLENS_SESSION_SUMS_H
#define WARPLENS_SESSION_SUMS_H

#include "result/result.h"

/* result->sums has the counters of the first `met` sites of result->info: makes the result's accesses, lines and
 * arrays of them, which are in result->sums from then on, and adds them to result->total. False when memory is short. */
bool sums_make(struct result *result, size_t met);

#endif
