/* harness_runs.h - the runs to make, and what went wrong in one. */
#ifndef WARPLENS_HARNESS_RUNS_H
#define WARPLENS_HARNESS_RUNS_H

#include <string>
#include <vector>

#include "gallery_list.h"

struct harness_run {
    int number; /* its line in the file */
    const gallery_kernel *kernel;
    long long values[GALLERY_PARAMS_MAX];
    std::string parameters; /* all of them: "n=1024 block=256" */

    gallery_args arguments() const;
};

/* Reads `KERNEL name=value ...` lines. False after a message with file and line. */
bool harness_read_runs(const char *path, std::vector<harness_run> &runs);

int harness_print_kernels();

/* The first failure of the running kernel's host code, or NULL. */
const char *harness_failure();
void harness_forget_failure();

#endif
