/* carve_out.c - how much of the array that L1 and shared memory divide is L1. */
#include "models/capabilities.h"
#include "sim/time/sm_unit.h"

uint64_t sm_unit_l1_bytes(const struct arch *arch, int64_t shared_bytes)
{
    const uint16_t *kilobytes = capability_find(arch->sm)->carve_out_kilobytes;
    int64_t carved = shared_bytes;
    if (arch->l1_shared_bytes == 0)
        return (uint64_t)arch->l1_bytes;
    for (size_t k = CARVE_OUTS_MAX; k-- > 0;)
        if (1024 * kilobytes[k] >= shared_bytes && (k == 0 || kilobytes[k] > 0))
            carved = 1024 * kilobytes[k];
    int64_t rest = arch->l1_shared_bytes - carved;
    return (uint64_t)(rest < 0 ? 0 : rest < arch->l1_bytes ? rest : arch->l1_bytes);
}
