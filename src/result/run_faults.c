/* run_faults.c - the faults of a run, launches added up. */
#include <stdlib.h>
#include <string.h>

#include "result/run_info.h"
#include "text/list.h"
#include "text/memory.h"

static bool same(const struct run_fault *a, const char *kernel, const struct trace_fault *b)
{
    const struct trace_fault *f = &a->fault;
    return f->kind == b->kind && f->line == b->line && f->stops == b->stops &&
           strcmp(f->array, b->array) == 0 && strcmp(f->file, b->file) == 0 &&
           strcmp(a->kernel, kernel) == 0;
}

void run_fault_free(struct run_fault *fault)
{
    free((void *)fault->fault.file);
    free((void *)fault->fault.array);
    free((void *)fault->fault.text);
    free(fault->kernel);
}

static bool copy(struct run_fault *to, const char *kernel, const struct trace_fault *from)
{
    *to = (struct run_fault){.fault = *from, .kernel = memory_copy(kernel)};
    to->fault.file = memory_copy(from->file);
    to->fault.array = memory_copy(from->array);
    to->fault.text = memory_copy(from->text);
    if (to->kernel && to->fault.file && to->fault.array && to->fault.text)
        return true;
    run_fault_free(to);
    return false;
}

/* The row of such faults, or the next one; the last place is kept for what stops the run. */
static struct run_fault *row_for(struct run_info *info, const char *kernel,
                                 const struct trace_fault *fault)
{
    const size_t most = RUN_FAULTS_MAX - !fault->stops;
    size_t i = 0;
    while (i < info->fault_count && !same(&info->faults[i], kernel, fault))
        i++;
    return i < most ? &info->faults[i] : NULL;
}

bool run_info_add_fault(struct run_info *info, const char *kernel, const struct trace_fault *fault)
{
    if (!LIST_MAKE_ROOM(info->faults, info->fault_count, info->fault_room))
        return false;
    struct run_fault *row = row_for(info, kernel, fault);
    info->fault_sums[fault->kind] += fault->count;
    info->has_stopped |= fault->stops;
    if (row == NULL)
        return true;
    if (row < info->faults + info->fault_count) {
        row->fault.count += fault->count;
        return true;
    }
    if (!copy(row, kernel, fault))
        return false;
    info->fault_count++;
    return true;
}

uint64_t run_info_faults(const struct run_info *info)
{
    uint64_t sum = 0;
    for (unsigned kind = 0; kind < FAULT_KINDS; kind++)
        sum += info->fault_sums[kind];
    return sum;
}

const struct run_fault *run_info_stop(const struct run_info *info)
{
    for (size_t i = info->fault_count; info->has_stopped && i-- > 0;)
        if (info->faults[i].fault.stops)
            return &info->faults[i];
    return NULL;
}
