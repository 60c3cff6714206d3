/* test_properties.c - do the laws hold that follow from the rules but are not written in them?
 *
 * Random accesses against the model alone: permuted lanes, translated addresses, a lane turned off,
 * bounds between rules. Where a law holds only for some rules, the test says which and why.
 * Usage: test_properties [SEED].
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "access_cases.h"
#include "sim/rules/banks.h"
#include "sim/rules/coalesce.h"
#include "sim/rules/l1stage.h"

enum { CASES = 100000 };

static uint64_t seed = 20260302;

#define HOLDS(law, c, rule)                                                                        \
    do {                                                                                           \
        if (!(law)) {                                                                              \
            access_case_print(c, #law);                                                            \
            fail_msg("rule %d, seed %" PRIu64, (int)(rule), seed);                                 \
        }                                                                                          \
    } while (0)

static enum coalesce_rule any_rule(struct random_bits *random)
{
    return (enum coalesce_rule)random_below(random, COALESCE_RULE_COUNT);
}

static enum bank_rule any_bank_rule(struct random_bits *random)
{
    return (enum bank_rule)random_below(random, BANK_RULE_COUNT);
}

/* Lanes within which a rule does not care who holds which address. */
static unsigned coalesce_group(enum coalesce_rule rule, unsigned width)
{
    unsigned split = width <= 4 ? 1 : width / 4;
    if (rule == COALESCE_HALF_WARP_STRICT)
        return 1;
    if (rule == COALESCE_HALF_WARP_SEGMENT || rule == COALESCE_LANE)
        return 16;
    if (rule == COALESCE_LINE_128 || rule == COALESCE_SEGMENT_32)
        return 32 / split;
    if (rule == COALESCE_SECTOR_GROUPED || rule == COALESCE_SECTOR_SPLIT_REQUESTS)
        return 8 / split;
    return 32;
}

static unsigned bank_group(enum bank_rule rule, unsigned width)
{
    bool is_kepler = rule == BANKS_KEPLER_4 || rule == BANKS_KEPLER_8;
    if (rule == BANKS_HALF_WARP_16)
        return 1;
    return width <= 4 ? 32 : (width == 8 ? 16 : 8) * (is_kepler ? 2U : 1U);
}

/* How often the list holds this transaction, whoever rides in it. */
static unsigned times_in_list(const struct coalesced *result, const struct transaction *sent)
{
    unsigned times = 0;
    for (uint32_t i = 0; i < result->transactions; i++) {
        if (result->list[i].addr == sent->addr && result->list[i].bytes == sent->bytes)
            times++;
    }
    return times;
}

static bool is_same_sums(const struct coalesced *a, const struct coalesced *b)
{
    return a->requests == b->requests && a->transactions == b->transactions &&
           a->bytes_moved == b->bytes_moved;
}

static bool is_same_traffic(const struct coalesced *a, const struct coalesced *b)
{
    for (uint32_t i = 0; i < a->transactions; i++) {
        if (times_in_list(a, &a->list[i]) != times_in_list(b, &a->list[i]))
            return false;
    }
    return is_same_sums(a, b);
}

static bool is_same_passes(struct bank_passes a, struct bank_passes b)
{
    return a.passes == b.passes && a.ideal == b.ideal;
}

static bool is_same_banks(enum bank_rule rule, const struct access_case *a,
                          const struct access_case *b)
{
    return is_same_passes(banks_count(rule, &a->access), banks_count(rule, &b->access));
}

static bool is_same_atomic_and_constant(enum bank_rule rule, const struct access_case *a,
                                        const struct access_case *b)
{
    bool half_warp = rule == BANKS_HALF_WARP_16;
    return is_same_passes(banks_count_atomic(rule, &a->access),
                          banks_count_atomic(rule, &b->access)) &&
           banks_constant_passes(&a->access, half_warp) ==
               banks_constant_passes(&b->access, half_warp);
}

/* The strict rule is left as it is (groups of one lane): it asks for lane k on word k. */
static void law_permuted_traffic(struct random_bits *random, struct access_case *c)
{
    enum coalesce_rule rule = any_rule(random);
    struct access_case permuted;
    struct coalesced before, after;
    access_case_permute(random, c, coalesce_group(rule, c->width), &permuted);
    coalesce(rule, &c->access, &before);
    coalesce(rule, &permuted.access, &after);
    HOLDS(is_same_traffic(&before, &after), c, rule);
}

/* Wide loads that may merge pairs are left out: the merge asks who is whose neighbour. */
static void law_permuted_banks(struct random_bits *random, struct access_case *c)
{
    enum bank_rule rule = any_bank_rule(random);
    struct access_case permuted;
    if (rule == BANKS_PAIRED_32 && c->width > 4)
        c->access.op = OP_STORE;
    access_case_permute(random, c, bank_group(rule, c->width), &permuted);
    HOLDS(is_same_banks(rule, c, &permuted), c, rule);
}

