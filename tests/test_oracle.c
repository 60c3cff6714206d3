/* test_oracle.c - does the fast code equal the slow obvious code?
 *
 * A million random accesses, each through one coalescing rule, one bank rule and the L1 stages, and
 * by turns through an atomic or the constant port; every field is compared. The oracle itself is
 * first held against published figures, so that the two cannot be wrong together there.
 * Usage: test_oracle [SEED [CASES]].
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "oracle.h"
#include "sim/rules/banks_affine.h"
#include "sim/rules/coalesce_affine.h"
#include "sim/rules/coalesce_lines.h"
#include "sim/rules/l1stage_affine.h"
#include "sim/rules/transfers.h"

enum { MAX_PRINTED = 2, MAX_TALLIES = 64 };

static uint64_t seed = 20260301;
static uint64_t cases = 1000000;

static const char *const coalesce_names[COALESCE_RULE_COUNT] = {
    "COALESCE_HALF_WARP_STRICT",
    "COALESCE_HALF_WARP_SEGMENT",
    "COALESCE_LINE_128",
    "COALESCE_SEGMENT_32",
    "COALESCE_STORE_124",
    "COALESCE_SECTOR_GROUPED",
    "COALESCE_SECTOR_SPLIT_REQUESTS",
    "COALESCE_SECTOR",
    "COALESCE_SECTOR_ROUNDS",
    "COALESCE_LANE",
};

static const char *const bank_names[BANK_RULE_COUNT] = {
    "BANKS_HALF_WARP_16", "BANKS_FERMI_32",   "BANKS_KEPLER_4",
    "BANKS_KEPLER_8",     "BANKS_GROUPED_32", "BANKS_PAIRED_32",
};

static const char *const atomic_names[BANK_RULE_COUNT] = {
    "BANKS_HALF_WARP_16 atomic", "BANKS_FERMI_32 atomic",   "BANKS_KEPLER_4 atomic",
    "BANKS_KEPLER_8 atomic",     "BANKS_GROUPED_32 atomic", "BANKS_PAIRED_32 atomic",
};

/* Differences by what was compared, so that one wrong rule does not hide another. */
static struct tally {
    const char *what;
    unsigned differences;
} tallies[MAX_TALLIES];

static struct tally *find_tally(const char *what)
{
    unsigned i = 0;
    while (i < MAX_TALLIES - 1 && tallies[i].what != NULL && strcmp(tallies[i].what, what) != 0)
        i++;
    tallies[i].what = what;
    return &tallies[i];
}

/* True when this difference is still to be printed in full. */
static bool report_difference(const struct access_case *c, uint64_t number, const char *what)
{
    struct tally *tally = find_tally(what);
    tally->differences++;
    if (tally->differences > MAX_PRINTED)
        return false;
    fprintf(stderr, "difference %u of this kind: seed %" PRIu64 " case %" PRIu64 "\n",
            tally->differences, seed, number);
    access_case_print(c, what);
    return true;
}

static unsigned print_tallies(void)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < MAX_TALLIES && tallies[i].what != NULL; i++) {
        fprintf(stderr, "%9u differences: %s\n", tallies[i].differences, tallies[i].what);
        sum += tallies[i].differences;
    }
    return sum;
}

static void check_number(const struct access_case *c, uint64_t number, const char *what,
                         uint32_t want, uint32_t got)
{
    if (want != got && report_difference(c, number, what))
        fprintf(stderr, "  oracle %" PRIu32 ", model %" PRIu32 "\n", want, got);
}

static bool is_same_transaction(const struct transaction *a, const struct transaction *b)
{
    return a->addr == b->addr && a->bytes == b->bytes && a->lanes == b->lanes;
}

static bool is_in_list(const struct coalesced *result, const struct transaction *wanted)
{
    for (uint32_t i = 0; i < result->transactions && i < WARP_LANES; i++) {
        if (is_same_transaction(&result->list[i], wanted))
            return true;
    }
    return false;
}

/* The same list, in any order; no oracle list holds a transaction twice. */
static bool is_same_set(const struct coalesced *want, const struct coalesced *got)
{
    for (uint32_t i = 0; i < want->transactions; i++) {
        if (!is_in_list(got, &want->list[i]))
            return false;
    }
    return want->transactions == got->transactions;
}

