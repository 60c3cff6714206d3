/* report.h - results -> bytes. Each format is one function of the same shape, and a row of the
 * table. */
#ifndef WARPLENS_REPORT_REPORT_H
#define WARPLENS_REPORT_REPORT_H

#include <stdio.h>

#include "report/quote.h"
#include "session/result.h"

struct report_options {
    bool blocks; /* also the partitions of blocks [block_first, block_last] */
    uint32_t block_first, block_last;
    const char *compiler; /* that built the kernels */
};

/* Writes `count` results. Errors of the stream are the caller's to check. */
void report_text(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out);
void report_json(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out);
void report_csv(const struct result *results, size_t count, const struct report_options *options,
                FILE *out);

/* One table of `count` results, kernel by kernel, each under the same GPUs. `wanted`: a comma list
 * of counters and ratios, "all", or NULL for those that tell layouts apart (csv: all). Rows that
 * are 0 everywhere are left out unless they are named. */
void report_compare_text(const struct result *results, size_t count, const char *wanted, FILE *out);
void report_compare_csv(const struct result *results, size_t count, const char *wanted, FILE *out);

/* "load", "store", "atomic" and "global", "shared", ... */
const char *report_op_name(enum mem_op op);
const char *report_space_name(enum mem_space space);

/* The next field, from *index on, whose value is not the model's (--set); NULL when there is none. */
const struct arch_field *report_next_change(const struct result *r, size_t *index);

/* A count with thousands separators, in `text`. */
enum { REPORT_NUMBER_BYTES = 32 };
const char *report_number(uint64_t value, char text[REPORT_NUMBER_BYTES]);

/* A ratio or profiler value: whole numbers without decimals, others with two. */
const char *report_value(double value, char text[REPORT_NUMBER_BYTES]);

#endif
