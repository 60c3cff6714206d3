/* rules.c - the rules of a compute capability (models/capabilities.c), and the switches of a GPU. */
#include "sim/rules/rules.h"

bool rules_for(const struct arch *arch, struct rule_set *rules)
{
    const struct capability *capability = capability_find(arch->sm);
    if (capability == NULL)
        return false;
    *rules = *capability->rules;
    if (arch->l1_caches_global && rules->global[OP_LOAD] == COALESCE_SEGMENT_32)
        rules->global[OP_LOAD] = COALESCE_LINE_128;
    if (arch->shared_bank_bytes == 8 && rules->banks == BANKS_KEPLER_4)
        rules->banks = BANKS_KEPLER_8;
    return true;
}
