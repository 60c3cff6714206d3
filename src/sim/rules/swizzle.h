/* swizzle.h - CuTe's Swizzle<B, M, S>: where an element goes whose index is given.
 *
 * B bits of the index from bit M + S on are exclusive-ored into the B bits from bit M on; with a negative S it is the other
 * way round. |S| is at least B, so that the bits that are read stay as they are, and every index has one of its own.
 *
 * Source: CUTLASS, include/cute/swizzle.hpp; the same in the documentation of CuTe's Python DSL, cutlass.cute.Swizzle.
 */
#ifndef WARPLENS_SIM_RULES_SWIZZLE_H
#define WARPLENS_SIM_RULES_SWIZZLE_H

#include <stdint.h>

/* bits == 0: nothing moves. base + bits + |shift| is below 63. */
struct swizzle {
    uint8_t bits, base;
    int8_t shift;
};

static inline uint64_t swizzle_apply(struct swizzle s, uint64_t index)
{
    const uint64_t mask = (UINT64_C(1) << s.bits) - 1;
    if (s.shift >= 0)
        return index ^ (index >> (s.base + s.shift) & mask) << s.base;
    return index ^ (index >> s.base & mask) << (s.base - s.shift);
}

#endif
