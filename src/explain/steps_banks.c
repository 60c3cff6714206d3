/* steps_banks.c - the rules of shared memory in words: the groups of lanes, what shares a pass, and
 * the bank that has the most to do.
 *
 * Sources: those of sim/rules/banks.c.
 */
#include "explain/explained.h"

#include <inttypes.h>

enum { STEPS_TOLD = 4, WORDS_TOLD = 4 };

static void put_bank_of_word(const struct explained *x, struct step_sink *sink)
{
    const struct bank_plan *plan = &x->banks;
    struct text t;
    text_start(&t);
    text_add(&t, "bank of an address: (address / %" PRIu32 ") mod %" PRIu32, plan->bank_bytes,
             plan->banks);
    if (plan->rule == BANKS_KEPLER_4)
        text_add(&t, "; words i and i + 32 of one aligned block of 64 words (256 bytes) lie in one "
                     "bank and come together");
    else if (plan->rule == BANKS_KEPLER_8)
        text_add(&t, "; the two 4-byte words of an aligned 8-byte word come together");
    steps_put(sink, &t);
}

/* What nvcc makes of an increment, where the GPU has it. */
static void put_increment(const struct explained *x, struct step_sink *sink)
{
    struct text t;
    if ((x->access->flags & ACCESS_INCREMENT) == 0)
        return;
    text_start(&t);
    if (x->banks.by_lane)
        text_add(&t, "an addition of the constant 1 is an atomic as any other here");
    else
        text_add(&t,
                 "an addition of the constant 1 whose result nobody uses is ATOMS.POPC.INC: the "
                 "lanes that want one word are counted, and the word is written once");
    steps_put(sink, &t);
}

static const char *group_name(uint32_t lanes)
{
    return lanes == 32 ? "the whole warp" : lanes == 16 ? "each half-warp" : "each quarter-warp";
}

/* Why groups of wide loads were merged or not, on the GPUs that merge pairs. */
static void add_merging(const struct explained *x, struct text *t)
{
    if (x->banks.rule != BANKS_PAIRED_32 || x->banks.by_lane || x->access->width <= 4)
        return;
    if (x->access->op == OP_STORE)
        text_add(t, " (stores never merge groups)");
    else if (x->banks.merged == 0)
        text_add(t, " (groups do not merge: neither do all lanes t and t ^ 1 agree on their "
                    "addresses, nor all t and t ^ 2)");
    else
        text_add(t,
                 " (groups are doubled: all lanes t and t ^ %" PRIu32 " agree on their addresses)",
                 x->banks.merged);
}

static void put_groups(const struct explained *x, struct step_sink *sink)
{
    struct text t;
    text_start(&t);
    if (access_is_matrix(x->access) && x->banks.group_lanes == 8) {
        text_add(&t, "8 lanes name the rows of a matrix, 16 bytes each: a matrix goes through the "
                     "banks at once, and lanes that name the same row share it");
        steps_put(sink, &t);
        return;
    }
    text_add(&t, "%u-byte words: %s goes through the banks together", x->access->width,
             group_name(x->banks.group_lanes));
    add_merging(x, &t);
    if (x->banks.rule == BANKS_HALF_WARP_16 && !x->banks.by_lane && x->access->width > 4)
        text_add(&t, "; a word is %u requests of 4 bytes, one after another",
                 x->access->width / 4U);
    steps_put(sink, &t);
}

/* How many of the passes [from, to) give a bank something to do. */
static uint32_t passes_of_bank(const struct bank_plan *plan, uint32_t bank, uint32_t from,
                               uint32_t to)
{
    uint32_t passes = 0;
    for (uint32_t i = from; i < to; i++)
        passes += plan->pass[i].lanes[bank] != 0;
    return passes;
}

static uint32_t busiest_bank(const struct bank_plan *plan, uint32_t from, uint32_t to)
{
    uint32_t best = 0;
    for (uint32_t bank = 1; bank < plan->banks; bank++) {
        if (passes_of_bank(plan, bank, from, to) > passes_of_bank(plan, best, from, to))
            best = bank;
    }
    return best;
}

/* " (0x0, 0x80, 0x100, 0x180 ...)": the words of one bank over some passes. */
static void add_words(const struct explained *x, uint32_t bank, uint32_t from, uint32_t to,
                      struct text *t)
{
    const char *separator = " (";
    uint32_t told = 0;
    for (uint32_t i = from; i < to; i++) {
        uint64_t words[WARP_LANES];
        if (bank_plan_words(&x->banks, x->access, &x->banks.pass[i], bank, words) == 0)
            continue;
        if (told++ == WORDS_TOLD) {
            text_add(t, " ...");
            break;
        }
        text_add(t, "%s0x%" PRIx64, separator, words[0]);
        separator = ", ";
    }
    text_add(t, ")");
}

/* Lanes that a bank serves in the passes [from, to). */
static uint32_t lanes_of_bank(const struct bank_plan *plan, uint32_t bank, uint32_t from,
                              uint32_t to)
{
    uint32_t lanes = 0;
    for (uint32_t i = from; i < to; i++)
        lanes |= plan->pass[i].lanes[bank];
    return lanes;
}

