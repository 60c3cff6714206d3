/* bench_engine.h - rates of the model of time, for `warplens bench`. */
#ifndef WARPLENS_CLI_COMMANDS_BENCH_ENGINE_H
#define WARPLENS_CLI_COMMANDS_BENCH_ENGINE_H

#include <stdio.h>

#include "models/arch.h"

/* Prints a table of rates; `baseline`: warp accesses a second to compare with. */
void bench_engine(const char *name, const struct arch *arch, double baseline,
                  double (*seconds_now)(void), FILE *out);

/* Prints the peak memory of this process after a trace of 10^6 accesses and, when `is_long`, of 10^8.
 */
void bench_engine_memory(const struct arch *arch, bool is_long, double (*seconds_now)(void),
                         FILE *out);

#endif
