/* text_launches.c - the launches of a run, those of one kernel and shape in one row, the row that takes longest
 * first.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/amounts.h"
#include "report/text_sections.h"
#include "text/memory.h"

enum { GROUPS_MAX = 256, SHOWN = 8 };

struct group {
    const struct result_launch *launch; /* the first one */
    uint64_t count;
    struct counters sum;
};

struct groups {
    struct group *items;
    size_t count;
    uint64_t others; /* launches that are in none */
};

static bool same_shape(const struct result_launch *a, const struct result_launch *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* The group of a launch, added when it is new and there is room; NULL otherwise. */
static struct group *group_for(struct groups *groups, const struct result_launch *launch)
{
    for (size_t i = 0; i < groups->count; i++)
        if (same_shape(groups->items[i].launch, launch))
            return &groups->items[i];
    if (groups->count == GROUPS_MAX)
        return NULL;
    groups->items[groups->count] = (struct group){.launch = launch};
    return &groups->items[groups->count++];
}

/* Longest first; without time those with most accesses; equals as they came. */
static int compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    if (x->sum.elapsed_ns != y->sum.elapsed_ns)
        return x->sum.elapsed_ns < y->sum.elapsed_ns ? 1 : -1;
    if (x->sum.warp_accesses != y->sum.warp_accesses)
        return x->sum.warp_accesses < y->sum.warp_accesses ? 1 : -1;
    return (x->launch > y->launch) - (x->launch < y->launch);
}

static void gather(struct groups *groups, const struct result *r)
{
    for (size_t i = 0; i < r->launch_count; i++) {
        struct group *group = group_for(groups, &r->launches[i]);
        groups->others += group == NULL;
        if (group == NULL)
            continue;
        group->count++;
        counters_add(&group->sum, &r->launches[i].counters);
    }
    groups->others += r->total.launches - r->launch_count;
    qsort(groups->items, groups->count, sizeof *groups->items, compare_groups);
}

/* What held the launches up for most of their time. */
static const char *limiter_of(const struct counters *c)
{
    enum resource most;
    usage_limiter_counted(c, &most);
    return usage_name(most);
}

static void put_shape(struct table *table, const uint32_t shape[3])
{
    if (shape[2] > 1)
        table_cell(table, "%" PRIu32 "x%" PRIu32 "x%" PRIu32, shape[0], shape[1], shape[2]);
    else if (shape[1] > 1)
        table_cell(table, "%" PRIu32 "x%" PRIu32, shape[0], shape[1]);
    else
        table_cell(table, "%" PRIu32, shape[0]);
}

static void put_group(struct table *table, const struct group *group, const struct result *r)
{
    const struct counters *c = &group->sum;
    char time[REPORT_NUMBER_BYTES];
    const double ways = report_metric(c, "shared_conflict_ways");
    table_cell(table, "%.24s", group->launch->kernel);
    put_shape(table, group->launch->grid);
    put_shape(table, group->launch->block);
    text_number_cell(table, group->count);
    if (r->usage) {
        table_cell(table, "%s us", report_rounded(1e-3 * (double)c->elapsed_ns, time));
        text_percent_cell(table, c->elapsed_ns, r->total.elapsed_ns);
        table_cell(table, "%s", limiter_of(c));
    }
    text_percent_cell(table, c->global_load_bytes_requested, c->global_load_bytes_moved);
    text_percent_cell(table, c->global_store_bytes_requested, c->global_store_bytes_moved);
    if (ways > 0)
        table_cell(table, "%.2f-way", ways);
    else
        table_cell(table, "-");
    table_row(table);
}

static void put_table(const struct groups *groups, size_t shown, const struct result *r, FILE *out)
{
    struct table table;
    table_start(&table, r->usage ? 10 : 7, r->usage ? "lllrrrlr" : "lllr");
    table_cell(&table, "kernel");
    table_cell(&table, "grid");
    table_cell(&table, "block");
    table_cell(&table, "launches");
    if (r->usage) {
        table_cell(&table, "time");
        table_cell(&table, "share");
        table_cell(&table, "held up by");
    }
    TEXT_HEADINGS(&table, "loads", "stores", "banks");
    for (size_t i = 0; i < shown; i++)
        put_group(&table, &groups->items[i], r);
    table_print_parts(&table, 1, 2, out);
}

void text_launches(const struct result *r, bool full, FILE *out)
{
    struct groups groups = {0};
    char number[REPORT_NUMBER_BYTES];
    if (r->total.launches > 1)
        groups.items = memory_take(GROUPS_MAX, sizeof *groups.items);
    if (groups.items == NULL)
        return;
    gather(&groups, r);
    const size_t shown = full || groups.count <= SHOWN ? groups.count : SHOWN;
    put_table(&groups, shown, r, out);
    if (shown < groups.count)
        fprintf(out, "  and %zu kernels and shapes more: --full\n", groups.count - shown);
    if (groups.others)
        fprintf(out, "  and %s launches of other kernels and shapes\n",
                report_number(groups.others, number));
    fprintf(out, "\n  All %s launches together:\n", report_number(r->total.launches, number));
    free(groups.items);
}
