/* report.h - results -> bytes. Each format is one function of the same shape, and a row of the
 * table. */
#ifndef WARPLENS_REPORT_REPORT_H
#define WARPLENS_REPORT_REPORT_H

#include <stdio.h>

#include "text/quote.h"
#include "result/result.h"
#include "result/time_range.h"

struct advice_report;

struct report_options {
    bool full;   /* text: everything, not the head alone */
    bool blocks; /* also the partitions of blocks [block_first, block_last] */
    uint32_t block_first, block_last;
    bool timeline; /* also what the warps of a block did when, of runs that were asked for it */
    const struct advice_report *advice; /* html: one a result (advise/advise.h); NULL: none */
};

/* Writes `count` results. Errors of the stream are the caller's to check. */
void report_text(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out);
void report_json(const struct result *results, size_t count, const struct report_options *options,
                 FILE *out);
void report_csv(const struct result *results, size_t count, const struct report_options *options,
                FILE *out);

/* The parts of report_json, for results that are not all in memory: the head, each result or failure
 * with JSON_BETWEEN before all but the first, the tail. Of a result that failed the
 * info, the GPU and judge.arch suffice. */
#define JSON_BETWEEN ",\n"
void report_json_head(const char *compiler, FILE *out);
void report_json_result(const struct result *result, const struct report_options *options,
                        FILE *out);
void report_json_failure(const struct result *result, const char *error, FILE *out);
void report_json_tail(FILE *out);
/* Its "verdict". */
void report_json_verdict(const struct result *result, FILE *out);
/* Its "timeline", of a result that has one. */
void report_json_timeline(const struct result *result, FILE *out);

/* What a comparison shows of one result. The strings are owned. */
struct report_entry {
    size_t job; /* entries of one job are one kernel with the same parameters under several GPUs */
    char *label, *kernel, *gpu;
    char *params, *changes; /* "width=64 height=64"; fields of the GPU that were changed */
    char *error;            /* it failed, and has nothing of the rest; NULL: fine */
    char *first_fault;      /* in words; NULL: there is none */
    char *not_traced;       /* calls of libraries, in words; NULL: there is none */
    char *sampled;          /* how much was modelled in time, in words; NULL: all, unasked */
    bool has_stopped;       /* a fault has ended a kernel or the program */
    uint64_t fault_sums[FAULT_KINDS];
    struct counters total;
    struct time_range range;
    int64_t warps_per_sm, max_warps_per_sm; /* resident, allowed */
};

/* False without memory. */
bool report_entry_start(struct report_entry *entry, const struct result *result, size_t job);
void report_entry_free(struct report_entry *entry); /* what is in it */
void report_entries_free(struct report_entry *entries, size_t count);

/* One table of `count` results, job by job, each under the same GPUs. `wanted`: a comma list
 * of counters and ratios, "all", or NULL for those that tell layouts apart (csv: all). Rows that
 * are 0 everywhere are left out unless they are named. Text begins with what is fastest, unless counters are named. */
void report_compare_text(const struct report_entry *entries, size_t count, const char *wanted,
                         FILE *out);
void report_compare_csv(const struct report_entry *entries, size_t count, const char *wanted,
                        FILE *out);

/* What a report begins with: wrapped, strong at a terminal, and an empty line behind it. `indent`: up to 7 blanks. */
void report_put_sentence(const char *sentence, unsigned indent, FILE *out);

/* Whether a choice of counters names them: not NULL, not "all". */
bool report_names_counters(const char *wanted);
/* Whether a comma list holds a name. */
bool report_list_holds(const char *list, const char *name);
/* Whether the run has counted it, even when it is 0: not without the model of time that it belongs to. */
bool report_has_counter(const struct result *r, const struct counter_info *counter);

/* "name=value name=value": the kernel's parameters; the fields of the GPU that were changed, and cache_control=all. */
void report_put_params(const struct result *r, FILE *out);
void report_put_changes(const struct result *r, FILE *out);

bool report_has_changes(const struct result *r);

/* The next field, from *index on, whose value is not the model's (--set); NULL when there is none. */
const struct arch_field *report_next_change(const struct result *r, size_t *index);

/* A count with thousands separators, in `text`. */
enum { REPORT_NUMBER_BYTES = 32 };
const char *report_number(uint64_t value, char text[REPORT_NUMBER_BYTES]);

/* With two decimals, and thousands separators: "3,873.30". */
const char *report_fixed(double value, char text[REPORT_NUMBER_BYTES]);

/* A ratio or profiler value: whole numbers without decimals, others with two. */
const char *report_value(double value, char text[REPORT_NUMBER_BYTES]);

/* What is approximate: four digits; from 1,000 on the whole number. */
const char *report_rounded(double value, char text[REPORT_NUMBER_BYTES]);

/* For prose: three digits and a unit: "1.23 MB" (powers of 1000, as bandwidths have), "12.3 us", "1.23 million". */
const char *report_bytes(double bytes, char text[REPORT_NUMBER_BYTES]);
const char *report_time(double ns, char text[REPORT_NUMBER_BYTES]);
const char *report_amount(double count, char text[REPORT_NUMBER_BYTES]);

/* 0 when there is nothing to divide by. */
double report_share(uint64_t part, uint64_t whole);

#endif
