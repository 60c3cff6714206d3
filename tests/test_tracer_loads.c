/* test_tracer_loads.c - does the tracer see which addresses come from loaded values, and from which
 * load; and where a loop makes a warp wait?
 */
#include "test_support.h"
#include "trace_recorder.h"

static void assert_loads_left(enum here here, size_t number, unsigned expected)
{
    assert_int_equal(recorder_at(here, number)->loads_left, expected);
}

static void a_chain_of_indices_needs_the_load_before(void **state)
{
    (void)state;
    RUN(chaseIndices, .n = 4);
    assert_int_equal(recorder_count_at(HERE_LOAD), 4);
    assert_loads_left(HERE_LOAD, 0, NEEDS_NO_LOAD);
    for (size_t i = 1; i < 4; i++)
        assert_loads_left(HERE_LOAD, i, 0);
    assert_loads_left(HERE_STORE, 0, NEEDS_NO_LOAD);
}

static void a_chain_of_one_lane_does_too(void **state)
{
    (void)state;
    RUN(chaseAlone, .n = 4);
    assert_int_equal(recorder_count_at(HERE_LOAD), 4);
    assert_loads_left(HERE_LOAD, 0, NEEDS_NO_LOAD);
    for (size_t i = 1; i < 4; i++)
        assert_loads_left(HERE_LOAD, i, 0);
}

/* A node's value comes from the latest load; its next pointer from the load before that. */
static void check_list(dim3 block)
{
    RUN(chasePointers, .block = block, .n = 3);
    assert_loads_left(HERE_OTHER, 0, NEEDS_NO_LOAD);
    for (size_t i = 0; i < 3; i++) {
        assert_loads_left(HERE_LOAD, i, 0);
        assert_loads_left(HERE_STORE, i, 1);
    }
}

static void lists_of_pointers_are_followed(void **state)
{
    (void)state;
    check_list((dim3){32, 1, 1});
    check_list((dim3){5, 1, 1});
    check_list((dim3){1, 1, 1});
}

static void assert_gathers(unsigned expected)
{
    assert_loads_left(HERE_OTHER, 0, NEEDS_NO_LOAD);
    assert_loads_left(HERE_LOAD, 0, expected);
    assert_loads_left(HERE_STORE, 0, NEEDS_NO_LOAD);
}

static void a_gather_needs_its_index(void **state)
{
    (void)state;
    RUN(gatherByIndex, .n = 0);
    assert_gathers(0);
    RUN(gatherByByte, .n = 0);
    assert_gathers(0);
    RUN(gatherStructs, .n = 0);
    assert_gathers(0);
    RUN(gatherByShared, .n = 0);
    assert_gathers(0);
}

static void loads_between_are_counted(void **state)
{
    (void)state;
    for (int between = 0; between < 4; between++) {
        RUN(gatherLate, .choice = between);
        assert_gathers((unsigned)between);
    }
    RUN(gatherLate, .choice = 4); /* too long ago */
    assert_gathers(NEEDS_NO_LOAD);
}

static void a_barrier_has_waited_for_loads(void **state)
{
    (void)state;
    RUN(gatherAfterBarrier, .n = 0);
    assert_gathers(NEEDS_NO_LOAD);
}

static void stores_need_their_index_too(void **state)
{
    (void)state;
    RUN(scatterByIndex, .n = 0);
    assert_loads_left(HERE_STORE, 0, 0);
}

/* Only the value itself times a size is recognised: this index is taken modulo 8. */
static void an_index_that_is_changed_is_not_seen(void **state)
{
    (void)state;
    RUN(countByIndex, .n = 0);
    assert_loads_left(HERE_STORE, 0, NEEDS_NO_LOAD);
}

static void addresses_from_the_lane_number_need_no_load(void **state)
{
    (void)state;
    for (int n = 2; n <= 32; n++) {
        RUN(copyIdentity, .n = n);
        assert_loads_left(HERE_LOAD, 0, NEEDS_NO_LOAD);
        assert_loads_left(HERE_STORE, 0, NEEDS_NO_LOAD);
    }
    RUN(copyPermuted, .n = 0);
    assert_loads_left(HERE_LOAD, 0, NEEDS_NO_LOAD);
    assert_loads_left(HERE_STORE, 0, NEEDS_NO_LOAD);
}

/* ---- Loops ------------------------------------------------------------------------------------ */

