/* library_program.c [TRACE] - a program with the library, for tools/alloc_failures.py: reads a trace, or pushes
 * accesses, and prints all that there is to know. A failure is the library's message, and status 1. */
#include <stdio.h>

#include "warplens/warplens.h"

static bool push(struct warplens_run *run)
{
    const struct warplens_array arrays[] = {{.name = "in", .base = 0x100000, .bytes = 8192},
                                            {.name = "out", .base = 0x200000, .bytes = 8192}};
    const struct warplens_launch launch = {
        .kernel = "copy", .grid = {4}, .block = {64}, .arrays = arrays, .array_count = 2};
    struct warplens_access access = {.file = "copy.cu", .width = 4, .mask = WARPLENS_ALL_LANES};
    warplens_launch_begin(run, &launch);
    for (uint32_t i = 0; i < 8; i++) {
        access.block = i / 2;
        access.warp = i % 2;
        for (access.line = 1; access.line <= 40;
             access.line++) { /* more places than there is room for at first */
            access.op = access.line == 40 ? WARPLENS_STORE : WARPLENS_LOAD;
            access.base = (access.line == 40 ? 0x200000 : 0x100000) + 128 * i;
            access.stride = 4 + 4 * (access.line & 1);
            warplens_add_access(run, &access);
        }
    }
    warplens_launch_end(run);
    return warplens_finish(run);
}

static bool print_counts(const struct warplens_counts *counts)
{
    double requests;
    if (counts == NULL || !warplens_value(counts, "global_load_requests", &requests))
        return false;
    printf("%s %u: %.0f\n", warplens_counts_name(counts), warplens_counts_line(counts), requests);
    return true;
}

static bool print_all(struct warplens_run *run)
{
    struct warplens_verdict verdict;
    bool fine = true;
    for (size_t gpu = 0; fine && gpu < 2; gpu++) {
        for (size_t i = 0; fine && i < warplens_line_count(run); i++)
            fine = print_counts(warplens_line_at(run, gpu, i));
        for (size_t i = 0; fine && i < warplens_array_count(run); i++)
            fine = print_counts(warplens_array_at(run, gpu, i));
        for (size_t i = 0; fine && i < warplens_launch_count(run); i++)
            fine = print_counts(warplens_launch_at(run, gpu, i));
        fine = fine && warplens_get_verdict(run, gpu, &verdict) && puts(verdict.sentence) >= 0;
    }
    for (unsigned format = WARPLENS_TEXT; fine && format <= WARPLENS_CSV; format++)
        fine = warplens_report(run, (enum warplens_format)format, stdout);
    return fine && warplens_expect_total_at_least(run, "warps", 1);
}

int main(int count, char **arguments)
{
    struct warplens_run *run = warplens_run_new();
    const bool fine = warplens_add_gpu(run, "gtx280") && warplens_add_gpu(run, "h200") &&
                      (count > 1 ? warplens_read_trace(run, arguments[1], NULL) : push(run)) &&
                      print_all(run);
    if (!fine)
        fprintf(stderr, "%s\n", warplens_message(run));
    warplens_run_free(run);
    return fine ? 0 : 1;
}