static void add_busiest_bank(const struct explained *x, uint32_t bank, uint32_t from, uint32_t to,
                             struct text *t)
{
    const uint32_t busy = passes_of_bank(&x->banks, bank, from, to);
    if (busy == 1) {
        text_add(t, "no bank is asked for more than one %s", x->banks.by_lane ? "lane" : "word");
        return;
    }
    text_add(t, "the busiest bank is bank %" PRIu32 ", asked by ", bank);
    text_add_lanes(t, lanes_of_bank(&x->banks, bank, from, to));
    if (!x->banks.by_lane) {
        text_add(t, " for %" PRIu32 " words that cannot share a pass", busy);
        add_words(x, bank, from, to, t);
    }
}

/* The passes [from, to) belong to one group: what makes it so many? */
static void put_group(const struct explained *x, uint32_t from, uint32_t to, struct step_sink *sink)
{
    const struct bank_plan *plan = &x->banks;
    const uint32_t bank = busiest_bank(plan, from, to);
    const uint32_t first = plan->pass[from].group * plan->group_lanes;
    struct text t;
    text_start(&t);
    text_add(&t, "lanes %" PRIu32 " to %" PRIu32 ": ", first, first + plan->group_lanes - 1);
    add_busiest_bank(x, bank, from, to, &t);
    text_add(&t, ": ");
    text_add_count(&t, passes_of_bank(plan, bank, from, to), "pass", "es");
    if (plan->pass[to - 1].is_overhead)
        text_add(&t, ", and one more for 16-byte words");
    steps_put(sink, &t);
}

/* One step of sm_1x: the broadcast word, and the lanes that the other banks serve; `left` are the
 * lanes not yet served, before and after. */
static void put_half_warp_step(const struct explained *x, uint32_t i, uint32_t number,
                               uint32_t *left, struct step_sink *sink)
{
    const struct bank_pass *pass = &x->banks.pass[i];
    const uint32_t chosen = banks_bank_of(x->banks.rule, pass->broadcast);
    uint32_t others = 0;
    struct text t;
    for (uint32_t bank = 0; bank < x->banks.banks; bank++)
        others |= bank == chosen ? 0 : pass->lanes[bank];
    text_start(&t);
    text_add(&t,
             "half-warp %u, step %" PRIu32 ": lane %d picks the broadcast word 0x%" PRIx64
             " (bank %" PRIu32 "), it goes to ",
             pass->group, number, __builtin_ctz(*left), pass->broadcast, chosen);
    text_add_lanes(&t, pass->lanes[chosen]);
    if (others != 0) {
        text_add(&t, "; every other bank serves its lowest lane left: ");
        text_add_lanes(&t, others);
    }
    *left &= ~(others | pass->lanes[chosen]);
    text_add(&t, "; ");
    text_add_count(&t, (uint32_t)__builtin_popcount(*left), "lane", "s");
    text_add(&t, " left");
    steps_put(sink, &t);
}

/* The steps of one half-warp, passes [from, to), for the first 4-byte part of its words. */
static void put_half_warp(const struct explained *x, uint32_t from, uint32_t to,
                          struct step_sink *sink)
{
    const struct bank_plan *plan = &x->banks;
    uint32_t left = x->access->active & UINT32_C(0xffff) << 16 * plan->pass[from].group;
    for (uint32_t i = from; i < to && i < from + STEPS_TOLD; i++)
        put_half_warp_step(x, i, i - from + 1, &left, sink);
    if (left == 0)
        return;
    struct text t;
    text_start(&t);
    text_add(&t, "half-warp %u: and so on until no lane is left: %" PRIu32 " steps",
             plan->pass[from].group, to - from);
    steps_put(sink, &t);
}

static void put_other_parts(const struct explained *x, uint32_t from, uint32_t steps,
                            struct step_sink *sink)
{
    const uint32_t parts = x->access->width / 4U;
    struct text t;
    text_start(&t);
    text_add(&t,
             "half-warp %u: the other 4-byte part%s of the words take the same steps, a bank "
             "further on: %" PRIu32 " x %" PRIu32 " = %" PRIu32 " passes",
             x->banks.pass[from].group, parts == 2 ? "" : "s", parts, steps, parts * steps);
    steps_put(sink, &t);
}

/* The end of the passes that belong to the group and part of pass `from`. */
static uint32_t section_end(const struct bank_plan *plan, uint32_t from)
{
    uint32_t end = from;
    while (end < plan->passes && plan->pass[end].group == plan->pass[from].group &&
           plan->pass[end].first_part == plan->pass[from].first_part)
        end++;
    return end;
}

void steps_banks(const struct explained *x, struct step_sink *sink)
{
    const struct bank_plan *plan = &x->banks;
    const bool in_steps = plan->rule == BANKS_HALF_WARP_16 && !plan->by_lane;
    put_bank_of_word(x, sink);
    put_increment(x, sink);
    put_groups(x, sink);
    for (uint32_t from = 0, to; from < plan->passes; from = to) {
        to = section_end(plan, from);
        if (!in_steps)
            put_group(x, from, to, sink);
        else if (plan->pass[from].first_part == 0)
            put_half_warp(x, from, to, sink);
        else if (plan->pass[from].first_part == 1)
            put_other_parts(x, from, to - from, sink);
    }
}
