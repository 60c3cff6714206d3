/* shadow.h - what was done last to each word of a memory.
 *
 * A page of 4 KB that is touched has a cell for each word of 4 bytes; from the first access on that is
 * narrower, one for each byte. Records are never cleared: those older than the launch (or the block, of
 * shared memory) count for nothing.
 */
#ifndef WARPLENS_CHECK_SHADOW_H
#define WARPLENS_CHECK_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Flags of a touch. Its width's logarithm is in the bits from TOUCH_WIDTH_SHIFT on. */
enum {
    TOUCH_VOLATILE = 1,
    TOUCH_ATOMIC = 2,
    TOUCH_UPDATE = 4,  /* a store of what its lanes have loaded before, at the cell's load_site */
    TOUCH_RELEASE = 8, /* a volatile store behind a fence */
    TOUCH_KNOWN = 16,  /* the cell's value is what was stored */
    TOUCH_WIDTH_SHIFT = 5,
};

/* Lanes of one warp that touched the word in one access. */
struct touch {
    uint32_t time;  /* of the access: steps of the run; 0: never */
    uint32_t lanes; /* by bit */
    uint16_t site;
    uint8_t warp; /* in the block */
    uint8_t flags;
};

/* 44 bytes. Of the loads (and atomics) the last one is kept, and one of another block, warp or lane. */
struct cell {
    struct touch write, reads[2]; /* reads[0]: the last */
    uint32_t value;               /* of the write */
    uint16_t load_site;           /* of a TOUCH_UPDATE */
    uint16_t finding;             /* 1 + the finding that counted this word last */
};

enum { PAGE_LOG2 = 12, PAGE_BYTES = 1 << PAGE_LOG2, WORD_LOG2 = 2 };

struct page {
    uint64_t number; /* address >> PAGE_LOG2 */
    struct cell *cells;
    unsigned granule_log2; /* WORD_LOG2, or 0 */
};

struct shadow {
    struct page *pages; /* by hash; cells is NULL where there is none */
    size_t slots, count;
    struct page *last; /* asked for; NULL: none */
    size_t bytes, bytes_max;
    bool is_full; /* there was no room for some page */
};

/* Starts from zeros. At most so many bytes of cells. */
void shadow_start(struct shadow *shadow, size_t bytes_max);
void shadow_free(struct shadow *shadow);

/* The page of an address for accesses of `width` bytes; NULL when there is no room for it. */
struct page *shadow_find_page(struct shadow *shadow, uint64_t address, unsigned width);

static inline struct page *shadow_page(struct shadow *shadow, uint64_t address, unsigned width)
{
    struct page *last = shadow->last;
    if (last && last->number == address >> PAGE_LOG2 && (width >= 4 || last->granule_log2 == 0))
        return last;
    return shadow_find_page(shadow, address, width);
}

#endif
