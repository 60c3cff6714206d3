/* entry.c - what a comparison needs of a result, so that results that were written elsewhere can be
 * compared as well. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report/faults.h"
#include "report/not_traced.h"
#include "report/report.h"
#include "report/sampled.h"
#include "text/memory.h"

/* What `put` writes, as a string; NULL without memory. */
static char *text_of(const struct result *r, void (*put)(const struct result *, FILE *))
{
    char *text;
    size_t bytes;
    FILE *out = memory_stream(&text, &bytes);
    if (out == NULL)
        return NULL;
    put(r, out);
    return fclose(out) == 0 ? text : NULL;
}

static bool add_faults(struct report_entry *entry, const struct result *r)
{
    entry->first_fault = memory_copy(report_first_fault(r->info));
    entry->has_stopped = r->info->has_stopped;
    memcpy(entry->fault_sums, r->info->fault_sums, sizeof entry->fault_sums);
    if (report_is_empty(r))
        entry->error = memory_copy(run_info_stop(r->info)->fault.text);
    return entry->first_fault && (entry->error || !report_is_empty(r));
}

static bool add_not_traced(struct report_entry *entry, const struct run_info *info)
{
    struct text t;
    report_not_traced(info, &t);
    entry->not_traced = t.length ? memory_copy(t.s) : NULL;
    return t.length == 0 || entry->not_traced;
}

static bool add_sampled(struct report_entry *entry, const struct result *r)
{
    struct text t;
    report_sampled(r, &t);
    entry->sampled = t.length ? memory_copy(t.s) : NULL;
    return t.length == 0 || entry->sampled;
}

bool report_entry_start(struct report_entry *entry, const struct result *r, size_t job)
{
    *entry = (struct report_entry){
        .job = job,
        .label = memory_copy(r->label),
        .kernel = memory_copy(r->info->kernel),
        .gpu = memory_copy(r->gpu->name),
        .params = text_of(r, report_put_params),
        .changes = text_of(r, report_put_changes),
        .total = r->total,
        .range = time_range_of(r),
        .warps_per_sm = r->occupancy.warps_per_sm,
        .max_warps_per_sm = r->arch.warps_per_sm,
    };
    if (r->info->fault_count && !add_faults(entry, r))
        return false;
    if (!add_not_traced(entry, r->info) || !add_sampled(entry, r))
        return false;
    return entry->label && entry->kernel && entry->gpu && entry->params && entry->changes;
}

void report_entry_free(struct report_entry *entry)
{
    free(entry->label);
    free(entry->kernel);
    free(entry->gpu);
    free(entry->params);
    free(entry->changes);
    free(entry->error);
    free(entry->first_fault);
    free(entry->not_traced);
    free(entry->sampled);
}

void report_entries_free(struct report_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        report_entry_free(&entries[i]);
    free(entries);
}
