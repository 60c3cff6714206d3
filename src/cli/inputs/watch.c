/* watch.c - a program writes when it wants: what it writes to the terminal stays as it is only when nothing
 * else is written there. */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include "cli/inputs/watch.h"

#include <stdio.h>
#include <unistd.h>

#include "text/progress.h"

static bool has_program(const struct job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (jobs[i].input.kind == INPUT_PROGRAM)
            return true;
    return false;
}

void watch_start(const struct options *options, const struct job *jobs, size_t count, bool writes)
{
    const bool is_terminal = isatty(STDOUT_FILENO);
    if (writes && options->output == NULL && is_terminal)
        return;
    if (has_program(jobs, count) && (is_terminal || options->command_writes_data))
        return; /* data on standard output: the program's own output goes to standard error */
    progress_start(options->command);
}

void watch_job(const struct job *job, const struct session_gpu *gpus, size_t gpu_count)
{
    char title[320];
    const char *name = job->label[0] ? job->label : input_name(&job->input);
    if (gpu_count == 0)
        snprintf(title, sizeof title, "%.256s", name);
    else if (gpu_count == 1)
        snprintf(title, sizeof title, "%.256s on %s", name, gpus->model->name);
    else
        snprintf(title, sizeof title, "%.256s on %zu GPUs", name, gpu_count);
    progress_job(title);
}
