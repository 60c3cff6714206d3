/* ranges.h - the range of a modelled time, as reports write it. */
#ifndef WARPLENS_REPORT_RANGES_H
#define WARPLENS_REPORT_RANGES_H

#include <stdio.h>

#include "result/time_range.h"
#include "text/text.h"

/* "33.1 to 48.2" in us, with `between` in place of " to "; "-" where it is unknown. */
void report_range_us(const struct time_range *range, const char *between, struct text *t);
/* "33.1 to 48.2 us in 80 % of cases (212 measured: Hopper, latency, under 10 us)"; empty without the model
 * of time. */
void report_range(const struct time_range *range, struct text *t);
/* "time_range":{..}, the last byte being the brace; nothing without the model of time, and false. */
bool report_range_json(const struct time_range *range, FILE *out);

/* " The ranges of both overlap: of 212 measured pairs whose ... in that order.", behind a sentence that names the
 * faster one; nothing when they do not. `ratio`: of the longer modelled time to the shorter one, of related kernels on one
 * GPU; 0: of others, of whose order nothing was measured. */
void report_add_overlap(const char *whose, const struct time_range *a, const struct time_range *b,
                        double ratio, struct text *t);

#endif
