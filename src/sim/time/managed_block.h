/* managed_block.h - a 2 MB block of managed memory: what the driver serves at once. Only managed.c
 * includes it.
 */
#ifndef WARPLENS_SIM_TIME_MANAGED_BLOCK_H
#define WARPLENS_SIM_TIME_MANAGED_BLOCK_H

#include "sim/time/managed.h"

/* Why a page goes to the GPU now. Pages with different causes are copied apart. */
enum managed_cause { MANAGED_CAUSE_NONE, MANAGED_CAUSE_FAULT, MANAGED_CAUSE_COMES_ALONG };

/* A block as far as an array fills it: pages [first, end), counted from the block's first page. */
struct managed_block {
    struct managed_array *array;
    uint64_t page; /* the block's first, which may lie before the array's */
    uint32_t first, end;
    uint8_t cause[MANAGED_BLOCK_PAGES]; /* enum managed_cause */
};

/* The block around a page of the array; no page has a cause yet. */
struct managed_block managed_block_of(struct managed_array *array, uint64_t page);

/* Where page `i` of the block is: an enum managed_place. */
static inline uint8_t *managed_block_place(const struct managed_block *block, uint32_t i)
{
    return &block->array->place[block->page + i - block->array->first_page];
}

/* Adds the pages that come along with those that faulted. */
void managed_block_prefetch(struct managed_block *block, uint32_t percent);

/* Moves the pages that have a cause; they are `as` from now on. Returns the ticks that it takes. */
uint64_t managed_block_move(struct managed *managed, const struct managed_block *block,
                            enum managed_place as, struct counters *c);

#endif
