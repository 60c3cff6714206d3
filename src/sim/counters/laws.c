/* laws.c - the table behind laws.h, made from laws.def: four small functions a
 * law, so that a report can show both sides of the one that is broken.
 */
#include "sim/counters/laws.h"

#include "models/capabilities.h"

static uint64_t limited_cycles(const struct counters *c)
{
    uint64_t sum = 0;
#define LIMITER(resource, counter, ...) sum += c->counter;
#include "sim/counters/limiters.def"
#undef LIMITER
    return sum;
}

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
#include "sim/counters/laws.def"
#undef LAW

const struct law law_table[] = {
#define LAW(name, when, left, op, right, text)                                                     \
    {#name, text, #op, name##_applies, name##_left, name##_right, name##_holds},
#include "sim/counters/laws.def"
#undef LAW
};
const size_t law_count = sizeof law_table / sizeof law_table[0];

const struct law *laws_first_broken(const struct counters *c, const struct arch *arch)
{
    for (size_t i = 0; i < law_count; i++) {
        const struct law *law = &law_table[i];
        if (law->applies(c, arch) && !law->holds(c, arch))
            return law;
    }
    return NULL;
}
