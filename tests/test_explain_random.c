/* test_explain_random.c - does an explanation agree with the model on accesses nobody thought of?
 *
 * The plans behind the drawings against the counting functions over random accesses of every rule,
 * and the form of text and JSON. Usage: test_explain_random [SEED].
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "access_cases.h"
#include "explain/explained.h"
#include "explain_output.h"
#include "sim/rules/l1stage.h"

enum { PLAN_CASES = 4000, TEXT_CASES = 10000 };

static uint64_t seed = 20260302;

/* Every 4-byte part of every active lane is served once. */
static void check_served_once(const struct access_case *c, const struct bank_plan *plan)
{
    const uint32_t parts_of_lane = c->width > 4 ? c->width / 4 : 1;
    uint32_t served[WARP_LANES][4] = {{0}};
    for (uint32_t i = 0; i < plan->passes; i++) {
        const struct bank_pass *pass = &plan->pass[i];
        for (unsigned at = 0; at < PLAN_BANKS * WARP_LANES; at++) {
            unsigned bank = at / WARP_LANES, lane = at % WARP_LANES;
            if ((pass->lanes[bank] >> lane & 1U) == 0)
                continue;
            for (uint32_t part = pass->first_part; part < pass->first_part + pass->parts; part++)
                served[lane][part] += banks_bank_of(plan->rule, c->addr[lane] + part * 4) == bank;
        }
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        for (uint32_t part = 0; part < parts_of_lane; part++) {
            if (served[lane][part] != (c->active >> lane & 1U)) {
                access_case_print(c, "a part is not served once");
                fail_msg("rule %d, lane %u, part %u", (int)plan->rule, lane, (unsigned)part);
            }
        }
    }
}

/* What one bank can do in one pass: one word, or one pair on Kepler; one lane of an atomic; on
 * sm_1x one lane unless it is the bank of the broadcast word. */
static void check_pass_is_possible(const struct access_case *c, const struct bank_plan *plan)
{
    bool is_kepler = plan->rule == BANKS_KEPLER_4 || plan->rule == BANKS_KEPLER_8;
    for (uint32_t i = 0; i < plan->passes; i++) {
        const struct bank_pass *pass = &plan->pass[i];
        for (uint32_t bank = 0; bank < PLAN_BANKS; bank++) {
            uint64_t words[WARP_LANES];
            uint32_t count = bank_plan_words(plan, &c->access, pass, bank, words);
            uint32_t lanes = pass->lanes[bank];
            assert_true(count <= (is_kepler ? 2 : 1));
            assert_true(count < 2 || words[0] / 256 == words[1] / 256);
            bool is_single = (lanes & (lanes - 1)) == 0;
            assert_true(is_single || !plan->by_lane);
            assert_true(is_single || plan->rule != BANKS_HALF_WARP_16 ||
                        words[0] == pass->broadcast);
        }
    }
}

static void plans_agree_with_the_bank_counts(void **state)
{
    (void)state;
    struct bank_plan plan;
    for (uint64_t number = 0; number < PLAN_CASES * BANK_RULE_COUNT; number++) {
        struct random_bits random = random_start(seed, number);
        enum bank_rule rule = (enum bank_rule)(number % BANK_RULE_COUNT);
        const struct rule_set rules = {.banks = rule, .increments_by_word = number % 2 == 0};
        struct access_case c;
        access_case_draw(&random, &c);
        c.access.op = (uint8_t)random_below(&random, OP_COUNT);
        c.access.space = SPACE_SHARED;
        if (c.access.op == OP_ATOMIC && c.access.width == 4)
            c.access.flags = random_below(&random, 2) ? ACCESS_INCREMENT : 0;
        if (c.access.op != OP_ATOMIC && c.access.width == 16)
            c.access.flags = random_below(&random, 2) ? ACCESS_MATRIX : 0;
        struct bank_passes expected = banks_count_shared(&rules, &c.access);
        bank_plan_make(&rules, &c.access, &plan);
        if (plan.passes != expected.passes) {
            access_case_print(&c, "passes differ");
            fail_msg("rule %d: %u passes in the plan, %u counted", (int)rule, (unsigned)plan.passes,
                     (unsigned)expected.passes);
        }
        check_served_once(&c, &plan);
        check_pass_is_possible(&c, &plan);
    }
}

static void plans_agree_with_the_l1_and_constant_counts(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < PLAN_CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct access_case c;
        struct l1_plan plan;
        struct constant_plan constant;
        access_case_draw(&random, &c);
        struct l1_wavefronts expected = l1stage_count(&c.access);
        l1_plan_make(&c.access, &plan);
        assert_int_equal(plan.wavefronts, expected.tag);
        assert_int_equal(plan.data_passes, expected.data);
        constant_plan_make(&c.access, number % 2 == 0, &constant);
        assert_int_equal(constant.passes, banks_constant_passes(&c.access, number % 2 == 0));
    }
}

