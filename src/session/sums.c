/* sums.c - sites are sorted, so that those of one part lie together: a trace may have 65,535 of them.
 *
 * Counters take a kilobyte, and a run has a set of them for each site and GPU. So the sites' own become those of the
 * accesses, in place; a line or an array that has one kind of access shares that one's.
 */
#include "session/sums.h"

#include <stdlib.h>
#include <string.h>

/* What the sites of a part have in common. */
enum kind { OF_LINE = 1, OF_ARRAY = 2, OF_BOTH = OF_LINE | OF_ARRAY };

/* Parts of result->accesses that make one part: accesses[order[begin]] to [order[end - 1]]. */
struct group {
    size_t begin, end;
    uint32_t first; /* the lowest of them */
};

/* Room to work in: pointers into run_info's sites, sorted; by site its access, in either order; groups and what
 * they are of. */
struct scratch {
    const struct trace_site **sorted;
    uint32_t *part_of, *place_of;
    const struct result_part **order;
    struct group *lines, *arrays;
};

/* Many names are one text. */
static int compare_names(const char *a, const char *b)
{
    return a == b ? 0 : strcmp(a, b);
}

static int compare_sites(const struct trace_site *a, const struct trace_site *b)
{
    int order = compare_names(a->file, b->file);
    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    if (order == 0)
        order = a->space - b->space;
    if (order == 0)
        order = a->op - b->op;
    return order ? order : compare_names(a->array, b->array);
}

static int order_sites(const void *a, const void *b)
{
    return compare_sites(*(const struct trace_site *const *)a,
                         *(const struct trace_site *const *)b);
}

static bool is_like(const struct result_part *a, const struct result_part *b, enum kind kind)
{
    if (a->space != b->space)
        return false;
    if (kind & OF_ARRAY)
        return compare_names(a->array, b->array) == 0;
    return a->op == b->op && a->line == b->line && compare_names(a->file, b->file) == 0;
}

static int order_by_array(const void *a, const void *b)
{
    const struct result_part *x = *(const struct result_part *const *)a,
                             *y = *(const struct result_part *const *)b;
    int order = x->space - y->space;
    if (order == 0)
        order = compare_names(x->array, y->array);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

static int order_by_first(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* Neighbours in the order that are alike make an access; how many there are. */
static size_t number_accesses(struct scratch *scratch, const struct trace_site *sites, size_t count)
{
    size_t parts = 0;
    for (size_t i = 0; i < count; i++)
        scratch->sorted[i] = &sites[i];
    qsort(scratch->sorted, count, sizeof(const struct trace_site *), order_sites);
    for (size_t i = 0; i < count; i++) {
        const struct trace_site **at = &scratch->sorted[i];
        parts += i == 0 || compare_sites(at[-1], at[0]) != 0;
        scratch->part_of[*at - sites] = (uint32_t)(parts - 1);
    }
    return parts;
}

/* The counters of sites become those of accesses, in the order of their first sites: none moves up. */
static void join_sites(struct result *result, struct scratch *scratch, size_t count)
{
    uint32_t places = 0;
    memset(scratch->place_of, 0xff, result->access_count * sizeof *scratch->place_of);
    for (size_t i = 0; i < count; i++) {
        uint32_t *place = &scratch->place_of[scratch->part_of[i]];
        counters_add(&result->total, &result->sums[i]);
        if (*place != UINT32_MAX) {
            counters_add(&result->sums[*place], &result->sums[i]);
            continue;
        }
        *place = places++;
        result->sums[*place] = result->sums[i];
    }
}

static void describe_accesses(struct result *result, const struct scratch *scratch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct trace_site *site = &result->info->sites[i];
        const uint32_t number = scratch->part_of[i];
        result->accesses[number] = (struct result_part){.file = site->file,
                                                        .line = site->line,
                                                        .array = site->array,
                                                        .space = site->space,
                                                        .op = site->op,
                                                        .first = scratch->place_of[number]};
    }
}

/* Neighbours that are alike; adds to *sums how many groups need counters of their own. */
static size_t make_groups(const struct scratch *scratch, size_t count, enum kind kind,
                          struct group *groups, size_t *sums)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        const struct result_part *part = scratch->order[i];
        if (i == 0 || !is_like(scratch->order[i - 1], part, kind))
            groups[made++] = (struct group){i, i, part->first};
        struct group *group = &groups[made - 1];
        group->end = i + 1;
        group->first = part->first < group->first ? part->first : group->first;
        *sums += group->end - group->begin == 2;
    }
    return made;
}

