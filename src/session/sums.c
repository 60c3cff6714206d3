/* sums.c - a linear search is enough: a kernel has tens of lines. */
#include "session/sums.h"

#include <stdlib.h>
#include <string.h>

/* What the parts of a list have in common. */
enum kind { OF_LINE = 1, OF_ARRAY = 2, OF_BOTH = OF_LINE | OF_ARRAY };

static bool same_part(const struct result_part *part, const struct trace_site *site, enum kind kind)
{
    if (part->space != site->space)
        return false;
    if ((kind & OF_ARRAY) && strcmp(part->array, site->array) != 0)
        return false;
    return !(kind & OF_LINE) || (part->op == site->op && part->line == site->line &&
                                 strcmp(part->file, site->file) == 0);
}

/* The part that a site belongs to, added at the end when it is new. `parts` has the room. */
static struct result_part *part_for(struct result_part *parts, size_t *count,
                                    const struct trace_site *site, enum kind kind)
{
    for (size_t i = 0; i < *count; i++)
        if (same_part(&parts[i], site, kind))
            return &parts[i];
    struct result_part *part = &parts[(*count)++];
    *part = (struct result_part){.space = site->space};
    if (kind & OF_ARRAY)
        part->array = site->array;
    if (kind & OF_LINE) {
        part->file = site->file;
        part->line = site->line;
        part->op = site->op;
    }
    return part;
}

static void add_to(struct result_part *parts, size_t *count, const struct trace_site *site,
                   enum kind kind, const struct counters *c)
{
    counters_add(&part_for(parts, count, site, kind)->counters, c);
}

static int compare_lines(const void *a, const void *b)
{
    const struct result_part *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->line > y->line) - (x->line < y->line);
    if (order == 0)
        order = x->space - y->space;
    if (order == 0)
        order = x->op - y->op;
    return order || x->array == NULL ? order : strcmp(x->array, y->array);
}

bool sums_make(struct result *result)
{
    const struct trace_site *sites = result->info->sites;
    const size_t site_count = result->info->site_count;
    result->lines = calloc(site_count + 1, sizeof *result->lines);
    result->arrays = calloc(site_count + 1, sizeof *result->arrays);
    result->accesses = calloc(site_count + 1, sizeof *result->accesses);
    if (result->lines == NULL || result->arrays == NULL || result->accesses == NULL)
        return false;
    for (size_t i = 0; i < site_count && i < result->site_count; i++) {
        const struct counters *c = &result->sites[i];
        add_to(result->lines, &result->line_count, &sites[i], OF_LINE, c);
        add_to(result->arrays, &result->array_count, &sites[i], OF_ARRAY, c);
        add_to(result->accesses, &result->access_count, &sites[i], OF_BOTH, c);
        counters_add(&result->total, c);
    }
    qsort(result->lines, result->line_count, sizeof *result->lines, compare_lines);
    qsort(result->accesses, result->access_count, sizeof *result->accesses, compare_lines);
    return true;
}
