/* test_figure.c - does a name stand for what people mean by it, and is every direction of better.def one of
 * a counter or ratio that exists? */
#include <string.h>

#include "sim/counters/figure.h"
#include "test_support.h"

static const char *const directions[] = {
#define BETTER(way, name) #name,
#include "sim/counters/better.def"
#undef BETTER
};
enum { DIRECTIONS = sizeof directions / sizeof directions[0] };

static struct figure find(const char *name, unsigned profilers)
{
    struct figure figure;
    assert_int_equal(figure_find(name, profilers, &figure), FIGURE_FOUND);
    assert_string_equal(figure.name, name);
    return figure;
}

static void test_directions_are_of_figures_that_exist(void **state)
{
    (void)state;
    for (size_t i = 0; i < DIRECTIONS; i++) {
        struct figure figure = find(directions[i], 0);
        assert_true(figure_better(&figure) != BETTER_NONE);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(directions[i], directions[k]);
    }
}

static void test_directions(void **state)
{
    (void)state;
    struct figure sectors = find("global_load_sectors", 0), efficiency = find("gld_efficiency", 0);
    struct figure requests = find("global_load_requests", 0), limited = find("limited_by_dram", 0);
    assert_int_equal(figure_better(&sectors), BETTER_LOWER);
    assert_int_equal(figure_better(&efficiency), BETTER_HIGHER);
    assert_int_equal(figure_better(&requests), BETTER_NONE);
    assert_int_equal(figure_better(&limited), BETTER_NONE);
}

/* One counter alone has its direction; what is made of several has none but by name. */
static void test_directions_of_profilers(void **state)
{
    (void)state;
    struct figure one = find("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", PROFILER_NCU);
    struct figure work = find("gld_request", PROFILER_V12);
    struct figure sum = find("l1tex__data_pipe_lsu_wavefronts.sum", PROFILER_NCU);
    struct figure again;
    assert_int_equal(figure_better(&one), BETTER_LOWER);
    assert_int_equal(figure_better(&work), BETTER_NONE);
    assert_int_equal(figure_better(&sum), BETTER_NONE);
    assert_int_equal(figure_find_profiler("gld_efficiency", PROFILER_N3, &again), FIGURE_FOUND);
    assert_non_null(again.profiler);
    assert_int_equal(figure_better(&again), BETTER_HIGHER);
}

static void test_names(void **state)
{
    struct figure figure;
    (void)state;
    assert_non_null(find("global_load_requests", PROFILER_N5).counter);
    assert_int_equal(figure_find_profiler("global_load_requests", PROFILER_N5, &figure),
                     FIGURE_FOUND);
    assert_non_null(figure.profiler);
    assert_int_equal(figure_find("gld_32b", PROFILER_NCU, &figure), FIGURE_ELSEWHERE);
    assert_int_equal(figure_find("gld_32b", PROFILER_V12, &figure), FIGURE_FOUND);
    assert_int_equal(figure_find("global_load_sector", ~0U, &figure), FIGURE_UNKNOWN);
    assert_int_equal(figure_find("", ~0U, &figure), FIGURE_UNKNOWN);
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
        struct figure figure = find(timed[i], PROFILER_NCU);
        assert_true(figure_is_of_time(&figure));
    }
    for (size_t i = 0; i < sizeof ruled / sizeof ruled[0]; i++) {
        struct figure figure = find(ruled[i], PROFILER_NCU);
        assert_false(figure_is_of_time(&figure));
    }
}

static void test_values(void **state)
{
    struct counters c = {.global_load_bytes_requested = 64, .global_load_bytes_moved = 128};
    double value;
    (void)state;
    struct figure requested = find("global_load_bytes_requested", 0);
    struct figure efficiency = find("gld_efficiency", 0), store = find("gst_efficiency", 0);
    assert_true(figure_value(&requested, &c, &value) && value == 64);
    assert_true(figure_value(&efficiency, &c, &value) && value == 50);
    assert_false(figure_value(&store, &c, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directions_are_of_figures_that_exist),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_directions_of_profilers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_what_needs_the_model_of_time),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
