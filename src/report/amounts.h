/* amounts.h - what reports make of the counters of a line, an array or a run. */
#ifndef WARPLENS_REPORT_AMOUNTS_H
#define WARPLENS_REPORT_AMOUNTS_H

#include "result/result.h"
#include "sim/counters/counters.h"

struct report_amounts {
    uint64_t sectors, ideal_sectors; /* of global, read-only and local accesses */
    uint64_t transactions;           /* of global accesses */
    uint64_t passes, ideal_passes;   /* of shared and constant accesses */
};

struct report_amounts report_amounts(const struct counters *c);

/* Cycles in which a launch's blocks are started, one after another on the whole GPU: the least that the launch
 * takes; 0 where a GPU's time for that is not known. */
double report_start_cycles(const struct arch *arch, uint64_t blocks, uint64_t warps);

/* A ratio by its name in metrics.def; 0 when it has no value. */
double report_metric(const struct counters *c, const char *name);

#endif
