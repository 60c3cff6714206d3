/* sums.c - sites are sorted, so that those of one part lie together: a trace may have 65,535 of them. */
#include "session/sums.h"

#include <stdlib.h>
#include <string.h>

/* What the sites of a part have in common. */
enum kind { OF_LINE = 1, OF_ARRAY = 2, OF_BOTH = OF_LINE | OF_ARRAY };

/* Room to work in, by site: pointers into run_info's sites, sorted; the number of a site's part; a part's
 * number in another order. */
struct scratch {
    const struct trace_site **sorted;
    uint32_t *part_of, *renumbered;
};

/* Many names are one text. */
static int compare_names(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

static int compare_sites(const struct trace_site *a, const struct trace_site *b, enum kind kind)
{
    int order = 0;
    if (kind & OF_LINE) {
        order = compare_names(a->file, b->file);
        if (order == 0)
            order = (a->line > b->line) - (a->line < b->line);
    }
    if (order == 0)
        order = a->space - b->space;
    if (order == 0 && (kind & OF_LINE))
        order = a->op - b->op;
    return order || !(kind & OF_ARRAY) ? order : compare_names(a->array, b->array);
}

static int order_accesses(const void *a, const void *b)
{
    return compare_sites(*(const struct trace_site *const *)a, *(const struct trace_site *const *)b,
                         OF_BOTH);
}

static int order_arrays(const void *a, const void *b)
{
    return compare_sites(*(const struct trace_site *const *)a, *(const struct trace_site *const *)b,
                         OF_ARRAY);
}

/* Neighbours in the order that are alike make a part; how many parts there are. */
static size_t number_parts(struct scratch *scratch, const struct trace_site *sites, size_t count,
                           enum kind kind)
{
    size_t parts = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trace_site **at = &scratch->sorted[i];
        parts += i == 0 || compare_sites(at[-1], at[0], kind) != 0;
        scratch->part_of[*at - sites] = (uint32_t)(parts - 1);
    }
    return parts;
}

/* Parts in the order of their first sites. */
static void number_by_first(struct scratch *scratch, size_t count, size_t parts)
{
    uint32_t next = 0;
    memset(scratch->renumbered, 0xff, parts * sizeof *scratch->renumbered);
    for (size_t i = 0; i < count; i++) {
        uint32_t *number = &scratch->renumbered[scratch->part_of[i]];
        if (*number == UINT32_MAX)
            *number = next++;
        scratch->part_of[i] = *number;
    }
}

/* The parts with the sums of their sites; NULL when memory is short. */
static struct result_part *add_up(const struct result *result, const uint32_t *part_of,
                                  size_t count, size_t parts, enum kind kind)
{
    struct result_part *sums = calloc(parts + 1, sizeof *sums);
    for (size_t i = 0; sums && i < count; i++) {
        const struct trace_site *site = &result->info->sites[i];
        struct result_part *part = &sums[part_of[i]];
        part->space = site->space;
        if (kind & OF_ARRAY)
            part->array = site->array;
        if (kind & OF_LINE) {
            part->file = site->file;
            part->line = site->line;
            part->op = site->op;
        }
        counters_add(&part->counters, &result->sites[i]);
    }
    return sums;
}

/* Leaves out parts that only a launch that was dropped had. */
static size_t drop_empty(struct result_part *parts, size_t count)
{
    static const struct counters none;
    size_t kept = 0;
    for (size_t i = 0; parts && i < count; i++)
        if (memcmp(&parts[i].counters, &none, sizeof none) != 0)
            parts[kept++] = parts[i];
    return kept;
}

static bool make_parts(struct result *result, struct scratch *scratch, size_t count)
{
    const struct trace_site *sites = result->info->sites;
    for (size_t i = 0; i < count; i++)
        scratch->sorted[i] = &sites[i];
    qsort(scratch->sorted, count, sizeof(const struct trace_site *), order_accesses);
    result->access_count = number_parts(scratch, sites, count, OF_BOTH);
    result->accesses = add_up(result, scratch->part_of, count, result->access_count, OF_BOTH);
    result->line_count = number_parts(scratch, sites, count, OF_LINE); /* the same order */
    result->lines = add_up(result, scratch->part_of, count, result->line_count, OF_LINE);
    qsort(scratch->sorted, count, sizeof(const struct trace_site *), order_arrays);
    result->array_count = number_parts(scratch, sites, count, OF_ARRAY);
    number_by_first(scratch, count, result->array_count);
    result->arrays = add_up(result, scratch->part_of, count, result->array_count, OF_ARRAY);
    result->access_count = drop_empty(result->accesses, result->access_count);
    result->line_count = drop_empty(result->lines, result->line_count);
    result->array_count = drop_empty(result->arrays, result->array_count);
    return result->accesses && result->lines && result->arrays;
}

bool sums_make(struct result *result)
{
    const size_t known = result->info->site_count;
    const size_t count = known < result->site_count ? known : result->site_count;
    struct scratch scratch = {.sorted = calloc(count + 1, sizeof(const struct trace_site *)),
                              .part_of = calloc(count + 1, sizeof(uint32_t)),
                              .renumbered = calloc(count + 1, sizeof(uint32_t))};
    bool made = scratch.sorted && scratch.part_of && scratch.renumbered &&
                make_parts(result, &scratch, count);
    for (size_t i = 0; i < count; i++)
        counters_add(&result->total, &result->sites[i]);
    free(scratch.sorted);
    free(scratch.part_of);
    free(scratch.renumbered);
    return made;
}
