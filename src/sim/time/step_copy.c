/* step_copy.c - a lane takes 8 bytes of its source's address, 4 of its destination's, 1 that says what it reads. */
#include "sim/time/step_copy.h"

#include <string.h>

#include "sim/time/block_kind.h"

enum { FROM_BYTES = 8, TO_BYTES = 4, LANE_BYTES = FROM_BYTES + TO_BYTES + 1 };
enum { IS_PAST_L1 = 1, IS_SIZED = 2 };

uint64_t step_copy_how(const struct async_copy *copy)
{
    return (copy->past_l1 ? IS_PAST_L1 : 0U) | (copy->sized ? IS_SIZED : 0U);
}

size_t step_copy_bytes(const struct warp_access *a)
{
    return (size_t)__builtin_popcount(a->active) * LANE_BYTES;
}

void step_copy_pack(uint8_t *to, const struct warp_access *a)
{
    for (uint32_t left = a->active; left; left &= left - 1, to += LANE_BYTES) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        const uint64_t from = access_addr(a, lane);
        memcpy(to, &from, FROM_BYTES);
        memcpy(to + FROM_BYTES, &a->copy->to[lane], TO_BYTES);
        to[FROM_BYTES + TO_BYTES] = a->copy->bytes[lane];
    }
}

void step_copy_unpack(const uint8_t *from, struct step *step)
{
    step->copy.past_l1 = (step->access.base & IS_PAST_L1) != 0;
    step->copy.sized = (step->access.base & IS_SIZED) != 0;
    for (uint32_t left = step->access.active; left; left &= left - 1, from += LANE_BYTES) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        step->copy.to[lane] = 0;
        memcpy(&step->addr[lane], from, FROM_BYTES);
        memcpy(&step->copy.to[lane], from + FROM_BYTES, TO_BYTES);
        step->copy.bytes[lane] = from[FROM_BYTES + TO_BYTES];
    }
    step->access.addr = step->addr;
    step->access.copy = &step->copy;
    step->kind = STEP_ACCESS;
}

uint64_t step_copy_kind(const struct warp_access *a)
{
    const uint64_t first = access_addr(a, (unsigned)__builtin_ctz(a->active));
    uint64_t kind = a->active;
    for (uint32_t left = a->active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        kind = block_kind_add(kind, (access_addr(a, lane) - first) ^ a->copy->to[lane] << 32 ^
                                        a->copy->bytes[lane]);
    }
    return kind;
}