static bool is_same_coalesced(const struct coalesced *want, const struct coalesced *got)
{
    if (want->requests != got->requests || want->transactions != got->transactions ||
        want->bytes_moved != got->bytes_moved)
        return false;
    for (uint32_t i = 0; i < want->transactions; i++) {
        if (!is_same_transaction(&want->list[i], &got->list[i]))
            return false;
    }
    return true;
}

static void print_coalesced(const char *who, const struct coalesced *result)
{
    fprintf(stderr, "  %s: requests %" PRIu32 ", transactions %" PRIu32 ", bytes %" PRIu32 "\n",
            who, result->requests, result->transactions, result->bytes_moved);
    for (uint32_t i = 0; i < result->transactions && i < WARP_LANES; i++)
        fprintf(stderr, "    %3" PRIu32 " bytes at 0x%" PRIx64 " lanes 0x%08" PRIx32 "\n",
                result->list[i].bytes, result->list[i].addr, result->list[i].lanes);
}

static void check_coalesce(enum coalesce_rule rule, const struct access_case *c, uint64_t number)
{
    struct coalesced want, got;
    oracle_coalesce(rule, c->addr, c->active, c->width, &want);
    coalesce(rule, &c->access, &got);
    if (is_same_coalesced(&want, &got) || !report_difference(c, number, coalesce_names[rule]))
        return;
    print_coalesced("oracle", &want);
    print_coalesced("model", &got);
    if (is_same_set(&want, &got))
        fprintf(stderr, "  the same transactions; the order or a sum differs\n");
}

/* The sums of a list, and its transfers in any order. */
static void check_counts(enum coalesce_rule rule, const struct access_case *c, uint64_t number)
{
    struct coalesced want;
    struct coalesce_counts got[2]; /* without and with transfers */
    struct transfers moved;
    struct warp_lines lines;
    uint32_t of_size[3] = {0}, found = 0;
    oracle_coalesce(rule, c->addr, c->active, c->width, &want);
    coalesce_lines_start(&lines, &c->access);
    coalesce_count(rule, &lines, &got[0], NULL);
    coalesce_count(rule, &lines, &got[1], &moved);
    for (uint32_t i = 0; i < want.transactions; i++) {
        of_size[want.list[i].bytes / 64]++;
        for (uint32_t k = 0; k < moved.count; k++)
            found += moved.addr[k] == want.list[i].addr && moved.bytes[k] == want.list[i].bytes;
    }
    for (unsigned i = 0; i < 2; i++) {
        check_number(c, number, "counted requests", want.requests, got[i].requests);
        check_number(c, number, "counted transactions", want.transactions, got[i].transactions);
        check_number(c, number, "counted, 32 bytes", of_size[0], got[i].transactions_32b);
        check_number(c, number, "counted, 64 bytes", of_size[1], got[i].transactions_64b);
        check_number(c, number, "counted, 128 bytes", of_size[2], got[i].transactions_128b);
        check_number(c, number, "counted bytes moved", want.bytes_moved, got[i].bytes_moved);
        check_number(c, number, "counted bytes used",
                     oracle_distinct_bytes(c->addr, c->active, c->width), got[i].bytes_used);
    }
    check_number(c, number, "transfers", want.transactions, moved.count);
    if (found < want.transactions && report_difference(c, number, "transfers"))
        print_coalesced("oracle", &want);
}

static void check_passes(const struct access_case *c, uint64_t number, const char *rule,
                         struct bank_passes want, struct bank_passes got)
{
    if (want.passes == got.passes && want.ideal == got.ideal)
        return;
    if (report_difference(c, number, rule))
        fprintf(stderr,
                "  oracle: passes %" PRIu32 " ideal %" PRIu32 "; model: passes %" PRIu32
                " ideal %" PRIu32 "\n",
                want.passes, want.ideal, got.passes, got.ideal);
}