/* Fills in the parts; *next: counters that are free. NULL when memory is short. */
static struct result_part *make_parts(struct result *result, const struct scratch *scratch,
                                      const struct group *groups, size_t count, enum kind kind,
                                      size_t *next)
{
    struct result_part *parts = calloc(count + 1, sizeof *parts);
    for (size_t i = 0; parts && i < count; i++) {
        const struct group *group = &groups[i];
        parts[i] = *scratch->order[group->begin];
        parts[i].first = group->first;
        if (kind == OF_LINE)
            parts[i].array = NULL;
        else
            parts[i] = (struct result_part){.array = parts[i].array,
                                            .space = parts[i].space,
                                            .first = group->first,
                                            .counters = parts[i].counters};
        if (group->end - group->begin == 1)
            continue;
        struct counters *sum = &result->sums[(*next)++];
        *sum = (struct counters){0};
        for (size_t k = group->begin; k < group->end; k++)
            counters_add(sum, scratch->order[k]->counters);
        parts[i].counters = sum;
    }
    return parts;
}

static void list_accesses(const struct result *result, struct scratch *scratch)
{
    for (size_t i = 0; i < result->access_count; i++)
        scratch->order[i] = &result->accesses[i];
}

static void list_by_array(const struct result *result, struct scratch *scratch)
{
    list_accesses(result, scratch);
    qsort(scratch->order, result->access_count, sizeof(const struct result_part *), order_by_array);
}

/* Room for the counters of the groups that have several accesses, and no more. */
static bool make_room(struct result *result, size_t sums)
{
    struct counters *grown = realloc(result->sums, (sums + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    result->sums = grown;
    for (size_t i = 0; i < result->access_count; i++)
        result->accesses[i].counters = &grown[result->accesses[i].first];
    return true;
}

static bool make_all(struct result *result, struct scratch *scratch)
{
    const size_t count = result->access_count;
    size_t sums = count, next = count;
    list_by_array(result, scratch);
    result->array_count = make_groups(scratch, count, OF_ARRAY, scratch->arrays, &sums);
    list_accesses(result, scratch);
    result->line_count = make_groups(scratch, count, OF_LINE, scratch->lines, &sums);
    if (!make_room(result, sums))
        return false;
    result->lines = make_parts(result, scratch, scratch->lines, result->line_count, OF_LINE, &next);
    list_by_array(result, scratch);
    qsort(scratch->arrays, result->array_count, sizeof *scratch->arrays, order_by_first);
    result->arrays =
        make_parts(result, scratch, scratch->arrays, result->array_count, OF_ARRAY, &next);
    return result->lines && result->arrays;
}

static bool make(struct result *result, struct scratch *scratch, size_t count)
{
    result->access_count = number_accesses(scratch, result->info->sites, count);
    join_sites(result, scratch, count);
    result->accesses = calloc(result->access_count + 1, sizeof *result->accesses);
    if (result->accesses == NULL)
        return false;
    describe_accesses(result, scratch, count);
    return make_all(result, scratch);
}

bool sums_make(struct result *result, size_t met)
{
    const size_t known = result->info->site_count, count = known < met ? known : met;
    struct scratch scratch = {.sorted = calloc(count + 1, sizeof(const struct trace_site *)),
                              .part_of = calloc(count + 1, sizeof(uint32_t)),
                              .place_of = calloc(count + 1, sizeof(uint32_t)),
                              .order = calloc(count + 1, sizeof(const struct result_part *)),
                              .lines = calloc(count + 1, sizeof(struct group)),
                              .arrays = calloc(count + 1, sizeof(struct group))};
    bool made = scratch.sorted && scratch.part_of && scratch.place_of && scratch.order &&
                scratch.lines && scratch.arrays && make(result, &scratch, count);
    free(scratch.sorted);
    free(scratch.part_of);
    free(scratch.place_of);
    free(scratch.order);
    free(scratch.lines);
    free(scratch.arrays);
    return made;
}
