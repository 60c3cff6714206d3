/* not_traced.h - calls of libraries, whose kernels are in none of a run's figures, in the forms of a report. */
#ifndef WARPLENS_REPORT_NOT_TRACED_H
#define WARPLENS_REPORT_NOT_TRACED_H

#include <stdio.h>

#include "result/run_info.h"
#include "text/text.h"

/* "Not traced, since ...: cublasSgemm 3 calls, cublasSdot 1 call."; empty when there are none. */
void report_not_traced(const struct run_info *info, struct text *t);
/* The same as a paragraph; nothing when there are none. */
void report_not_traced_text(const struct run_info *info, FILE *out);
/* "not_traced": {"cublasSgemm":3,...} */
void report_not_traced_json(const struct run_info *info, FILE *out);

#endif