static void check_matrix(enum bank_rule rule, struct access_case *c, uint64_t number)
{
    const uint8_t flags = c->access.flags, op = c->access.op;
    c->access.flags = ACCESS_MATRIX;
    for (c->access.op = OP_LOAD; c->access.op <= OP_STORE; c->access.op++)
        check_passes(c, number, "matrices", oracle_banks_matrix(c->addr, c->active),
                     banks_count(rule, &c->access));
    c->access.flags = flags;
    c->access.op = op;
}

static void check_banks(enum bank_rule rule, struct access_case *c, uint64_t number)
{
    c->access.space = SPACE_SHARED;
    check_passes(c, number, bank_names[rule],
                 oracle_banks(rule, (enum mem_op)c->access.op, c->addr, c->active, c->width),
                 banks_count(rule, &c->access));
    if (c->width == 16 && (rule == BANKS_GROUPED_32 || rule == BANKS_PAIRED_32))
        check_matrix(rule, c, number);
}

/* With the rule of sm_80, and without it. */
static void check_increment(struct access_case *c, uint64_t number)
{
    struct rule_set rules = {.banks = BANKS_PAIRED_32, .increments_by_word = true};
    const uint8_t flags = c->access.flags;
    c->access.flags = ACCESS_INCREMENT;
    check_passes(c, number, "increments by word", oracle_banks_increment(c->addr, c->active),
                 banks_count_shared(&rules, &c->access));
    rules.increments_by_word = false;
    check_passes(c, number, "increments by lane",
                 oracle_banks_atomic(BANKS_PAIRED_32, c->addr, c->active, 4),
                 banks_count_shared(&rules, &c->access));
    c->access.flags = flags;
}

static void check_atomic(enum bank_rule rule, struct access_case *c, uint64_t number)
{
    uint8_t op = c->access.op;
    c->access.space = SPACE_SHARED;
    c->access.op = OP_ATOMIC;
    check_passes(c, number, atomic_names[rule],
                 oracle_banks_atomic(rule, c->addr, c->active, c->width),
                 banks_count_atomic(rule, &c->access));
    if (rule == BANKS_PAIRED_32 && c->width == 4)
        check_increment(c, number);
    c->access.op = op;
}

static void check_constant(bool half_warp, struct access_case *c, uint64_t number)
{
    c->access.space = SPACE_CONSTANT;
    check_number(c, number, half_warp ? "constant passes, half-warp" : "constant passes, warp",
                 oracle_constant_passes(c->addr, c->active, half_warp),
                 banks_constant_passes(&c->access, half_warp));
}

static void check_l1stage(struct access_case *c, uint64_t number)
{
    c->access.space = SPACE_GLOBAL;
    struct l1_wavefronts want =
        oracle_l1stage((enum mem_op)c->access.op, c->addr, c->active, c->width);
    struct l1_wavefronts got = l1stage_count(&c->access);
    check_number(c, number, "L1 tag wavefronts", want.tag, got.tag);
    check_number(c, number, "L1 data wavefronts", want.data, got.data);
    check_number(c, number, "L1 data wavefronts of atomics",
                 oracle_l1stage_atomic(c->addr, c->active, c->width),
                 l1stage_atomic_passes(&c->access));
}

/* The closed forms, and how many cases came to each. */
enum { FORM_SEGMENTS, FORM_STORE, FORM_BANKS, FORM_ONE_ROW, FORM_L1, FORM_COUNT };
static const char *const form_names[FORM_COUNT] = {"segments", "stores", "banks",
                                                   "one row of banks", "L1 stages"};
static uint64_t form_cases[FORM_COUNT];

static void note_forms(const struct access_case *c)
{
    /* 4-byte banks of sm_70 on, and words of up to 4 bytes. */
    const struct bank_request banks = {2, 7, 7, WARP_LANES};
    const struct warp_access *a = &c->access;
    struct l1_wavefronts wavefronts;
    form_cases[FORM_SEGMENTS] += access_is_full_affine(a);
    form_cases[FORM_STORE] += coalesce_affine_is_run(a);
    form_cases[FORM_BANKS] += c->width <= 4 && banks_affine_fits(&banks, a);
    form_cases[FORM_ONE_ROW] += c->width <= 4 && banks_affine_is_one_row(&banks, a);
    form_cases[FORM_L1] += l1stage_affine_count(a, &wavefronts);
}

