/* gpc_sms.c - SMs are dealt to the GPCs in turn, as far as each has room. */
#include "sim/rules/gpc_sms.h"

#include <string.h>

/* SMs come in pairs, the TPCs; where those do not go up, the last GPCs have one more. */
static uint32_t room_of(const struct arch *arch, uint32_t gpc)
{
    const uint32_t sms = (uint32_t)arch->sm_count, gpcs = (uint32_t)arch->gpcs, tpcs = sms / 2;
    const uint32_t odd = gpc == gpcs - 1 ? sms % 2 : 0;
    return 2 * (tpcs / gpcs + (gpc >= gpcs - tpcs % gpcs)) + odd;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void gpc_sms(const struct arch *arch, uint32_t used, uint32_t sms[GPCS_MOST])
{
    memset(sms, 0, GPCS_MOST * sizeof *sms);
    sms[0] = least(used, least((uint32_t)arch->gpc_first_sms, room_of(arch, 0)));
    used -= sms[0];
    for (uint32_t gpc = 0; used > 0; gpc = (gpc + 1) % (uint32_t)arch->gpcs)
        if (sms[gpc] < room_of(arch, gpc)) {
            sms[gpc]++;
            used--;
        }
}
