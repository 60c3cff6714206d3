/* store_merge.c - a short ring, in the order in which the lines came. */
#include "sim/time/store_merge.h"

static uint32_t place(const struct store_merge *merge, uint32_t i)
{
    return (merge->first + i) & (STORE_MERGE_LINES - 1);
}

/* The number of the held store to the line, or `count`. */
static uint32_t find(const struct store_merge *merge, uint32_t line)
{
    uint32_t i = 0;
    while (i < merge->count && merge->held[place(merge, i)].line != line)
        i++;
    return i;
}

bool store_merge_holds(const struct store_merge *merge, uint32_t line)
{
    return find(merge, line) < merge->count;
}

bool store_merge_join(struct store_merge *merge, const struct memsys_request *store,
                      uint32_t *again)
{
    uint32_t i = find(merge, store->line);
    struct memsys_request *held = &merge->held[place(merge, i)];
    if (i == merge->count || held->host != store->host)
        return false;
    *again = held->sectors & store->sectors;
    held->sectors |= store->sectors;
    held->words |= store->words;
    return true;
}

void store_merge_hold(struct store_merge *merge, const struct memsys_request *store, uint64_t now)
{
    uint32_t at = place(merge, merge->count++);
    merge->held[at] = *store;
    merge->until[at] = now + merge->ticks;
}

bool store_merge_take(struct store_merge *merge, struct memsys_request *out)
{
    if (merge->count == 0)
        return false;
    *out = merge->held[merge->first];
    merge->first = place(merge, 1);
    merge->count--;
    return true;
}

bool store_merge_due(struct store_merge *merge, uint64_t now, struct memsys_request *out)
{
    bool due = merge->count == STORE_MERGE_LINES ||
               (merge->count > 0 && merge->until[merge->first] <= now);
    return due && store_merge_take(merge, out);
}