/* Each closed form is taken by two cases in a thousand at least. */
static void check_forms(void)
{
    for (unsigned i = 0; i < FORM_COUNT; i++) {
        printf("%9" PRIu64 " cases by the closed form of %s\n", form_cases[i], form_names[i]);
        assert_true(form_cases[i] >= cases / 500);
    }
}

static void check_case(uint64_t number)
{
    struct access_case c;
    struct random_bits random = random_start(seed, number);
    access_case_draw(&random, &c);
    note_forms(&c);
    check_coalesce((enum coalesce_rule)random_below(&random, COALESCE_RULE_COUNT), &c, number);
    check_counts((enum coalesce_rule)random_below(&random, COALESCE_RULE_COUNT), &c, number);
    check_number(&c, number, "distinct bytes", oracle_distinct_bytes(c.addr, c.active, c.width),
                 coalesce_distinct_bytes(&c.access));
    check_banks((enum bank_rule)random_below(&random, BANK_RULE_COUNT), &c, number);
    if (number % 2 == 0)
        check_atomic((enum bank_rule)random_below(&random, BANK_RULE_COUNT), &c, number);
    else
        check_constant(random_below(&random, 2) == 1, &c, number);
    check_l1stage(&c, number);
}

static void test_model_equals_oracle(void **state)
{
    (void)state;
    printf("seed %" PRIu64 ", %" PRIu64 " cases\n", seed, cases);
    for (uint64_t number = 0; number < cases; number++)
        check_case(number);
    check_forms();
    unsigned differences = print_tallies();
    if (differences != 0)
        fail_msg("%u differences in %" PRIu64 " cases, seed %" PRIu64, differences, cases, seed);
}

static void test_banks_of_single_addresses_equal_oracle(void **state)
{
    (void)state;
    struct random_bits random = random_start(seed, 0);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t value = random_next(&random) >> random_below(&random, 64);
        enum bank_rule rule = (enum bank_rule)(i % BANK_RULE_COUNT);
        assert_int_equal(banks_bank_of(rule, value), oracle_bank_of(rule, value));
        assert_int_equal(banks_count_of(rule), oracle_bank_number(rule));
        assert_int_equal(l1stage_tag_bank(value), oracle_tag_bank(value));
    }
}

/* Lane t on word t % rows * pitch + t / rows, words of `width` bytes. */
static void fill_column_walk(uint64_t addr[WARP_LANES], unsigned rows, unsigned pitch,
                             unsigned width)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        addr[lane] = (uint64_t)(lane % rows * pitch + lane / rows) * width;
}

