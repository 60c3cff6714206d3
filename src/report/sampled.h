/* sampled.h - how much of a run was modelled in time, in words and as data. */
#ifndef WARPLENS_REPORT_SAMPLED_H
#define WARPLENS_REPORT_SAMPLED_H

#include "result/result.h"
#include "text/text.h"

/* "12 of 400 waves of blocks (--sample); the time is right to within 1.5 %"; empty when that was not asked for. */
void report_sampled(const struct result *result, struct text *t);

/* A field of a result in JSON and the line's end; nothing when that was not asked for. */
void report_sampled_json(const struct result *result, FILE *out);

/* How far the time may be off, in percent of it. */
double report_sampled_error(const struct result *result);

#endif
