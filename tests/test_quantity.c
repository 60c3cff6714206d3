/* test_quantity.c - does a name stand for what people mean by it, and is every definition a sentence that stands
 * alone? */
#include <ctype.h>
#include <string.h>

#include "sim/counters/quantity.h"
#include "test_support.h"

static struct quantity find(const char *name, unsigned profilers)
{
    struct quantity quantity;
    assert_int_equal(quantity_find(name, profilers, &quantity), QUANTITY_FOUND);
    assert_string_equal(quantity.name, name);
    return quantity;
}

/* A capital letter or a digit first, a full stop last. */
static bool is_sentence(const char *text)
{
    const size_t length = strlen(text);
    return (isupper((unsigned char)text[0]) || isdigit((unsigned char)text[0])) &&
           length >= strlen("Warps executed.") && text[length - 1] == '.' &&
           strstr(text, "..") == NULL && strstr(text, "  ") == NULL;
}

/* One that another row has too leaves open which of them it defines. */
static void test_definitions_stand_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < quantity_own_count(); i++) {
        const struct quantity quantity = quantity_at(i);
        if (!is_sentence(quantity.definition))
            fail_msg("%s is defined by \"%s\"", quantity.name, quantity.definition);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(quantity.name, quantity_at(k).name);
            assert_string_not_equal(quantity.definition, quantity_at(k).definition);
        }
    }
}

static void test_own_columns_have_headings(void **state)
{
    (void)state;
    for (size_t i = 0; i < counter_count; i++)
        assert_int_equal(counter_table[i].role == ROLE_OWN_COLUMN,
                         counter_table[i].heading != NULL);
}

static void test_directions(void **state)
{
    (void)state;
    struct quantity sectors = find("global_load_sectors", 0),
                    efficiency = find("gld_efficiency", 0);
    struct quantity requests = find("global_load_requests", 0),
                    limited = find("limited_by_dram", 0);
    assert_int_equal(quantity_better(&sectors), BETTER_LOWER);
    assert_int_equal(quantity_better(&efficiency), BETTER_HIGHER);
    assert_int_equal(quantity_better(&requests), BETTER_NONE);
    assert_int_equal(quantity_better(&limited), BETTER_NONE);
}

/* One counter alone has its direction; what is made of several has none but by name. */
static void test_directions_of_profilers(void **state)
{
    (void)state;
    struct quantity one = find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", PROFILER_NCU);
    struct quantity work = find("gld_request", PROFILER_V12);
    struct quantity sum = find("l1tex__data_pipe_lsu_wavefronts.sum", PROFILER_NCU);
    struct quantity alike = find("l1_shared_bank_conflict", PROFILER_N2);
    struct quantity again;
    assert_int_equal(quantity_better(&one), BETTER_LOWER);
    assert_int_equal(quantity_better(&alike), BETTER_LOWER);
    assert_int_equal(quantity_better(&work), BETTER_NONE);
    assert_int_equal(quantity_better(&sum), BETTER_NONE);
    assert_int_equal(quantity_find_profiler("gld_efficiency", PROFILER_N3, &again), QUANTITY_FOUND);
    assert_non_null(again.profiler);
    assert_int_equal(quantity_better(&again), BETTER_HIGHER);
}

static void test_names(void **state)
{
    struct quantity quantity;
    (void)state;
    assert_int_equal(quantity_count(), counter_count + metric_count + profiler_counter_count);
    assert_ptr_equal(quantity_at(quantity_count() - 1).profiler,
                     &profiler_table[profiler_counter_count - 1]);
    assert_non_null(find("global_load_requests", PROFILER_N5).counter);
    assert_int_equal(quantity_find_profiler("global_load_requests", PROFILER_N5, &quantity),
                     QUANTITY_FOUND);
    assert_non_null(quantity.profiler);
    assert_int_equal(quantity_find("gld_32b", PROFILER_NCU, &quantity), QUANTITY_ELSEWHERE);
    assert_int_equal(quantity_find("gld_32b", PROFILER_V12, &quantity), QUANTITY_FOUND);
    assert_int_equal(quantity_find("global_load_sector", ~0U, &quantity), QUANTITY_UNKNOWN);
    assert_int_equal(quantity_find("", ~0U, &quantity), QUANTITY_UNKNOWN);
}

static void test_what_needs_the_model_of_time(void **state)
{
    static const char *const timed[] = {"elapsed_ns",          "time",
                                        "l2_hit_rate",         "stall_cycles",
                                        "effective_bandwidth", "gpu__time_duration.sum"};
    static const char *const ruled[] = {"global_load_sectors", "gld_efficiency", "divergent_share",
                                        "smsp__inst_executed_op_global_ld.sum"};
    (void)state;
    for (size_t i = 0; i < sizeof timed / sizeof timed[0]; i++) {
        struct quantity quantity = find(timed[i], PROFILER_NCU);
        assert_true(quantity_is_of_time(&quantity));
    }
    for (size_t i = 0; i < sizeof ruled / sizeof ruled[0]; i++) {
        struct quantity quantity = find(ruled[i], PROFILER_NCU);
        assert_false(quantity_is_of_time(&quantity));
    }
}

static void test_values(void **state)
{
    struct counters c = {.global_load_bytes_requested = 64, .global_load_bytes_moved = 128};
    double value;
    (void)state;
    struct quantity requested = find("global_load_bytes_requested", 0);
    struct quantity efficiency = find("gld_efficiency", 0), store = find("gst_efficiency", 0);
    assert_true(quantity_value(&requested, &c, &value) && value == 64);
    assert_true(quantity_value(&efficiency, &c, &value) && value == 50);
    assert_false(quantity_value(&store, &c, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions_stand_alone),
        cmocka_unit_test(test_own_columns_have_headings),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_directions_of_profilers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_needs_the_model_of_time),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
