/* invariants.c - the table behind invariants.h, made from invariants.def: four small functions a
 * law, so that a report can show both sides of the one that is broken.
 */
#include "sim/counters/invariants.h"

#define LAW(name, when, left, op, right, text)                                                     \
    static bool name##_applies(const struct counters *c, const struct arch *a)                     \
    {                                                                                              \
        (void)c;                                                                                   \
        (void)a;                                                                                   \
        return when;                                                                               \
    }                                                                                              \
    static uint64_t name##_left(const struct counters *c, const struct arch *a)                    \
    {                                                                                              \
        (void)a;                                                                                   \
        return left;                                                                               \
    }                                                                                              \
    static uint64_t name##_right(const struct counters *c, const struct arch *a)                   \
    {                                                                                              \
        (void)c;                                                                                   \
        (void)a;                                                                                   \
        return right;                                                                              \
    }                                                                                              \
    static bool name##_holds(const struct counters *c, const struct arch *a)                       \
    {                                                                                              \
        return name##_left(c, a) op name##_right(c, a);                                            \
    }
#include "sim/counters/invariants.def"
#undef LAW

const struct invariant invariant_table[] = {
#define LAW(name, when, left, op, right, text)                                                     \
    {#name, text, #op, name##_applies, name##_left, name##_right, name##_holds},
#include "sim/counters/invariants.def"
#undef LAW
};
const size_t invariant_count = sizeof invariant_table / sizeof invariant_table[0];

const struct invariant *invariants_first_broken(const struct counters *c, const struct arch *arch)
{
    for (size_t i = 0; i < invariant_count; i++) {
        const struct invariant *law = &invariant_table[i];
        if (law->applies(c, arch) && !law->holds(c, arch))
            return law;
    }
    return NULL;
}
