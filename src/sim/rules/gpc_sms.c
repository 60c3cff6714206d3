/* gpc_sms.c - SMs are dealt to the GPCs in turn: first one of each TPC, then the other one. */
#include "sim/rules/gpc_sms.h"

#include <string.h>

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Pairs of SMs. Where they do not go up, the last GPCs have one more. */
static uint32_t tpcs_of(const struct arch *arch, uint32_t gpc)
{
    const uint32_t tpcs = (uint32_t)arch->sm_count / 2, gpcs = (uint32_t)arch->gpcs;
    return tpcs / gpcs + (gpc >= gpcs - tpcs % gpcs);
}

/* Deals an SM of each TPC that gave none to the grid's first blocks; returns how many are left to deal. */
static uint32_t deal(const struct arch *arch, uint32_t first, uint32_t left, uint32_t *sms)
{
    const uint32_t gpcs = (uint32_t)arch->gpcs;
    for (uint32_t turn = 0; turn < tpcs_of(arch, gpcs - 1); turn++)
        for (uint32_t gpc = 0; gpc < gpcs && left > 0; gpc++)
            if (turn < tpcs_of(arch, gpc) - (gpc == 0 ? first / 2 : 0)) {
                sms[gpc]++;
                left--;
            }
    return left;
}

void gpc_sms(const struct arch *arch, uint32_t used, uint32_t sms[GPCS_MOST])
{
    const uint32_t first = least((uint32_t)arch->gpc_first_sms, 2 * tpcs_of(arch, 0));
    memset(sms, 0, GPCS_MOST * sizeof *sms);
    sms[0] = least(used, first);
    used = deal(arch, first, used - sms[0], sms);
    sms[arch->gpcs - 1] += deal(arch, first, used, sms); /* an SM without a TPC */
}
