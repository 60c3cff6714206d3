/* watch.h - whether the line of progress (text/progress.h) can stand at the terminal, and what it names. */
#ifndef WARPLENS_CLI_INPUTS_WATCH_H
#define WARPLENS_CLI_INPUTS_WATCH_H

#include "cli/inputs/choose.h"

/* Begins it, unless somebody writes to the terminal meanwhile: the command to standard output, when
 * `writes`, or a program among the jobs. progress_end is due in any case. */
void watch_start(const struct options *options, const struct job *jobs, size_t count, bool writes);

/* One of them begins, under so many GPUs (0: none). */
void watch_job(const struct job *job, const struct session_gpu *gpus, size_t gpu_count);

#endif