/* The tests of the strict rule pass exactly where the half-warp is coalesced. */
static void strict_tests_agree_with_the_rule(void **state)
{
    (void)state;
    uint32_t passed = 0, failed = 0;
    for (uint64_t number = 0; number < PLAN_CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct access_case c;
        struct coalesced moved;
        unsigned lane;
        access_case_draw(&random, &c);
        c.access.active &= number % 2 == 0 ? UINT16_MAX : ~(uint32_t)UINT16_MAX;
        if (c.access.active == 0)
            continue;
        coalesce(COALESCE_HALF_WARP_STRICT, &c.access, &moved);
        bool passes = strict_find_failure(&c.access, c.access.active, &lane) == STRICT_PASSES;
        assert_int_equal(passes, moved.list[0].bytes > 32);
        passed += passes;
        failed += !passes;
    }
    assert_true(passed > PLAN_CASES / 50 && failed > PLAN_CASES / 50);
}

static void request_sizes_agree_with_the_rules(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < PLAN_CASES; number++) {
        struct random_bits random = random_start(seed, number);
        enum coalesce_rule rule =
            (enum coalesce_rule)(COALESCE_LINE_128 + number % (COALESCE_LANE - COALESCE_LINE_128));
        struct access_case c;
        struct coalesced moved;
        uint32_t requests = 0, size;
        access_case_draw(&random, &c);
        coalesce(rule, &c.access, &moved);
        size = steps_request_lanes(rule, c.width);
        for (uint32_t first = 0; first < WARP_LANES; first += size)
            requests += (c.active >> first & UINT32_MAX >> (WARP_LANES - size)) != 0;
        assert_int_equal(requests, moved.requests);
    }
}

/* A small reader of JSON: returns what follows a value, NULL when there is none. */
static const char *skip_json(const char *s);

static const char *skip_json_string(const char *s)
{
    for (s++; *s != '"'; s++) {
        if (*s == '\\')
            s++;
        if ((unsigned char)*s < ' ')
            return NULL;
    }
    return s + 1;
}

static const char *skip_json_members(const char *s, char end, bool has_names)
{
    if (s[1] == end)
        return s + 2;
    do {
        s++;
        if (has_names && (*s != '"' || (s = skip_json_string(s)) == NULL || *s++ != ':'))
            return NULL;
        s = skip_json(s);
    } while (s != NULL && *s == ',');
    return s != NULL && *s == end ? s + 1 : NULL;
}

static const char *skip_json(const char *s)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*s == '{')
        return skip_json_members(s, '}', true);
    if (*s == '[')
        return skip_json_members(s, ']', false);
    if (*s == '"')
        return skip_json_string(s);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(s, words[i], strlen(words[i])) == 0)
            return s + strlen(words[i]);
    }
    size_t digits = strspn(s, "0123456789");
    return digits != 0 ? s + digits : NULL;
}

static void check_text(const struct access_case *c, const char *output)
{
    size_t column = 0;
    for (const char *s = output; *s != '\0'; s++) {
        column = *s == '\n' ? 0 : column + 1;
        bool is_plain = *s == '\n' || (*s >= ' ' && *s <= '~');
        bool ends_blank = *s == ' ' && s[1] == '\n';
        if (column > PAGE_COLUMNS || !is_plain || ends_blank) {
            access_case_print(c, "a line is too long, not plain, or ends in a blank");
            fail_msg("%s", output);
        }
    }
    assert_absent("misaligned by 0 ");
    assert_absent("%%");
    assert_piece("\nSteps:\n  1. ");
    assert_piece("\nCounts: ");
}

static void every_explanation_is_well_formed(void **state)
{
    (void)state;
    for (uint64_t number = 0; number < TEXT_CASES; number++) {
        struct random_bits random = random_start(seed, number);
        struct access_case c;
        struct arch arch;
        const struct gpu_model *model = part_choose((enum part)(number % PARTS), &arch);
        access_case_draw(&random, &c);
        c.access.op = (uint8_t)random_below(&random, OP_COUNT);
        c.access.space = (uint8_t)random_below(&random, SPACE_COUNT);
        c.access.flags = (uint8_t)random_below(&random, 2);
        check_text(&c, output_text(&c.access, model, &arch));
        const char *json = output_json(&c.access, model, &arch);
        const char *end = skip_json(json);
        if (end == NULL || *end != '\0')
            fail_msg("not JSON: %s", json);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_agree_with_the_bank_counts),
        cmocka_unit_test(plans_agree_with_the_l1_and_constant_counts),
        cmocka_unit_test(strict_tests_agree_with_the_rule),
        cmocka_unit_test(request_sizes_agree_with_the_rules),
        cmocka_unit_test(every_explanation_is_well_formed),
    };
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    if (!output_open())
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    output_close();
    return failed;
}
