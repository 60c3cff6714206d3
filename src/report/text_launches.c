/* text_launches.c - the launches of a run, those of one kernel and shape in one row. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/text_sections.h"

enum { ROWS_MAX = 40 };

struct group {
    const struct result_launch *launch; /* the first one */
    uint64_t count;
    struct counters sum;
};

static bool same_shape(const struct result_launch *a, const struct result_launch *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* The group of a launch, added when it is new and there is room; NULL otherwise. */
static struct group *group_for(struct group *groups, size_t *count,
                               const struct result_launch *launch)
{
    for (size_t i = 0; i < *count; i++)
        if (same_shape(groups[i].launch, launch))
            return &groups[i];
    if (*count == ROWS_MAX)
        return NULL;
    groups[*count] = (struct group){.launch = launch};
    return &groups[(*count)++];
}

static void put_group(struct table *table, const struct group *group, bool is_timed)
{
    const struct counters *c = &group->sum;
    const uint32_t *g = group->launch->grid, *b = group->launch->block;
    uint64_t ideal =
        c->shared_load_ideal_passes + c->shared_store_ideal_passes + c->shared_atomic_ideal_passes;
    uint64_t passes = c->shared_load_passes + c->shared_store_passes + c->shared_atomic_passes;
    table_cell(table, "%s", group->launch->kernel);
    table_cell(table, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, g[0], g[1], g[2]);
    table_cell(table, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, b[0], b[1], b[2]);
    text_number_cell(table, group->count);
    if (is_timed)
        table_cell(table, "%.2f us", 1e-3 * (double)c->elapsed_ns / (double)group->count);
    text_number_cell(table, c->warp_accesses / group->count);
    text_percent_cell(table, c->global_load_bytes_requested, c->global_load_bytes_moved);
    text_percent_cell(table, c->global_store_bytes_requested, c->global_store_bytes_moved);
    if (ideal)
        table_cell(table, "%.2f-way", (double)passes / (double)ideal);
    else
        table_cell(table, "-");
    table_row(table);
}

static void put_table(const struct group *groups, size_t count, bool is_timed, FILE *out)
{
    struct table table;
    table_start(&table, is_timed ? 9 : 8, "lllr");
    table_cell(&table, "kernel");
    table_cell(&table, "grid");
    table_cell(&table, "block");
    table_cell(&table, "launches");
    if (is_timed)
        table_cell(&table, "time of one");
    TEXT_HEADINGS(&table, "accesses of one", "loads eff.", "stores eff.", "bank conflicts");
    for (size_t i = 0; i < count; i++)
        put_group(&table, &groups[i], is_timed);
    fputc('\n', out);
    table_print(&table, 2, out);
}

void text_launches(const struct result *r, FILE *out)
{
    size_t count = 0, others = 0;
    struct group *groups = r->total.launches > 1 ? calloc(ROWS_MAX, sizeof *groups) : NULL;
    if (groups == NULL)
        return;
    for (size_t i = 0; i < r->launch_count; i++) {
        struct group *group = group_for(groups, &count, &r->launches[i]);
        others += group == NULL;
        if (group == NULL)
            continue;
        group->count++;
        counters_add(&group->sum, &r->launches[i].counters);
    }
    put_table(groups, count, r->usage != NULL, out);
    others += r->total.launches - r->launch_count;
    if (others)
        fprintf(out, "  and %zu launches of other kernels and shapes, in the sums below only\n",
                others);
    free(groups);
}