/* The loads of every `group` iterations are under way together: the next one waits for them all. */
static void assert_waits_every(unsigned group, size_t loads)
{
    assert_int_equal(recorder_count_at(HERE_LOAD), loads);
    for (size_t i = 0; i < loads; i++)
        assert_loads_left(HERE_LOAD, i, i > 0 && i % group == 0 ? 0 : NEEDS_NO_LOAD);
}

/* How far loops are unrolled is known for x86-64 and the code that gcc writes. */
#if defined(__x86_64__) && !defined(__clang__)
#define ONLY_WHERE_CODE_IS_KNOWN() ((void)0)
#else
#define ONLY_WHERE_CODE_IS_KNOWN() skip()
#endif

static void a_variable_step_leaves_one_iteration_under_way(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    for (int n = 1; n <= 8; n++) {
        RUN(sumByBlock, .n = n);
        assert_waits_every(1, (size_t)n);
    }
}

/* The loads wait for those before wherever a group ends: of `most` iterations, and what is left of them goes in groups of 8, of
 * 4 and one by one. */
static void assert_waits_by_groups(size_t most, size_t loads)
{
    size_t begins = 0;
    assert_int_equal(recorder_count_at(HERE_LOAD), loads);
    for (size_t i = 0; i < loads; i++) {
        const size_t left = loads - begins;
        const size_t group = left >= 16 && most >= 16  ? 16
                             : left >= 8 && most >= 16 ? 8
                             : left >= 4               ? 4
                                                       : 1;
        assert_loads_left(HERE_LOAD, i, i > 0 && i == begins ? 0 : NEEDS_NO_LOAD);
        if (i + 1 == begins + group)
            begins += group;
    }
}

static void a_constant_step_of_few_instructions_leaves_sixteen(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    for (int n = 1; n <= 75; n++) {
        RUN(sumConstantStep, .n = n);
        assert_waits_by_groups(16, (size_t)n);
    }
}

/* More than a lane runs ahead: how often it goes round is not known yet when the group ends. */
static void a_long_loop_goes_on_by_sixteens(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(sumConstantStep, .n = 200);
    for (size_t i = 0; i < 192; i++)
        assert_loads_left(HERE_LOAD, i, i > 0 && i % 16 == 0 ? 0 : NEEDS_NO_LOAD);
}

static void a_constant_step_of_many_instructions_leaves_four(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    for (int n = 1; n <= 21; n++) {
        RUN(sumMuch, .n = n);
        assert_waits_by_groups(4, (size_t)n);
    }
}

/* Behind a division there may be a branch; not behind the reciprocal of a square root. */
static void a_division_leaves_one(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(sumQuotients, .n = 9);
    assert_waits_every(1, 9);
    RUN(sumReciprocalRoots, .n = 9);
    assert_waits_by_groups(4, 9);
}

static void a_constant_bound_leaves_all(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(sumConstantBound, .n = 0);
    assert_waits_every(CONSTANT_BOUND, CONSTANT_BOUND);
}

/* ---- Stores to shared memory ------------------------------------------------------------------ */

static void stores_to_shared_memory_let_loads_pass(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN(); /* clang orders the accesses of the loop in another way */
    RUN(fillTwoTiles, .n = 0);
    assert_int_equal(recorder_count_at(HERE_STORE), 2);
    assert_loads_left(HERE_STORE, 0, NEEDS_NO_LOAD);
    assert_loads_left(HERE_LOAD, 1, NEEDS_NO_LOAD);
    assert_loads_left(HERE_STORE, 1, NEEDS_NO_LOAD);
    assert_loads_left(HERE_OTHER, 0, 1);   /* the load behind the last store */
    assert_loads_left(HERE_BARRIER, 0, 0); /* a store of what was loaded from shared memory */
}

static void a_loop_of_variable_step_waits_for_what_it_stores(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(fillByBlock, .n = 5);
    assert_waits_every(1, 5);
}

/* The last inner iteration is the end of an outer one, which is not unrolled. */
static void an_outer_iteration_ends_an_inner_loop(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    for (int n = 1; n <= 6; n++) {
        RUN(sumNested, .n = n);
        assert_waits_every(1, (size_t)n * (size_t)n);
    }
    RUN(sumNestedBy1, .n = 7);
    for (size_t i = 0; i < 49; i++) /* 4, and three one by one */
        assert_loads_left(HERE_LOAD, i, i > 0 && (i % 7 == 0 || i % 7 >= 4) ? 0 : NEEDS_NO_LOAD);
}

static void part_of_a_warp_waits_too(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(sumUneven, .n = 5);
    assert_waits_every(1, 5);
    assert_true(recorder_at(HERE_LOAD, 4)->active == 0xaaaaaaaa);
}

