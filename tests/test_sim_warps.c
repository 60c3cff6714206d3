/* test_sim_warps.c - when does a warp take its steps: behind its instructions, and which of its loads? Warps of one SM run a script; sim_script.h has the round figures.
 *
 * From small_gpu.h: a load takes the unit for a cycle; its data comes 600 cycles after it leaves when it is from
 * DRAM, 1,000 when it is from the host, 30 from L1.
 */
#include "sim_script.h"

#include "test_support.h"

#include "rules_access.h"

static struct script script;

static struct warp_access of_site(uint32_t site, struct warp_access a)
{
    a.site = site;
    return a;
}

/* All lanes read a word of the line; or do something else with it. */
static struct warp_access word(uint32_t site, uint64_t line)
{
    return of_site(site, affine(4, 128 * line, 0));
}

static struct warp_access word_as(uint32_t site, uint64_t line, uint8_t op)
{
    struct warp_access a = word(site, line);
    a.op = op;
    return a;
}

static struct warp_access with(struct warp_access a, uint8_t flags)
{
    a.flags = flags;
    return a;
}

/* One block is watched, on one SM. */
static void open_block(const struct arch *arch, uint32_t warps)
{
    script_open(&script, arch, NULL);
    script_launch(&script, 1, warps, 0);
    script_block(&script, 0, warps);
}

static void run_block(uint32_t work)
{
    script_run(&script, work);
    script_finish(&script);
}

static void load(uint32_t warp, uint32_t work, struct warp_access access)
{
    script_access(&script, warp, work, NEEDS_NO_LOAD, access);
}

#define EXPECT_SPAN(warp, n, stage, from, to)                                                      \
    do {                                                                                           \
        assert_int_equal(script_first(&script, warp, n, stage), from);                             \
        assert_int_equal(script_last(&script, warp, n, stage), to);                                \
    } while (0)

/* ---- Instructions ---------------------------------------------------------------------------- */

/* 3 instructions, then the load leaves; the warp issues 2 more and waits for it. */
static void a_warp_alone_issues_loads_and_waits(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    open_block(&arch, 1);
    load(0, 3, word(1, 5));
    run_block(2);
    assert_int_equal(script_turn(&script, 0, 0), 0);
    EXPECT_SPAN(0, 0, TIMELINE_ISSUE, 0, 3);
    EXPECT_SPAN(0, 0, TIMELINE_SEND, 3, 3);
    EXPECT_SPAN(0, 0, TIMELINE_UNIT, 3, 4);
    EXPECT_SPAN(0, 0, TIMELINE_L1, 3, 3);
    EXPECT_SPAN(0, 0, TIMELINE_CROSSBAR, 3, 3);
    EXPECT_SPAN(0, 0, TIMELINE_DATA, 603, 603);
    assert_int_equal(script_turn(&script, 0, 1), 3);
    EXPECT_SPAN(0, 1, TIMELINE_ISSUE, 3, 5);
    EXPECT_SPAN(0, 1, TIMELINE_LOADS, 5, 603);
    EXPECT_SPAN(0, 1, TIMELINE_ENDED, 603, 603);
    assert_int_equal(script_site(&script, 1)->instructions, 3);
    assert_int_equal(script_site(&script, 1)->stall_cycles, 603 - 5);
    assert_int_equal(script_total(&script).instructions, 5);
    assert_int_equal(script_total(&script).stall_cycles, 603 - 5);
    script_close(&script);
}

/* The SM issues one in 2 cycles, a warp one in 3: the first warp's 20 keep the stage for 40 cycles and itself for 60. The second's 17 are behind
 * them, and its 4 wait no longer than for turns of two warps. */
static void warps_share_the_issue_stage_and_have_a_pace(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    arch.issue_millicycles = 2000;
    arch.instruction_millicycles = 3000;
    for (arch.instruction_percent = 100; arch.instruction_percent <= 200;
         arch.instruction_percent += 100) {
        const uint64_t times = (uint64_t)arch.instruction_percent / 100;
        for (uint32_t second = 4; second <= 17; second += 13) {
            const uint64_t ends = (second == 4 ? 2 * 8 : 40 + 34) * times;
            open_block(&arch, 2);
            load(0, 20, word(0, 5));
            load(1, second, word(0, 6));
            run_block(0);
            EXPECT_SPAN(0, 0, TIMELINE_ISSUE, 0, 60 * times);
            EXPECT_SPAN(1, 0, TIMELINE_ISSUE, ends - 2 * second * times, ends);
            assert_int_equal(script_first(&script, 0, 0, TIMELINE_SEND), 60 * times);
            assert_int_equal(script_first(&script, 1, 0, TIMELINE_SEND), ends);
            script_close(&script);
        }
    }
}

