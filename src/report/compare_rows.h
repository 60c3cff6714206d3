/* compare_rows.h - what a comparison's table and its CSV share. */
#ifndef WARPLENS_REPORT_COMPARE_ROWS_H
#define WARPLENS_REPORT_COMPARE_ROWS_H

#include "report/report.h"
#include "sim/counters/quantity.h"

enum { COMPARE_GPU_BYTES = 256 };

/* False: it failed, or has no such value. */
bool compare_value_of(const struct quantity *quantity, const struct report_entry *entry,
                      double *value);

/* The GPU's name; where its job has another one of that name, with what was changed in it. */
const char *compare_gpu_label(const struct report_entry *entries, size_t count, size_t i,
                              char text[COMPARE_GPU_BYTES]);

/* Calls `take` for every wanted counter and ratio, in the order of their tables. */
void compare_each_row(const struct report_entry *entries, size_t count, const char *wanted,
                      void *context, void (*take)(void *context, const struct quantity *row));

#endif
