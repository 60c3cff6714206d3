/* carve_out.c - how much of the array that L1 and shared memory divide is L1. */
#include "models/capabilities.h"
#include "sim/time/sm_unit.h"

uint64_t sm_unit_l1_bytes(const struct arch *arch, int64_t shared_bytes)
{
    int64_t largest = arch->l1_bytes;
    if (arch->l1_shared_bytes == 0)
        return (uint64_t)largest;
    const uint16_t *kilobytes = capability_find(arch->sm)->carve_out_kilobytes;
    for (size_t k = 0; k < CARVE_OUTS_MAX; k++) {
        int64_t carved = 1024 * (int64_t)kilobytes[k];
        if (carved < shared_bytes || (k > 0 && carved == 0))
            continue;
        int64_t rest = arch->l1_shared_bytes - carved;
        return (uint64_t)(rest < largest ? rest : largest);
    }
    int64_t rest = arch->l1_shared_bytes - shared_bytes;
    return (uint64_t)(rest < 0 ? 0 : rest < largest ? rest : largest);
}
