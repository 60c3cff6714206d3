/* transfers.h - what one access moves, as a list of addresses and sizes. */
#ifndef WARPLENS_SIM_RULES_TRANSFERS_H
#define WARPLENS_SIM_RULES_TRANSFERS_H

#include "sim/rules/access.h"

/* What moved where: the transactions without their lanes, in any order. */
struct transfers {
    uint32_t count;
    uint32_t of_size[3]; /* how many of 32, 64 and 128 bytes */
    uint64_t any_addr;   /* the bits set in any address */
    uint64_t addr[WARP_LANES];
    uint32_t bytes[WARP_LANES];
};

static inline void transfers_start(struct transfers *out)
{
    out->count = out->of_size[0] = out->of_size[1] = out->of_size[2] = 0;
    out->any_addr = 0;
}

static inline void transfers_add(struct transfers *out, uint64_t addr, uint32_t bytes)
{
    out->addr[out->count] = addr;
    out->bytes[out->count++] = bytes;
    out->of_size[bytes / 64]++; /* 0, 1 or 2 */
    out->any_addr |= addr;
}

#endif
