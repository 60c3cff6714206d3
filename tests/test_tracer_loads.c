/* test_tracer_loads.c - does the tracer see which addresses come from loaded values, and from which
 * load?
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
