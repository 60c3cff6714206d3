/* verdict.h - what a run comes to: what held the kernel up, which accesses have to do with it, and one sentence
 * that says so. Every form of report has it from here.
 */
#ifndef WARPLENS_REPORT_VERDICT_H
#define WARPLENS_REPORT_VERDICT_H

#include "result/result.h"

enum { VERDICT_BYTES = 1024 };

struct verdict {
    bool is_timed; /* false: the rules alone; limiter and share say nothing */
    enum resource limiter;
    double share;                       /* of the time in which it held the kernel up, 0 to 1 */
    const struct result_part *accesses; /* of result.accesses: those to blame; NULL: none */
    const char *figure;           /* the counter or ratio that shows it (`warplens counters`) */
    double value;                 /* ... of these accesses, or of the whole run */
    char sentence[VERDICT_BYTES]; /* plain text without a line end */
};

/* `accesses` points into the result. */
void verdict_make(struct verdict *verdict, const struct result *r);

#endif
