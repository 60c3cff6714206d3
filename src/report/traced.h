/* traced.h - how many of a run's launches were traced, in words. */
#ifndef WARPLENS_REPORT_TRACED_H
#define WARPLENS_REPORT_TRACED_H

#include "result/run_info.h"
#include "text/text.h"

/* "2 of 301 launches; 299 repeat one of them, and count with its figures"; empty when all were traced. */
void report_traced(const struct run_info *info, struct text *t);

#endif
