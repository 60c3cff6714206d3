/* bench_trace.h - rates of binary traces, for `warplens bench`. */
#ifndef WARPLENS_CLI_COMMANDS_BENCH_TRACE_H
#define WARPLENS_CLI_COMMANDS_BENCH_TRACE_H

#include <stdio.h>

#include "session/session.h"

/* Prints how fast a trace of a coalesced copy is written, read, and replayed from a file: under the
 * rules alone, with the whole model of time, and under two GPUs at once. False: no memory, or no
 * temporary file. */
bool bench_trace(const struct session_gpu *gpu, double (*seconds_now)(void), FILE *out);

#endif
