/* carve_out.c - how much of the array that L1 and shared memory divide is L1. */
#include "sim/time/sm_unit.h"

/* Carve-outs by compute capability, in KB of shared memory. */
static const struct {
    int64_t sm_low, sm_high;
    int kilobytes[10];
} carve_outs[] = {
    {20, 21, {16, 48}},
    {30, 37, {16, 32, 48}},
    {70, 72, {0, 8, 16, 32, 64, 96}},
    {75, 75, {32, 64}},
    {80, 80, {0, 8, 16, 32, 64, 100, 132, 164}},
    {86, 89, {0, 8, 16, 32, 64, 100}},
    {90, 90, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
};

uint64_t sm_unit_l1_bytes(const struct arch *arch, int64_t shared_bytes)
{
    int64_t largest = arch->l1_bytes;
    if (arch->l1_shared_bytes == 0)
        return (uint64_t)largest;
    for (size_t i = 0; i < sizeof carve_outs / sizeof carve_outs[0]; i++) {
        if (arch->sm < carve_outs[i].sm_low || arch->sm > carve_outs[i].sm_high)
            continue;
        for (size_t k = 0; k < 10; k++) {
            int64_t carved = 1024 * (int64_t)carve_outs[i].kilobytes[k];
            if (carved < shared_bytes || (k > 0 && carved == 0))
                continue;
            int64_t rest = arch->l1_shared_bytes - carved;
            return (uint64_t)(rest < largest ? rest : largest);
        }
    }
    int64_t rest = arch->l1_shared_bytes - shared_bytes;
    return (uint64_t)(rest < 0 ? 0 : rest < largest ? rest : largest);
}
