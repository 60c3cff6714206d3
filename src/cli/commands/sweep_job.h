/* sweep_job.h - does a job of a sweep and writes its line. */
#ifndef WARPLENS_CLI_COMMANDS_SWEEP_JOB_H
#define WARPLENS_CLI_COMMANDS_SWEEP_JOB_H

#include "cli/commands/sweep_plan.h"

/* Writes how the job went, a byte, and its line, whole. */
enum { SWEEP_JOB_FINE = 'f', SWEEP_JOB_FAILED = 'e', SWEEP_JOB_BUG = 'b' };
void sweep_job_run(const struct sweep_plan *plan, size_t k, FILE *out);

#endif
