/* test_tracer_divergence.c - do the lanes of a warp part and meet again as on SIMT hardware?
 * Branches and loops; calls are in test_tracer_calls.c.
 */
#include <sys/resource.h>

#include "test_support.h"
#include "divergence_model.h"

/* ---- Branches -------------------------------------------------------------------------------- */

static void model_ifElse(uint32_t warp, int scale)
{
    (void)scale;
    visit(LANES(warp, t % 3 == 0), 0);
    visit(LANES(warp, t % 3 != 0), 1);
    visit(warp, 2);
}

static void model_nestedIf(uint32_t warp, int scale)
{
    uint32_t low = LANES(warp, t < 20);
    (void)scale;
    visit(low, 0);
    visit(LANES(low, t % 2), 1);
    visit(LANES(low, t % 2 && t > 4), 2);
    visit(LANES(low, t % 2 == 0), 3);
    visit(low, 4);
    visit(LANES(warp, t >= 20 && t < 25), 5);
    visit(warp, 6);
}

static void model_earlyReturn(uint32_t warp, int scale)
{
    uint32_t left = LANES(warp, t >= 8);
    (void)scale;
    visit(left, 0);
    visit(LANES(left, t > 20), 1);
    visit(LANES(left, t <= 20), 2);
}

static void model_switchCases(uint32_t warp, int scale)
{
    for (int i = 0; i < 3 * scale; i++) {
        visit(LANES(warp, (t + i) % 6 == 0), 1 + 10 * i);
        visit(LANES(warp, (t + i) % 6 == 1), 2 + 10 * i);
        visit(LANES(warp, (t + i) % 6 == 1 || (t + i) % 6 == 2), 3 + 10 * i);
        if (i == 2)
            warp = LANES(warp, (t + i) % 6 != 3);
        visit(LANES(warp, (t + i) % 6 > 3), 4 + 10 * i);
        visit(warp, 5 + 10 * i);
    }
    visit(warp, 0);
}

/* ---- Loops ----------------------------------------------------------------------------------- */

static void model_nestedLoops(uint32_t warp, int scale)
{
    uint32_t outer = warp;
    for (int i = 0; (outer = LANES(outer, i < trips_outer(t))) != 0; i++) {
        uint32_t inner = outer;
        visit(outer, 1 + i * 1000);
        for (int j = 0; (inner = LANES(inner, j < trips_inner(t, i) * scale)) != 0; j++)
            visit(inner, 2 + i * 1000 + j);
    }
    visit(warp, 0);
}

static void model_bareNestedLoops(uint32_t warp, int scale)
{
    uint32_t outer = warp;
    for (int i = 0; (outer = LANES(outer, i < trips_outer(t))) != 0; i++) {
        uint32_t inner = outer;
        for (int j = 0; (inner = LANES(inner, j < trips_inner(t, i) * scale)) != 0; j++)
            visit(inner, i * 1000 + j);
    }
}

static void model_breakContinue(uint32_t warp, int scale)
{
    uint32_t loop = warp;
    for (int i = 0; i < 8 * scale && loop; i++) {
        loop = LANES(loop, (t + i) % 4 == 0 || i <= t % 7 * scale);
        visit(LANES(loop, (t + i) % 4 != 0), 1 + i);
    }
    visit(warp, 0);
}

static void model_quietIterations(uint32_t warp, int scale)
{
    for (int i = 0; (warp = LANES(warp, i < trips_outer(t) * 4 * scale)) != 0; i++)
        visit(LANES(warp, !is_quiet(t, i)), i);
}

static void model_doWhile(uint32_t warp, int scale)
{
    uint32_t loop = warp;
    int i = 0;
    do {
        visit(loop, 1 + i++);
        loop = LANES(loop, i < trips_outer(t) * scale);
    } while (loop);
    visit(warp, 0);
}

static void model_collatz(uint32_t warp, int scale)
{
    int n[WARP_LANES];
    uint32_t loop = warp;
    for (int t = 0; t < WARP_LANES; t++)
        n[t] = 1 + t * scale;
    for (int step = 0; (loop = LANES(loop, n[t] != 1)) != 0; step++) {
        visit(LANES(loop, n[t] % 2), 1 + 3 * step);
        visit(LANES(loop, n[t] % 2 == 0), 2 + 3 * step);
        visit(loop, 3 + 3 * step);
        for (int t = 0; t < WARP_LANES; t++)
            n[t] = n[t] % 2 ? 3 * n[t] + 1 : n[t] / 2;
    }
    visit(warp, 0);
}

/* clang moves what comes before the return behind the loop, where the lanes that left meet. */
static void model_returnFromLoops(uint32_t warp, int scale)
{
    for (int i = 0; i < 4; i++) {
        const uint32_t first = warp;
        for (int j = 0; j < 5 * scale; j++) {
            uint32_t leaving = LANES(warp, t % 8 == i && j == t % 5);
            visit(warp, 3 + i * 1000 + j);
            visit(divergence_clang_kernels() ? 0 : leaving, 2 + i * 1000);
            warp &= ~leaving;
        }
        visit(divergence_clang_kernels() ? first & ~warp : 0, 2 + i * 1000);
        visit(warp, 1 + i * 1000);
    }
    visit(warp, 0);
}

RUNTIME_DIVERGENCE(DIVERGENCE_TEST)

/* ---- Conditions with side effects --------------------------------------------------------------
 */

static void the_right_side_of_a_condition_is_loaded_by_the_lanes_that_need_it(void **state)
{
    (void)state;
    RUN(shortCircuit, .n = 0);
    uint32_t a = LANES(UINT32_MAX, t < 24), b = LANES(UINT32_MAX, t % 2 == 0);
    uint32_t c = LANES(UINT32_MAX, t % 3 == 0);
    assert_int_equal(recorder.total, 4);
    assert_int_equal(recorder_of("a", 0)->active, UINT32_MAX);
    assert_int_equal(recorder_of("b", 0)->active, a);
    assert_int_equal(recorder_of("c", 0)->active, ~(a & b));
    assert_int_equal(recorder_of("out", 0)->active, (a & b) | c);
}

static void a_choice_loads_each_side_once(void **state)
{
    (void)state;
    RUN(selectArray, .n = 0);
    assert_int_equal(recorder.total, 3);
    assert_int_equal(recorder_of("a", 0)->active, LANES(UINT32_MAX, t % 5 == 0));
    assert_int_equal(recorder_of("b", 0)->active, LANES(UINT32_MAX, t % 5 != 0));
    assert_int_equal(recorder_of("out", 0)->active, UINT32_MAX);
}

/* ---- Long lanes -------------------------------------------------------------------------------
 */

static long resident_kilobytes(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void a_lane_may_make_any_number_of_accesses_in_bounded_memory(void **state)
{
    enum { LONGEST = 100000 };
    (void)state;
    RUN(longLanes, .n = 1000);
    long before = resident_kilobytes();
    RUN(longLanes, .n = LONGEST);
    assert_in_range(resident_kilobytes() - before, 0, 8 * 1024);
    assert_int_equal(recorder.total, LONGEST);
    for (int k = 0; k < RECORDER_KEEPS; k++)
        assert_int_equal(recorder.kept[k].active,
                         LANES(UINT32_MAX, k < (int64_t)LONGEST * (t + 1) / 32));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_DIVERGENCE(DIVERGENCE_UNIT)
            cmocka_unit_test(the_right_side_of_a_condition_is_loaded_by_the_lanes_that_need_it),
        cmocka_unit_test(a_choice_loads_each_side_once),
        cmocka_unit_test(a_lane_may_make_any_number_of_accesses_in_bounded_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