/* Published conflict degrees; on sm_1x the two half-warps add up. */
static void test_oracle_meets_published_bank_figures(void **state)
{
    static const struct {
        enum bank_rule rule;
        unsigned rows, pitch, width, passes;
    } figures[] = {
        {BANKS_HALF_WARP_16, 32, 1, 1, 8},  {BANKS_HALF_WARP_16, 32, 1, 4, 2},
        {BANKS_HALF_WARP_16, 32, 2, 4, 4},  {BANKS_HALF_WARP_16, 32, 3, 4, 2},
        {BANKS_HALF_WARP_16, 32, 8, 4, 16}, {BANKS_HALF_WARP_16, 32, 1, 8, 8},
        {BANKS_HALF_WARP_16, 32, 0, 4, 2},  {BANKS_FERMI_32, 32, 32, 4, 32},
        {BANKS_FERMI_32, 32, 33, 4, 1},     {BANKS_FERMI_32, 16, 32, 4, 16},
        {BANKS_FERMI_32, 16, 33, 4, 2},     {BANKS_FERMI_32, 16, 34, 4, 1},
        {BANKS_FERMI_32, 32, 2, 4, 2},      {BANKS_FERMI_32, 32, 1, 8, 2},
        {BANKS_FERMI_32, 32, 1, 16, 8},     {BANKS_FERMI_32, 32, 1, 1, 1},
        {BANKS_KEPLER_4, 32, 32, 4, 16},    {BANKS_KEPLER_4, 16, 32, 4, 8},
        {BANKS_KEPLER_4, 32, 2, 4, 1},      {BANKS_KEPLER_4, 32, 1, 8, 1},
        {BANKS_KEPLER_8, 32, 32, 4, 16},    {BANKS_KEPLER_8, 16, 32, 4, 8},
        {BANKS_KEPLER_8, 32, 2, 4, 1},      {BANKS_KEPLER_8, 32, 1, 8, 1},
        {BANKS_GROUPED_32, 16, 16, 4, 8},   {BANKS_GROUPED_32, 16, 17, 4, 2},
        {BANKS_GROUPED_32, 16, 18, 4, 1},   {BANKS_GROUPED_32, 32, 1, 16, 4},
        {BANKS_PAIRED_32, 32, 1, 8, 2},     {BANKS_PAIRED_32, 32, 0, 8, 1},
        {BANKS_PAIRED_32, 32, 0, 16, 2},    {BANKS_PAIRED_32, 32, 32, 4, 32},
    };
    (void)state;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        uint64_t addr[WARP_LANES];
        fill_column_walk(addr, figures[i].rows, figures[i].pitch, figures[i].width);
        struct bank_passes got =
            oracle_banks(figures[i].rule, OP_LOAD, addr, UINT32_MAX, figures[i].width);
        if (got.passes != figures[i].passes)
            fail_msg("%s rows %u pitch %u width %u: %" PRIu32 " passes, published %u",
                     bank_names[figures[i].rule], figures[i].rows, figures[i].pitch,
                     figures[i].width, got.passes, figures[i].passes);
    }
}

enum warp_pattern { PATTERN_ALIGNED, PATTERN_PERMUTED, PATTERN_OFF_BY_ONE, PATTERN_ONE_WORD };

static uint64_t pattern_addr(enum warp_pattern pattern, unsigned lane)
{
    switch (pattern) {
    case PATTERN_PERMUTED:
        return 128 + (uint64_t)4 * (lane ^ 1);
    case PATTERN_OFF_BY_ONE:
        return 132 + (uint64_t)4 * lane;
    case PATTERN_ONE_WORD:
        return 128;
    default:
        return 128 + (uint64_t)4 * lane;
    }
}

/* The figure of the CUDA C Programming Guide 5.5, G.4.2: one warp, 4-byte words. */
static void test_oracle_meets_programming_guide_figure(void **state)
{
    static const struct {
        enum coalesce_rule rule;
        struct {
            unsigned transactions, bytes;
        } want[4]; /* by pattern */
    } figures[] = {
        {COALESCE_HALF_WARP_STRICT, {{2, 128}, {32, 1024}, {32, 1024}, {32, 1024}}},
        {COALESCE_HALF_WARP_SEGMENT, {{2, 128}, {2, 128}, {3, 224}, {2, 64}}},
        {COALESCE_LINE_128, {{1, 128}, {1, 128}, {2, 256}, {1, 128}}},
        {COALESCE_SEGMENT_32, {{4, 128}, {4, 128}, {5, 160}, {1, 32}}},
        {COALESCE_STORE_124, {{1, 128}, {1, 128}, {2, 160}, {1, 32}}},
        {COALESCE_SECTOR, {{4, 128}, {4, 128}, {5, 160}, {1, 32}}},
        {COALESCE_SECTOR_GROUPED, {{4, 128}, {4, 128}, {8, 256}, {4, 128}}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        for (unsigned pattern = 0; pattern < 4; pattern++) {
            struct coalesced got;
            uint64_t addr[WARP_LANES];
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                addr[lane] = pattern_addr((enum warp_pattern)pattern, lane);
            oracle_coalesce(figures[i].rule, addr, UINT32_MAX, 4, &got);
            assert_int_equal(got.transactions, figures[i].want[pattern].transactions);
            assert_int_equal(got.bytes_moved, figures[i].want[pattern].bytes);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oracle_meets_published_bank_figures),
        cmocka_unit_test(test_oracle_meets_programming_guide_figure),
        cmocka_unit_test(test_banks_of_single_addresses_equal_oracle),
        cmocka_unit_test(test_model_equals_oracle),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        cases = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
