/* carve_out.c - how much of the array that L1 and shared memory divide is L1. */
#include "models/capabilities.h"
#include "sim/time/sm_unit.h"

enum { KILOBYTE = 1024 };

/* What an H200's driver carves out for, found by walks in kernels of 14 block sizes with 31 amounts of shared memory: the resident blocks, and
 * for as many again where they have up to 28 warps, but not for more than 28 blocks or 132 KB on their account; without shared
 * memory 4 KB a block, up to 32 KB. */
static int64_t hopper_blocks_bytes(const struct occupancy *occupancy, int64_t shared_bytes,
                                   int64_t block_bytes)
{
    const int64_t most_blocks = 28, most_warps = 28, blocks = occupancy->blocks_per_sm,
                  resident = blocks * block_bytes;
    int64_t wanted = 4 * KILOBYTE * blocks, most = 32 * KILOBYTE;
    if (shared_bytes) {
        const int64_t twice = occupancy->warps_per_block <= most_warps ? 2 * blocks : blocks;
        wanted = (twice < most_blocks ? twice : most_blocks) * block_bytes;
        most = 132 * KILOBYTE;
    }
    wanted = wanted < most ? wanted : most;
    return wanted > resident ? wanted : resident;
}

uint64_t sm_unit_l1_bytes(const struct arch *arch, const struct occupancy *occupancy,
                          int64_t shared_bytes)
{
    const struct capability *capability = capability_find(arch->sm);
    const uint16_t *kilobytes = capability->carve_out_kilobytes;
    const int64_t block_bytes = shared_bytes + arch->shared_reserved_per_block;
    if (arch->l1_shared_bytes == 0)
        return (uint64_t)arch->l1_bytes;
    int64_t wanted = shared_bytes ? occupancy->blocks_per_sm * block_bytes : 0;
    if (capability->carves_out_for_more_blocks)
        wanted = hopper_blocks_bytes(occupancy, shared_bytes, block_bytes);
    int64_t carved = wanted;
    for (size_t k = CARVE_OUTS_MAX; k-- > 0;)
        if (KILOBYTE * kilobytes[k] >= wanted && (k == 0 || kilobytes[k] > 0))
            carved = KILOBYTE * kilobytes[k];
    int64_t rest = arch->l1_shared_bytes - carved;
    return (uint64_t)(rest < 0 ? 0 : rest < arch->l1_bytes ? rest : arch->l1_bytes);
}
