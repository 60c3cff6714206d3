/* gate_sheets.h - small reports in JSON for the tests of limits and comparisons. */
#ifndef WARPLENS_TESTS_GATE_SHEETS_H
#define WARPLENS_TESTS_GATE_SHEETS_H

#include "sweep/sheet.h"

/* Reads a report with runs that are the text; fails the test when it is none. Its members:
 * GATE_RUN(kernel, gpu, profiler, counters, lines). */
struct sheets gate_sheets(const char *runs);

#define GATE_NCU "Nsight Compute on sm_70 and later"
#define GATE_V12 "CUDA Visual Profiler on sm_12 and sm_13"
#define GATE_RUN(kernel, gpu, profiler, counters, lines)                                           \
    "{\"kernel\":\"" kernel "\",\"gpu\":\"" gpu "\",\"params\":{},\"set\":{},\"counters\":{"       \
    "\"launches\":1," counters "},\"profiler\":{\"name\":\"" profiler "\"},\"lines\":[" lines      \
    "],\"arrays\":[]}"
/* A line with one kind of access. */
#define GATE_LINE(file, line, space, op, array, counters)                                          \
    "{\"file\":\"" file "\",\"line\":" line ",\"accesses\":[{\"space\":\"" space "\",\"op\":\"" op \
    "\",\"array\":\"" array "\"}],\"counters\":{" counters "}}"

#endif
