/* managed_block.c - transfers, and what comes along with a fault. Sources: see managed.c. */
#include "sim/time/managed_block.h"

#include "sim/time/ticks.h"

struct managed_block managed_block_of(struct managed_array *array, uint64_t page)
{
    struct managed_block block = {.array = array,
                                  .page = page / MANAGED_BLOCK_PAGES * MANAGED_BLOCK_PAGES};
    uint64_t array_end = array->first_page + array->page_count;
    block.first = array->first_page > block.page ? (uint32_t)(array->first_page - block.page) : 0;
    block.end = array_end - block.page < MANAGED_BLOCK_PAGES ? (uint32_t)(array_end - block.page)
                                                             : MANAGED_BLOCK_PAGES;
    return block;
}

static uint64_t count_transfer(struct managed *managed, uint64_t bytes, struct counters *c)
{
    const struct managed_parameters *p = &managed->parameters;
    uint64_t ticks = p->transfer_ticks + ((bytes * p->kilobyte_ticks) >> 10);
    c->migrations++;
    c->migrated_bytes += bytes;
    c->migration_ns += ticks * 1000000 / ((uint64_t)p->clock_khz * TICKS_PER_CYCLE);
    managed->busy_ticks += ticks;
    if (bytes < managed->smallest_bytes)
        managed->smallest_bytes = bytes;
    if (bytes > managed->largest_bytes)
        managed->largest_bytes = bytes;
    return ticks;
}

uint64_t managed_block_move(struct managed *managed, const struct managed_block *block,
                            enum managed_place as, struct counters *c)
{
    uint64_t ticks = 0, run = 0;
    uint8_t run_cause = MANAGED_CAUSE_NONE;
    for (uint32_t i = block->first; i <= block->end; i++) {
        uint8_t cause = i < block->end ? block->cause[i] : MANAGED_CAUSE_NONE;
        bool copied =
            cause != MANAGED_CAUSE_NONE && *managed_block_place(block, i) == MANAGED_ON_HOST;
        if (run && (!copied || cause != run_cause)) {
            ticks += count_transfer(managed, run * MANAGED_PAGE_BYTES, c);
            run = 0;
        }
        run += copied;
        run_cause = cause;
        if (cause != MANAGED_CAUSE_NONE)
            *managed_block_place(block, i) = (uint8_t)as;
    }
    return ticks;
}

/* Whether more than `percent` of pages [from, from + size), as far as the block has them, are
 * wanted or there. */
static bool region_is_dense(const struct managed_block *block, uint32_t from, uint32_t size,
                            uint32_t percent)
{
    uint32_t first = from > block->first ? from : block->first;
    uint32_t end = from + size < block->end ? from + size : block->end;
    uint32_t count = 0;
    for (uint32_t i = first; i < end; i++)
        count += block->cause[i] != MANAGED_CAUSE_NONE ||
                 *managed_block_place(block, i) == MANAGED_ON_GPU;
    return count * 100 > (end - first) * percent;
}

static void want_region(struct managed_block *block, uint32_t from, uint32_t size)
{
    for (uint32_t i = from; i < from + size; i++)
        if (i >= block->first && i < block->end && block->cause[i] == MANAGED_CAUSE_NONE &&
            *managed_block_place(block, i) != MANAGED_ON_GPU)
            block->cause[i] = MANAGED_CAUSE_COMES_ALONG;
}

static uint32_t region_at(uint32_t page, uint32_t size)
{
    return page / size * size;
}

/* All regions are judged by what the faults alone want, so that their order does not matter. */
void managed_block_prefetch(struct managed_block *block, uint32_t percent)
{
    uint32_t size_at[MANAGED_BLOCK_PAGES / MANAGED_BASIC_PAGES] = {0};
    for (uint32_t i = block->first; i < block->end; i++)
        if (block->cause[i] == MANAGED_CAUSE_FAULT) {
            want_region(block, region_at(i, MANAGED_BASIC_PAGES), MANAGED_BASIC_PAGES);
            size_at[i / MANAGED_BASIC_PAGES] = MANAGED_BASIC_PAGES;
        }
    for (uint32_t r = 0; r < MANAGED_BLOCK_PAGES / MANAGED_BASIC_PAGES; r++)
        for (uint32_t size = MANAGED_BASIC_PAGES; size_at[r] && size <= MANAGED_BLOCK_PAGES;
             size *= 2)
            if (region_is_dense(block, region_at(r * MANAGED_BASIC_PAGES, size), size, percent))
                size_at[r] = size;
    for (uint32_t r = 0; r < MANAGED_BLOCK_PAGES / MANAGED_BASIC_PAGES; r++)
        if (size_at[r])
            want_region(block, region_at(r * MANAGED_BASIC_PAGES, size_at[r]), size_at[r]);
}
