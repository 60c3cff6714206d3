/* gpc_sms.h - which of the SMs that a grid takes are of one GPC.
 *
 * Seen on an H200 (validation/h200_block_order.csv): the first eight blocks of a grid go to one GPC, the others in
 * equal shares to all of them, to one SM of each TPC while there are such, and neighbours to the same GPC. SMs are
 * numbered here in the order in which blocks come to them, so each GPC has a run of them.
 */
#ifndef WARPLENS_SIM_RULES_GPC_SMS_H
#define WARPLENS_SIM_RULES_GPC_SMS_H

#include <stdint.h>

#include "models/arch.h"

enum { GPCS_MOST = 64 }; /* that arch_fields.def allows */

/* sms[g]: SMs of GPC g, of arch->gpcs, when `used` of the GPU's SMs get blocks. They add up to `used`. */
void gpc_sms(const struct arch *arch, uint32_t used, uint32_t sms[GPCS_MOST]);

#endif
