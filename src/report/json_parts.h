/* json_parts.h - members of a run in JSON: what its lines and arrays do, and what its partitions move. */
#ifndef WARPLENS_REPORT_JSON_PARTS_H
#define WARPLENS_REPORT_JSON_PARTS_H

#include <stdio.h>

#include "report/report.h"

/* "counters". `whole`: the run that they are all of, whose zeros are written; NULL: of a part. */
void report_json_counters(const struct counters *counters, const struct result *whole, FILE *out);
/* "lines": one object a line: the kinds of access in it are told apart by the counters' names. */
void report_json_lines(const struct result *result, FILE *out);
/* "arrays". */
void report_json_arrays(const struct result *result, FILE *out);

/* "partitions": of DRAM. */
void report_json_partitions(const struct result *result, FILE *out);
/* ",windows": those and limiters over time, in some 32 windows. */
void report_json_windows(const struct usage *usage, FILE *out);
/* ",blocks": what each of the blocks that the options name moves. */
void report_json_blocks(const struct result *result, const struct report_options *options,
                        FILE *out);

#endif
