/* sums.c - a linear search is enough: a kernel has tens of lines. */
#include "session/sums.h"

#include <stdlib.h>
#include <string.h>

static bool same_part(const struct result_part *part, const struct trace_site *site, bool by_array)
{
    if (part->space != site->space)
        return false;
    if (by_array)
        return strcmp(part->array, site->array) == 0;
    return part->op == site->op && part->line == site->line && strcmp(part->file, site->file) == 0;
}

/* The part of that line or array, added at the end when it is new. `room` suffices. */
static struct result_part *part_for(struct result_part *parts, size_t *count,
                                    const struct trace_site *site, bool by_array)
{
    for (size_t i = 0; i < *count; i++)
        if (same_part(&parts[i], site, by_array))
            return &parts[i];
    struct result_part *part = &parts[(*count)++];
    *part = by_array
                ? (struct result_part){.array = site->array, .space = site->space}
                : (struct result_part){
                      .file = site->file, .line = site->line, .space = site->space, .op = site->op};
    return part;
}

static int compare_lines(const void *a, const void *b)
{
    const struct result_part *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    if (order == 0)
        order = x->space - y->space;
    return order ? order : x->op - y->op;
}

bool sums_make(struct result *result)
{
    const struct trace_site *sites = result->info->sites;
    const size_t site_count = result->info->site_count;
    result->lines = calloc(site_count + 1, sizeof *result->lines);
    result->arrays = calloc(site_count + 1, sizeof *result->arrays);
    if (result->lines == NULL || result->arrays == NULL)
        return false;
    for (size_t i = 0; i < site_count && i < result->site_count; i++) {
        const struct counters *c = &result->sites[i];
        counters_add(&part_for(result->lines, &result->line_count, &sites[i], false)->counters, c);
        counters_add(&part_for(result->arrays, &result->array_count, &sites[i], true)->counters, c);
        counters_add(&result->total, c);
    }
    qsort(result->lines, result->line_count, sizeof *result->lines, compare_lines);
    return true;
}
