/* rules_access.h - the accesses that the tests of the rules are written in. */
#ifndef WARPLENS_TESTS_RULES_ACCESS_H
#define WARPLENS_TESTS_RULES_ACCESS_H

#include "sim/rules/access.h"

/* A whole warp; lane t at base + t * stride. */
static inline struct warp_access affine(uint8_t width, uint64_t base, int64_t stride)
{
    return (struct warp_access){.base = base,
                                .stride = stride,
                                .active = UINT32_MAX,
                                .resident = UINT32_MAX,
                                .width = width};
}

/* The same access with its addresses in a list, and nonsense where no lane is active. */
static inline struct warp_access listed(struct warp_access a, uint64_t addr[WARP_LANES])
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = access_lane_active(&a, lane) ? access_addr(&a, lane) : UINT64_C(0xbad0bad0bad);
    a.addr = addr;
    return a;
}

enum { AFFINE_VARIANTS = 14 * 6 };

/* The i-th of a set of strides and masks. Strides of 2^62 and 2^63 run round the address space:
 * lanes meet again at the same address. */
static inline struct warp_access affine_variant(uint8_t width, unsigned i)
{
    static const int64_t words[] = {0, 1, 2, 3, 8, 31, 32, 33, -1, -2, -7, -32};
    static const uint32_t masks[] = {UINT32_MAX, 0x7fffffff, 0xfffe0000, 0x55555555, 0x80010001, 4};
    unsigned k = i / 6;
    int64_t far = k == 12 ? INT64_C(1) << 62 : INT64_MIN;
    struct warp_access a = affine(width, 4096 + 5 * 16, k < 12 ? words[k] * width : far);
    a.active = masks[i % 6];
    return a;
}

#endif
