/* address_trace.h - the addresses that warps access on the CPU tracer, in the text that the GPU's recorder
 * writes (tools/cuda/recorder.h).
 */
#ifndef WARPLENS_TESTS_ADDRESS_TRACE_H
#define WARPLENS_TESTS_ADDRESS_TRACE_H

#include <stdbool.h>
#include <stdio.h>

enum { RUN_BYTES = 256 };

/* The next line `KERNEL name=value ...` of a file of runs, with every parameter of the kernel; blank
 * lines and # comments are passed over. False at the end of the file. A line that is no run fails the
 * test. */
bool address_next_run(FILE *runs, char run[RUN_BYTES]);

/* Traces such a run and writes its text. */
void address_trace(const char *run, FILE *out);

#endif
