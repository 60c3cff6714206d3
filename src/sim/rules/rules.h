/* rules.h - which rule each kind of access follows on a GPU: those of its compute capability, with the
 * GPU's own switches (L1 for global loads, Kepler's bank mode) applied. */
#ifndef WARPLENS_SIM_RULES_RULES_H
#define WARPLENS_SIM_RULES_RULES_H

#include "models/arch.h"
#include "models/capabilities.h"

/* The rules for a GPU. False when its compute capability has none (the table says which have). */
bool rules_for(const struct arch *arch, struct rule_set *rules);

#endif
