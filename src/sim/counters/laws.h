/* laws.h - laws that the counters of every run keep: what comes in goes out, a hit is a lookup.
 *
 * laws.def holds one line a law. A run that breaks one is a fault of the model, never of the
 * kernel, so that its counters are not to be trusted.
 */
#ifndef WARPLENS_SIM_COUNTERS_LAWS_H
#define WARPLENS_SIM_COUNTERS_LAWS_H

#include "models/arch.h"
#include "sim/counters/counters.h"

/* left OP right, wherever the law applies. */
struct law {
    const char *name, *text, *op; /* op: "==", "<=", ">=" or ">" */
    bool (*applies)(const struct counters *c, const struct arch *arch);
    uint64_t (*left)(const struct counters *c, const struct arch *arch);
    uint64_t (*right)(const struct counters *c, const struct arch *arch);
    bool (*holds)(const struct counters *c, const struct arch *arch);
};

extern const struct law law_table[];
extern const size_t law_count;

/* The first law of the table that applies and does not hold, or NULL. `c` is the sum over a whole
 * run, all launches. */
const struct law *laws_first_broken(const struct counters *c, const struct arch *arch);

#endif
