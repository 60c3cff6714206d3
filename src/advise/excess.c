/* excess.c - sites -> lines of an array -> those with waste, by how much.
 *
 * Decision. One and a half times the ideal sectors is more than a misaligned start alone costs: a warp's
 * row of words then takes one sector or one line beside those that it needs.
 */
#include "advise/excess.h"
#include "text/memory.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_place(const struct trace_site *a, const struct trace_site *b)
{
    return a->space == b->space && a->line == b->line && strcmp(a->file, b->file) == 0 &&
           strcmp(a->array, b->array) == 0;
}

static struct excess *place_for(struct excess *list, size_t *count, const struct trace_site *site)
{
    for (size_t i = 0; i < *count; i++)
        if (is_same_place(list[i].site, site))
            return &list[i];
    list[*count] = (struct excess){.site = site};
    return &list[(*count)++];
}

static void add_counters(struct excess *e, const struct counters *c)
{
    if (e->site->space == SPACE_SHARED) {
        e->moved += c->shared_load_passes + c->shared_store_passes + c->shared_atomic_passes;
        e->ideal += c->shared_load_ideal_passes + c->shared_store_ideal_passes +
                    c->shared_atomic_ideal_passes;
    } else {
        e->moved += c->global_load_sectors + c->global_store_sectors + c->global_atomic_sectors +
                    c->read_only_load_sectors;
        e->ideal += c->global_load_ideal_sectors + c->global_store_ideal_sectors +
                    c->global_atomic_ideal_sectors + c->read_only_load_ideal_sectors;
    }
}

static bool is_waste(const struct excess *e)
{
    return e->site->space == SPACE_SHARED ? e->moved > e->ideal : 2 * e->moved > 3 * e->ideal;
}

/* Most waste first, then in the run's order. */
static int compare(const void *a, const void *b)
{
    const struct excess *x = a, *y = b;
    const uint64_t first = x->moved - x->ideal, second = y->moved - y->ideal;
    return first != second ? (first < second) - (first > second)
                           : (x->site > y->site) - (x->site < y->site);
}

struct excess *excess_find(const struct result *result, size_t *count)
{
    const struct run_info *info = result->info;
    struct excess *list = memory_take(info->site_count + 1, sizeof *list);
    size_t places = 0;
    *count = 0;
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < info->site_count && i < result->site_count; i++)
        add_counters(place_for(list, &places, &info->sites[i]), &result->sites[i]);
    for (size_t i = 0; i < places; i++)
        if (is_waste(&list[i]))
            list[(*count)++] = list[i];
    qsort(list, *count, sizeof *list, compare);
    return list;
}