static void law_permuted_atomics(struct random_bits *random, struct access_case *c)
{
    enum bank_rule rule = any_bank_rule(random);
    struct access_case permuted;
    c->access.op = OP_ATOMIC;
    access_case_permute(random, c, bank_group(rule, c->width), &permuted);
    HOLDS(is_same_atomic_and_constant(rule, c, &permuted), c, rule);
}

/* Lane t becomes lane t ^ m: groups stay groups and partners stay partners. */
static void law_renamed_pairs(struct random_bits *random, struct access_case *c)
{
    struct access_case renamed;
    unsigned source[WARP_LANES];
    unsigned mask = (unsigned)random_below(random, WARP_LANES);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        source[lane] = lane ^ mask;
    access_case_take_lanes(random, c, source, &renamed);
    HOLDS(is_same_banks(BANKS_PAIRED_32, c, &renamed), c, BANKS_PAIRED_32);
}

/* Whether no lower lane of the half-warp from `first` wants the same 4-byte word. */
static bool is_first_with_word(const struct access_case *c, unsigned first, unsigned lane)
{
    for (unsigned other = first; other < lane; other++) {
        if (access_lane_active(&c->access, other) && c->addr[other] / 4 == c->addr[lane] / 4)
            return false;
    }
    return true;
}

/* The most lanes, or the most distinct words, in one of the 16 banks of sm_1x, summed over the
 * half-warps; for words of up to 4 bytes. */
static uint32_t most_in_half_warp_bank(const struct access_case *c, bool distinct_words)
{
    uint32_t sum = 0;
    for (unsigned first = 0; first < WARP_LANES; first += 16) {
        uint32_t in_bank[16] = {0}, most = 0;
        for (unsigned lane = first; lane < first + 16; lane++) {
            uint32_t *count = &in_bank[c->addr[lane] / 4 % 16];
            if (!access_lane_active(&c->access, lane))
                continue;
            if (!distinct_words || is_first_with_word(c, first, lane))
                *count += 1;
            most = *count > most ? *count : most;
        }
        sum += most;
    }
    return sum;
}

/* Which word sm_1x broadcasts depends on the order of the lanes, and the passes with it. In any
 * order a step serves at least one lane and at most one word of every bank that is still wanted, so
 * the passes lie between those two counts; where they meet, the order does not matter. */
static void law_half_warp_bounds(struct random_bits *random, struct access_case *c)
{
    struct access_case permuted;
    if (c->width > 4)
        return;
    uint32_t words = most_in_half_warp_bank(c, true);
    uint32_t lanes = most_in_half_warp_bank(c, false);
    access_case_permute(random, c, 16, &permuted);
    uint32_t before = banks_count(BANKS_HALF_WARP_16, &c->access).passes;
    uint32_t after = banks_count(BANKS_HALF_WARP_16, &permuted.access).passes;
    HOLDS(words <= before && before <= lanes, c, BANKS_HALF_WARP_16);
    HOLDS(words <= after && after <= lanes, &permuted, BANKS_HALF_WARP_16);
}

/* Which line joins which wavefront depends on the order of the lanes, so the data stage is free of
 * it only while one wavefront takes all lines. */
static void law_permuted_tags(struct random_bits *random, struct access_case *c)
{
    struct access_case permuted;
    access_case_permute(random, c, bank_group(BANKS_GROUPED_32, c->width), &permuted);
    struct l1_wavefronts before = l1stage_count(&c->access);
    struct l1_wavefronts after = l1stage_count(&permuted.access);
    HOLDS(before.tag == after.tag, c, 0);
    HOLDS(before.tag > 1 || before.data == after.data, c, 0);
}

/* 1 GiB is a multiple of every segment, of every turn through the banks and of the tag hash. */
static void law_moved_1_gib(struct random_bits *random, struct access_case *c)
{
    const uint64_t gib = (uint64_t)1 << 30;
    enum coalesce_rule rule = any_rule(random);
    enum bank_rule bank_rule = any_bank_rule(random);
    struct access_case moved;
    struct coalesced before, after;
    access_case_translate(random, c, gib, &moved);
    struct l1_wavefronts l1_before = l1stage_count(&c->access);
    struct l1_wavefronts l1_after = l1stage_count(&moved.access);
    HOLDS(l1_before.tag == l1_after.tag && l1_before.data == l1_after.data, c, 0);
    HOLDS(is_same_banks(bank_rule, c, &moved), c, bank_rule);
    HOLDS(is_same_atomic_and_constant(bank_rule, c, &moved), c, bank_rule);
    coalesce(rule, &c->access, &before);
    coalesce(rule, &moved.access, &after);
    HOLDS(is_same_sums(&before, &after), c, rule);
    for (uint32_t i = 0; i < before.transactions; i++) {
        const struct transaction *a = &before.list[i], *b = &after.list[i];
        HOLDS(a->addr + gib == b->addr && a->bytes == b->bytes && a->lanes == b->lanes, c, rule);
    }
}

