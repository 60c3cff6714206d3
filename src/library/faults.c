/* faults.c - what the kernels of a run did wrong, as its trace says. */
#include "library/library.h"
#include "report/faults.h"

static const struct run_info *info_of(const struct warplens_run *run)
{
    return run && run->stage == LIBRARY_DONE ? run->results[0].info : NULL;
}

size_t warplens_fault_count(const struct warplens_run *run)
{
    const struct run_info *info = info_of(run);
    return info ? info->fault_count : 0;
}

bool warplens_has_failed(const struct warplens_run *run)
{
    const struct run_info *info = info_of(run);
    return info && info->has_stopped;
}

bool warplens_get_fault(struct warplens_run *run, size_t index, struct warplens_fault *fault)
{
    if (fault == NULL || !library_is_in(run, LIBRARY_DONE, "give a fault"))
        return false;
    const struct run_info *info = info_of(run);
    if (index >= info->fault_count)
        return library_fail(run, "no fault %zu: the run has %zu, numbered from 0", index,
                            info->fault_count);
    const struct run_fault *of = report_fault(info, index);
    const struct trace_fault *f = &of->fault;
    *fault = (struct warplens_fault){.kind = fault_kinds[f->kind].name,
                                     .remedy = fault_kinds[f->kind].remedy,
                                     .text = f->text,
                                     .stops = f->stops,
                                     .count = f->count,
                                     .kernel = of->kernel,
                                     .file = f->file,
                                     .line = f->line,
                                     .array = f->array,
                                     .space = (enum warplens_space)f->space,
                                     .op = (enum warplens_op)f->op,
                                     .width = f->width,
                                     .offset = f->offset,
                                     .array_bytes = f->array_bytes};
    for (int i = 0; i < 3; i++) {
        fault->block[i] = f->block[i];
        fault->thread[i] = f->thread[i];
    }
    return true;
}

bool warplens_expect_no_faults(struct warplens_run *run)
{
    struct text t;
    if (!library_is_in(run, LIBRARY_DONE, "be held to anything"))
        return false;
    if (info_of(run)->fault_count == 0)
        return true;
    report_faults_line(info_of(run), &t);
    return library_fail(run, "%s", t.s);
}
