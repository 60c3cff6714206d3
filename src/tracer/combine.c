/* combine.c - atomics of a warp's lanes at one address that the compiler for a GPU makes one of. */
#include "tracer/combine.h"

#include "tracer/widths/widths.h"

/* VOTE, POPC or REDUX, the leader, and what the others get. */
enum { COMBINE_INSTRUCTIONS = 8, KERNEL_DEPTH = 1 };

static bool is_one_address(const struct warp_access *access)
{
    const unsigned first = (unsigned)__builtin_ctz(access->active);
    for (uint32_t left = access->active; left; left &= left - 1)
        if (access_addr(access, (unsigned)__builtin_ctz(left)) != access_addr(access, first))
            return false;
    return true;
}

void combine_lanes(struct warp_access *access, uint64_t meta)
{
    if ((meta >> EVENT_DEPTH_SHIFT & 0xff) != KERNEL_DEPTH ||
        !widths_address_is_uniform((uint32_t)meta) || !is_one_address(access) ||
        (access->space == SPACE_SHARED && access->flags & ACCESS_INCREMENT))
        return;
    access->active &= -access->active;
    access->flags &= (uint8_t)~ACCESS_INCREMENT;
    access->work = (uint16_t)(access->work + COMBINE_INSTRUCTIONS);
}