/* Its lag holds the warp up, and nobody else; on GPUs whose pace has it nobody. */
static void a_warp_has_a_lag_beside_its_pace(void **state)
{
    (void)state;
    for (int64_t each = 0; each <= 2; each++) {
        struct arch arch = script_arch(1);
        struct warp_access lags = word(0, 5);
        arch.lag_millicycles = 1000 * each;
        lags.lag = 16;
        open_block(&arch, 2);
        load(0, 4, lags);
        load(1, 4, word(0, 6));
        run_block(0);
        assert_int_equal(script_first(&script, 0, 0, TIMELINE_SEND), 4 + 16 * each);
        EXPECT_SPAN(1, 0, TIMELINE_ISSUE, 4, 8);
        script_close(&script);
    }
}

/* Up to 4 cycles of instructions are no event of their own: the access takes the unit from cycle 4 on, and who
 * asks afterwards for cycle 0 gets it behind that. With 5 the others go first. */
static void an_access_behind_few_instructions_keeps_its_turn(void **state)
{
    (void)state;
    for (uint64_t pace = 4; pace <= 5; pace++) {
        struct arch arch = script_arch(1);
        arch.instruction_millicycles = 1000 * (int64_t)pace;
        open_block(&arch, 2);
        load(0, 1, word(0, 5));
        load(1, 0, word(0, 6));
        run_block(0);
        assert_int_equal(script_first(&script, 0, 0, TIMELINE_UNIT), pace);
        assert_int_equal(script_first(&script, 1, 0, TIMELINE_UNIT), pace == 4 ? 5 : 0);
        script_close(&script);
    }
}

/* A load of one address of constant memory, in a loop that is unrolled whole, is an operand of the instruction behind it. */
static void operands_are_no_instructions(void **state)
{
    (void)state;
    static const struct {
        uint8_t flags;
        uint16_t work;
        uint64_t counts;
    } cases[] = {
        {0, 3, 3}, {ACCESS_UNROLLED, 3, 3}, {ACCESS_FLATTENED, 3, 2}, {ACCESS_FLATTENED, 0, 0}};
    struct arch arch = script_arch(1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct warp_access operand = with(word(2, 5), cases[i].flags);
        operand.space = SPACE_CONSTANT;
        open_block(&arch, 1);
        load(0, cases[i].work, operand);
        script_barrier(&script, 0, 3);
        run_block(0);
        EXPECT_SPAN(0, 0, TIMELINE_ISSUE, 0, cases[i].counts);
        assert_int_equal(script_site(&script, 2)->instructions, cases[i].counts);
        assert_int_equal(script_total(&script).instructions, cases[i].counts + 3);
        script_close(&script);
    }
}

/* ---- Loads ----------------------------------------------------------------------------------- */

/* A load of DRAM (600) and one of the host, a cycle later (1001); the third needs both, the first, or none. Its 3
 * instructions are behind the wait. */
static void a_load_waits_for_those_that_it_needs(void **state)
{
    (void)state;
    static const uint64_t waits_until[] = {1001, 600, 0};
    for (uint8_t left = 0; left < 3; left++) {
        const uint64_t ready = waits_until[left];
        struct arch arch = script_arch(1);
        open_block(&arch, 1);
        load(0, 0, word(1, 5));
        load(0, 0, with(word(2, 6), ACCESS_HOST));
        script_access(&script, 0, 3, left, word(3, 7));
        run_block(0);
        assert_int_equal(script_turn(&script, 0, 2), 1);
        if (ready)
            EXPECT_SPAN(0, 2, TIMELINE_LOADS, 1, ready);
        else
            assert_false(timeline_has(script_step(&script, 0, 2), TIMELINE_LOADS));
        EXPECT_SPAN(0, 2, TIMELINE_ISSUE, ready ? ready : 1, (ready ? ready : 1) + 3);
        if (left == 0) { /* both wait for the first one's 599 cycles */
            assert_int_equal(script_site(&script, 1)->stall_cycles, 299);
            assert_int_equal(script_site(&script, 2)->stall_cycles, 300 + 401);
        }
        if (left == 1)
            assert_int_equal(script_site(&script, 1)->stall_cycles, 600 - 1);
        script_close(&script);
    }
}

