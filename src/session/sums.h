/* sums.h - counters by site -> counters by source line and by array. */
#ifndef WARPLENS_SESSION_SUMS_H
#define WARPLENS_SESSION_SUMS_H

#include "result/result.h"

/* Fills result->lines and result->arrays from result->sites and result->info, and adds the sites to
 * result->total. False when memory is short. */
bool sums_make(struct result *result);

#endif
