/* managed_range.h - a managed array, and what the host did to its pages: what a launch tells the model. */
#ifndef WARPLENS_STREAM_MANAGED_RANGE_H
#define WARPLENS_STREAM_MANAGED_RANGE_H

#include <stdint.h>

enum {
    MANAGED_PAGE_LOG2 = 12, /* what faults, and what the host's page tables know: 4 KB */
    MANAGED_PAGE_BYTES = 1 << MANAGED_PAGE_LOG2,
    MANAGED_BLOCK_PAGES = 512, /* 2 MB: what the driver looks at as one, aligned */
};

/* What the host did to a page since the launch before; bits. */
enum {
    MANAGED_TOUCHED = 1,    /* the host read or wrote it, or it was prefetched to the host */
    MANAGED_PREFETCHED = 2, /* then it was prefetched to the GPU */
    MANAGED_SET = 4,        /* it was filled on the GPU, by cudaMemset */
};

/* An array [address, address + bytes). */
struct managed_range {
    uint64_t address, bytes;
    const uint8_t *touched; /* for each of its pages, the bits above; NULL: nothing was done */
};

/* Pages that a range lies in, none when it is empty. */
static inline uint64_t managed_range_pages(const struct managed_range *range)
{
    uint64_t within = range->address % MANAGED_PAGE_BYTES;
    if (range->bytes == 0)
        return 0;
    return (range->bytes - 1 + within) / MANAGED_PAGE_BYTES + 1;
}

#endif
