/* bench_rates.h - the longer measurements of `warplens bench`. */
#ifndef WARPLENS_CLI_COMMANDS_BENCH_RATES_H
#define WARPLENS_CLI_COMMANDS_BENCH_RATES_H

#include <stdio.h>

#include "report/table.h"
#include "session/session.h"
#include "text/seconds.h"

/* The columns of seconds that stand beside a rate, which is by processor time. */
void bench_seconds_heads(struct table *table);
void bench_seconds(struct table *table, struct spent spent);

struct sim_options;

/* What the model of time is measured with. */
struct engine_gpu {
    const char *name;
    const struct arch *arch;
    const struct sim_options *options;
};

/* Prints a table of rates of the model of time; `baseline`: warp accesses a second of processor time to compare with.
 * False: no memory. */
bool bench_engine(const struct engine_gpu *gpu, double baseline, FILE *out);

/* Prints time and memory of the model of time for a trace of 10^6 accesses and, when `is_long`, also for
 * ten times as many, and so on up to 10^9. The memory is the process's: call it first. False: no memory. */
bool bench_engine_growth(const struct engine_gpu *gpu, bool is_long, FILE *out);

/* Prints how fast a binary trace of a coalesced copy is written, read, and replayed from a file: under the
 * rules alone, with the whole model of time, and under two GPUs at once. False: no memory, or no
 * temporary file. */
bool bench_trace(const struct session_gpu *gpu, FILE *out);

#endif