/* No rule's segments are larger than a line. */
static void law_moved_one_line(struct random_bits *random, struct access_case *c)
{
    enum coalesce_rule rule = any_rule(random);
    struct access_case moved;
    struct coalesced before, after;
    access_case_translate(random, c, 128, &moved);
    coalesce(rule, &c->access, &before);
    coalesce(rule, &moved.access, &after);
    HOLDS(is_same_sums(&before, &after), c, rule);
}

/* Three exceptions: a store of a whole line is one transaction and needs more without one of its
 * lanes; a strict half-warp that fails with two lanes can succeed with one, at 64 or 128 bytes; on
 * sm_1x another word may be broadcast without the lane. */
static void law_lane_off(struct random_bits *random, struct access_case *c)
{
    enum coalesce_rule rule = any_rule(random);
    enum bank_rule bank_rule = any_bank_rule(random);
    struct coalesced before, after;
    struct warp_access fewer = c->access;
    fewer.active &= ~((uint32_t)1 << random_below(random, WARP_LANES));
    if (fewer.active == 0)
        return;
    coalesce(rule, &c->access, &before);
    coalesce(rule, &fewer, &after);
    HOLDS(after.requests <= before.requests, c, rule);
    HOLDS(after.transactions <= before.transactions || rule == COALESCE_STORE_124, c, rule);
    HOLDS(after.bytes_moved <= before.bytes_moved || rule == COALESCE_HALF_WARP_STRICT, c, rule);
    uint32_t passes = banks_count(bank_rule, &c->access).passes;
    HOLDS(banks_count(bank_rule, &fewer).passes <= passes || bank_rule == BANKS_HALF_WARP_16, c,
          bank_rule);
    HOLDS(l1stage_count(&fewer).tag <= l1stage_count(&c->access).tag, c, 0);
    HOLDS(coalesce_distinct_bytes(&fewer) <= coalesce_distinct_bytes(&c->access), c, 0);
}

/* The whole-warp sectors are the least that can be moved in units of 32 bytes. */
static void law_least_sectors(struct random_bits *random, struct access_case *c)
{
    enum coalesce_rule rule = any_rule(random);
    struct coalesced sectors, other;
    coalesce(COALESCE_SECTOR, &c->access, &sectors);
    coalesce(rule, &c->access, &other);
    uint32_t wanted = coalesce_distinct_bytes(&c->access);
    HOLDS(sectors.bytes_moved <= other.bytes_moved, c, rule);
    HOLDS(wanted <= sectors.bytes_moved, c, rule);
    HOLDS(coalesce_ideal_sectors(wanted) <= sectors.transactions, c, rule);
}

/* Transactions are aligned to their size, and the lanes that ride in one have their words in it. */
static void law_rides_once(struct random_bits *random, struct access_case *c)
{
    enum coalesce_rule rule = any_rule(random);
    struct coalesced result;
    uint32_t riding = 0;
    coalesce(rule, &c->access, &result);
    for (uint32_t i = 0; i < result.transactions; i++) {
        const struct transaction *sent = &result.list[i];
        HOLDS(sent->addr % sent->bytes == 0, c, rule);
        HOLDS(sent->lanes != 0 && (sent->lanes & riding) == 0, c, rule);
        riding |= sent->lanes;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            bool is_inside = c->addr[lane] - sent->addr + c->width <= sent->bytes;
            HOLDS(is_inside || (sent->lanes >> lane & 1U) == 0, c, rule);
        }
    }
    HOLDS(riding == c->active, c, rule);
}

struct law {
    const char *title;
    void (*check)(struct random_bits *random, struct access_case *c);
};

static void test_law(void **state)
{
    const struct law *law = *state;
    for (uint64_t number = 0; number < CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct access_case c;
        access_case_draw(&random, &c);
        law->check(&random, &c);
    }
}

int main(int argc, char **argv)
{
    static struct law laws[] = {
        {"permuting lanes keeps the traffic of all but the strict rule", law_permuted_traffic},
        {"permuting lanes keeps bank passes", law_permuted_banks},
        {"permuting lanes keeps atomic and constant passes", law_permuted_atomics},
        {"renaming lanes by xor keeps paired passes", law_renamed_pairs},
        {"half-warp passes lie between words and lanes", law_half_warp_bounds},
        {"permuting lanes keeps L1 tag wavefronts", law_permuted_tags},
        {"translating by 1 GiB changes nothing", law_moved_1_gib},
        {"translating by a line keeps coalescing counts", law_moved_one_line},
        {"turning a lane off never adds", law_lane_off},
        {"no rule moves less than the distinct sectors", law_least_sectors},
        {"every active lane rides in exactly one transaction", law_rides_once},
    };
    enum { LAWS = sizeof laws / sizeof *laws };
    struct CMUnitTest tests[LAWS];
    for (size_t i = 0; i < LAWS; i++)
        tests[i] = (struct CMUnitTest){laws[i].title, test_law, NULL, NULL, &laws[i]};
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    printf("seed %" PRIu64 ", %d cases a law\n", seed, (int)CASES);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