/* What is not a load needs all of them, and has its instructions while it waits. */
static void stores_atomics_barriers_and_ends_wait_for_all_loads(void **state)
{
    (void)state;
    for (uint32_t what = 0; what < 4; what++) {
        struct arch arch = script_arch(1);
        open_block(&arch, 1);
        load(0, 0, word(1, 5));
        load(0, 0, word(2, 6));
        if (what < 2)
            script_access(&script, 0, 3, NEEDS_NO_LOAD, word_as(3, 7, what ? OP_ATOMIC : OP_STORE));
        if (what == 2)
            script_barrier(&script, 0, 3);
        run_block(what == 3 ? 3 : 0);
        EXPECT_SPAN(0, 2, TIMELINE_ISSUE, 1, 4);
        EXPECT_SPAN(0, 2, TIMELINE_LOADS, 4, 601); /* the second left a cycle later */
        assert_int_equal(script_site(&script, 1)->stall_cycles, 298);
        assert_int_equal(script_site(&script, 2)->stall_cycles, 298 + 1);
        script_close(&script);
    }
}

/* An atomic's result is waited for like a load's: its slice is kept for 32 times 4 cycles. */
static void an_atomic_is_waited_for_and_a_store_is_not(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    open_block(&arch, 2);
    load(0, 0, word_as(1, 5, OP_ATOMIC));
    load(1, 0, word_as(2, 6, OP_STORE));
    run_block(0);
    assert_int_equal(script_first(&script, 0, 1, TIMELINE_ENDED), 32 * 4 + 600);
    assert_int_equal(script_first(&script, 1, 1, TIMELINE_ENDED), 1); /* the unit is free at 1 */
    assert_int_equal(script_site(&script, 2)->stall_cycles, 0);
    script_close(&script);
}

/* The second load hits on the first one's data, which is on its way: both come at 600. */
static void loads_that_come_together_share_the_wait(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    open_block(&arch, 1);
    load(0, 0, word(1, 5));
    load(0, 0, word(2, 5));
    run_block(0);
    EXPECT_SPAN(0, 2, TIMELINE_LOADS, 1, 600);
    assert_int_equal(script_site(&script, 1)->stall_cycles, 299);
    assert_int_equal(script_site(&script, 2)->stall_cycles, 300);
    script_close(&script);
}

/* With n under way, load i waits for load i - n: those of a round follow each other by a cycle, and rounds by
 * 600. More are made than are kept. */
static void a_warp_has_so_many_loads_under_way(void **state)
{
    (void)state;
    for (uint32_t most = 1; most <= SIM_WARP_LOADS; most++) {
        struct arch arch = script_arch(1);
        arch.loads_in_flight = most;
        open_block(&arch, 1);
        for (uint32_t i = 0; i < 270; i++)
            load(0, 0, word(i % 2, 10 + i));
        run_block(0);
        for (uint32_t i = 0; i < 270; i++)
            assert_int_equal(script_first(&script, 0, i, TIMELINE_UNIT),
                             600 * (i / most) + i % most);
        assert_int_equal(script_first(&script, 0, 270, TIMELINE_ENDED),
                         600 * (269 / most + 1) + 269 % most);
        script_close(&script);
    }
}

/* Two passes through the banks: 23 cycles and a half. A warp goes on at whole cycles. */
static void data_that_comes_within_a_cycle_is_there_in_the_next(void **state)
{
    (void)state;
    struct arch arch = script_arch(1);
    arch.shared_latency_cycles = 23;
    arch.shared_conflict_millicycles = 500;
    open_block(&arch, 1);
    struct warp_access two_ways = affine(4, 0, 8);
    two_ways.space = SPACE_SHARED;
    load(0, 0, two_ways);
    run_block(0);
    EXPECT_SPAN(0, 1, TIMELINE_LOADS, 0, 24);
    script_close(&script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_warp_alone_issues_loads_and_waits),
        cmocka_unit_test(warps_share_the_issue_stage_and_have_a_pace),
        cmocka_unit_test(a_warp_has_a_lag_beside_its_pace),
        cmocka_unit_test(an_access_behind_few_instructions_keeps_its_turn),
        cmocka_unit_test(operands_are_no_instructions),
        cmocka_unit_test(a_load_waits_for_those_that_it_needs),
        cmocka_unit_test(stores_atomics_barriers_and_ends_wait_for_all_loads),
        cmocka_unit_test(an_atomic_is_waited_for_and_a_store_is_not),
        cmocka_unit_test(loads_that_come_together_share_the_wait),
        cmocka_unit_test(a_warp_has_so_many_loads_under_way),
        cmocka_unit_test(data_that_comes_within_a_cycle_is_there_in_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
