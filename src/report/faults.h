/* faults.h - the faults of a run, in the forms of a report. */
#ifndef WARPLENS_REPORT_FAULTS_H
#define WARPLENS_REPORT_FAULTS_H

#include <stdio.h>

#include "result/result.h"
#include "text/text.h"

/* Whether no launch was complete: there is nothing to report but the fault. */
bool report_is_empty(const struct result *r);

/* Fault n of a run, from 0 on, in a report's order: the one that has stopped the run, and the others as they came. */
const struct run_fault *report_fault(const struct run_info *info, size_t n);
/* Adds "96 faults: 64 out_of_bounds, 32 unwritten_shared." */
void report_add_fault_sums(const uint64_t sums[FAULT_KINDS], struct text *t);
/* In words, of a run that has some: the one that has stopped it, or else the first. */
const char *report_first_fault(const struct run_info *info);
/* Of a run that has some: "FAILED: ... 96 faults: 64 out_of_bounds, 32 unwritten_shared." */
void report_faults_headline(const struct run_info *info, struct text *t);
/* The same and the first of them, for messages. */
void report_faults_line(const struct run_info *info, struct text *t);

/* The headline, and each place with what to do; nothing when there is none. `full`: all places. */
void report_faults_text(const struct run_info *info, bool full, FILE *out);
/* "faults": what docs/report.md says. */
void report_faults_json(const struct run_info *info, FILE *out);

#endif
