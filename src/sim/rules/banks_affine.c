/* banks_affine.c - the passes of a fixed rhythm.
 *
 * A stride of an odd number times 2^z units meets every 2^z-th bank before it comes round, and is then
 * in another row. Where a row is two turns through the banks long (Kepler), a stride of 2^z alone comes
 * round once within a row, and once more often unless the first turn starts with the row.
 */
#include "sim/rules/banks_affine.h"

uint32_t banks_affine_group(struct bank_request r, const struct warp_access *a, uint32_t first)
{
    uint32_t stride_log2 = (uint32_t)__builtin_ctzll((uint64_t)a->stride);
    uint32_t met = stride_log2 < r.span_log2 ? 1U << (r.span_log2 - stride_log2) : 1;
    if (met >= r.group_lanes)
        return 1;
    uint32_t lanes_of_bank = r.group_lanes >> lanes_lowest(met);
    if (r.row_log2 == r.span_log2 || access_step(a) > 1U << r.span_log2 ||
        access_step(a) != 1U << stride_log2)
        return lanes_of_bank;
    uint64_t start = access_addr(a, a->stride > 0 ? first : first + r.group_lanes - 1);
    uint64_t in_row = start & ((UINT64_C(1) << r.row_log2) - 1);
    return lanes_of_bank / 2 + (in_row >= access_step(a));
}