static void loads_of_called_functions_are_the_loops(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(sumByCall, .n = 5);
    assert_waits_every(1, 5);
}

/* No iteration can begin before the one before has its value. */
static void a_loop_that_its_data_end_waits_each_time(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    RUN(sumUntil, .n = 9);
    assert_waits_every(1, 9);
}

static void stores_and_barriers_have_waited(void **state)
{
    (void)state;
    RUN(sumAndStore, .n = 6);
    assert_waits_every(100, 6);
    RUN(sumToBarrier, .n = 6);
    assert_waits_every(100, 6);
}

static void a_loop_without_loads_waits_for_none(void **state)
{
    (void)state;
    RUN(loadAround, .n = 40);
    assert_loads_left(HERE_LOAD, 0, NEEDS_NO_LOAD);
}

/* All indices of a group first, then what they name: each needs the one so many loads before it. */
static void a_loop_that_is_unrolled_loads_all_indices_first(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    for (unsigned joining = 0; joining < 2; joining++) {
        tracer_set_joining(joining);
        RUN(sumByIndex, .n = 4);
        tracer_set_joining(false);
        for (size_t i = 0; i < 4; i++)
            assert_loads_left(HERE_LOAD, i, joining ? 3 : 0);
        assert_int_equal(recorder_at(HERE_OTHER, 3) < recorder_at(HERE_LOAD, 0), joining);
        assert_true(recorder_at(HERE_OTHER, 3) < recorder_at(HERE_LOAD, 3));
    }
}

/* 16 registers: four loads of 16 bytes. */
static void wide_loads_have_registers_for_four(void **state)
{
    (void)state;
    ONLY_WHERE_CODE_IS_KNOWN();
    tracer_set_joining(true);
    RUN(sumWide, .n = 4);
    tracer_set_joining(false);
    for (size_t i = 0; i < 4; i++) {
        assert_loads_left(HERE_LOAD, i, i < 2 ? NEEDS_NO_LOAD : 3);
        assert_loads_left(HERE_OTHER, i, i < 2 ? NEEDS_NO_LOAD : 3);
    }
}

static void loads_do_not_pass_stores(void **state)
{
    (void)state;
    tracer_set_joining(true);
    RUN(storeByIndex, .n = 4);
    tracer_set_joining(false);
    for (size_t i = 0; i < 4; i++) {
        assert_loads_left(HERE_LOAD, i, 0);
        assert_true(recorder_at(HERE_LOAD, i) < recorder_at(HERE_STORE, i));
        assert_true(i == 0 || recorder_at(HERE_STORE, i - 1) < recorder_at(HERE_OTHER, i));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_of_indices_needs_the_load_before),
        cmocka_unit_test(a_chain_of_one_lane_does_too),
        cmocka_unit_test(lists_of_pointers_are_followed),
        cmocka_unit_test(a_gather_needs_its_index),
        cmocka_unit_test(loads_between_are_counted),
        cmocka_unit_test(a_barrier_has_waited_for_loads),
        cmocka_unit_test(stores_need_their_index_too),
        cmocka_unit_test(an_index_that_is_changed_is_not_seen),
        cmocka_unit_test(addresses_from_the_lane_number_need_no_load),
        cmocka_unit_test(a_variable_step_leaves_one_iteration_under_way),
        cmocka_unit_test(a_constant_step_of_few_instructions_leaves_sixteen),
        cmocka_unit_test(a_long_loop_goes_on_by_sixteens),
        cmocka_unit_test(a_constant_step_of_many_instructions_leaves_four),
        cmocka_unit_test(a_division_leaves_one),
        cmocka_unit_test(a_constant_bound_leaves_all),
        cmocka_unit_test(stores_to_shared_memory_let_loads_pass),
        cmocka_unit_test(a_loop_of_variable_step_waits_for_what_it_stores),
        cmocka_unit_test(an_outer_iteration_ends_an_inner_loop),
        cmocka_unit_test(part_of_a_warp_waits_too),
        cmocka_unit_test(loads_of_called_functions_are_the_loops),
        cmocka_unit_test(a_loop_that_its_data_end_waits_each_time),
        cmocka_unit_test(stores_and_barriers_have_waited),
        cmocka_unit_test(a_loop_without_loads_waits_for_none),
        cmocka_unit_test(a_loop_that_is_unrolled_loads_all_indices_first),
        cmocka_unit_test(wide_loads_have_registers_for_four),
        cmocka_unit_test(loads_do_not_pass_stores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
