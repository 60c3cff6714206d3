/* store_merge.c - a short ring, in the order in which the lines came. */
#include "sim/time/store_merge.h"

#include "sim/time/ticks.h"

/* From a store elsewhere until a line may leave: one further store to one line comes in time for it, two do not. */
enum { RELEASE_CYCLES = 6 };

/* How long a line takes what other warps store. */
enum { OF_OTHERS_CYCLES = 16 };

static uint32_t place(const struct store_merge *merge, uint32_t i)
{
    return (merge->first + i) & (STORE_MERGE_RING - 1);
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

/* Whether the held store at a place takes what comes from there. */
static bool is_in_time(const struct store_merge *merge, uint32_t at,
                       const struct store_origin *origin)
{
    const struct store_origin *held = &merge->of[at];
    return held->warp == origin->warp
               ? origin->own - held->own <= merge->ticks
               : origin->now - held->now <= ticks_of_cycles(OF_OTHERS_CYCLES);
}

bool store_merge_join(struct store_merge *merge, const struct memsys_request *store,
                      const struct store_origin *origin, uint32_t *again)
{
    const uint32_t i = find(merge, store->line), at = place(merge, i);
    struct memsys_request *held = &merge->held[at];
    if (i == merge->count || held->host != store->host || !is_in_time(merge, at, origin))
        return false;
    *again = held->sectors & store->sectors;
    held->sectors |= store->sectors;
    held->words |= store->words;
    merge->until[at] = origin->now + merge->longest;
    merge->of[at] = *origin;
    return true;
}

/* What the warp has stored before this access. */
static void release(struct store_merge *merge, const struct store_origin *origin)
{
    const uint64_t then = origin->now + ticks_of_cycles(RELEASE_CYCLES);
    for (uint32_t i = 0; i < merge->count; i++) {
        const uint32_t at = place(merge, i);
        const struct store_origin *of = &merge->of[at];
        if (of->warp == origin->warp && of->access != origin->access && merge->until[at] > then)
            merge->until[at] = then;
    }
}

void store_merge_hold(struct store_merge *merge, const struct memsys_request *store,
                      const struct store_origin *origin)
{
    release(merge, origin);
    const uint32_t at = place(merge, merge->count++);
    merge->held[at] = *store;
    merge->of[at] = *origin;
    merge->until[at] = origin->now + merge->longest;
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

uint64_t store_merge_due(const struct store_merge *merge, uint64_t now)
{
    const uint64_t until = merge->until[merge->first];
    return merge->count > 0 && until <= now ? until : UINT64_MAX;
}
