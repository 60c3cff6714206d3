/* observation.c - which banks an access goes to, and in how many ways lanes conflict there. */
#include "result/observation.h"

#include <stdlib.h>

#include "sim/rules/lanes.h"

enum { WORDS_MAX = WARP_LANES * 4 }; /* 32 lanes of 16 bytes */

/* The distinct words that some lanes want. */
static size_t collect_words(const struct warp_access *access, uint32_t lanes, uint32_t word_bytes,
                            uint64_t words[WORDS_MAX])
{
    size_t count = 0;
    for (lanes &= access->active; lanes; lanes &= lanes - 1) {
        const uint64_t addr = access_addr(access, lanes_lowest(lanes));
        for (uint32_t at = 0; at < access->width; at += word_bytes) {
            size_t i = 0;
            words[count] = (addr + at) / word_bytes;
            while (words[i] != words[count])
                i++;
            count += i == count;
        }
    }
    return count;
}

void observed_banks_add(const struct rule_set *rules, const struct warp_access *access,
                        uint64_t times, struct observed_banks *banks)
{
    const enum bank_rule rule = rules->banks;
    const bool halves = rule == BANKS_HALF_WARP_16;
    const uint32_t word_bytes = rule == BANKS_KEPLER_8 ? 8 : 4;
    const uint32_t group = halves ? HALF_WARP_LANES : WARP_LANES;
    for (uint32_t first = 0; first < WARP_LANES; first += group) {
        uint64_t words[WORDS_MAX + 1];
        size_t count = collect_words(access, lanes_range(first, group), word_bytes, words);
        for (size_t i = 0; i < count; i++)
            banks->words[banks_bank_of(rule, words[i] * word_bytes)] += times;
    }
    const struct bank_passes passes = banks_count_shared(rules, access);
    const uint32_t ways = (passes.passes + passes.ideal - 1) / passes.ideal;
    banks->ways[ways < OBSERVED_WAYS ? ways : OBSERVED_WAYS] += times;
}

const struct observed_shape *observed_typical(const struct observed_place *place)
{
    const struct observed_shape *most = NULL;
    for (const struct observed_shape *s = place->shapes; s < place->shapes + place->shape_count;
         s++)
        if (most == NULL || s->count > most->count ||
            (s->count == most->count && s->order < most->order))
            most = s;
    return most;
}

void observation_free(struct observation *observation)
{
    if (observation == NULL)
        return;
    for (size_t i = 0; i < observation->place_count; i++) {
        free(observation->places[i].shapes);
        free(observation->places[i].worst);
        free(observation->places[i].banks);
    }
    free(observation->places);
    free(observation->elements);
    free(observation);
}
