/* test_tracer_divergence.c - do the lanes of a warp part and meet again as on SIMT hardware?
 *
 * Each kernel of runtime_kernels_divergence.c has a model here: the same control flow over masks of
 * lanes, both sides of a branch one after the other, lanes together again where the branch ends
 * (reconvergence at the immediate post-dominator). The model lists which lanes make which visit
 * together, in order; the recorded accesses must be that list.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "test_support.h"
#include "trace/engine.h"
#include "trace_recorder.h"

/* The lanes t of a mask for which a condition holds. */
#define LANES(mask, condition)                                                                     \
    __extension__({                                                                                \
        uint32_t lanes_ = 0;                                                                       \
        for (int t = 0; t < WARP_LANES; t++)                                                       \
            lanes_ |= (uint32_t)((mask) >> t & 1U && (condition)) << t;                            \
        lanes_;                                                                                    \
    })

struct visits {
    int key;
    uint32_t lanes;
};
static struct visits expected[RECORDER_KEEPS];
static size_t expected_count;

static void visit(uint32_t lanes, int key)
{
    if (lanes == 0)
        return;
    assert_true(expected_count < RECORDER_KEEPS);
    expected[expected_count++] = (struct visits){key, lanes};
}

static unsigned warp_of(const struct recorded *access)
{
    uint64_t at = access->addr[__builtin_ctz(access->active)] - DEVICE_BASE_ADDRESS;
    return (unsigned)(at / (DIVERGENCE_KEYS * 128));
}

/* Which key and lane a store to the log of a warp is. */
static struct visits visits_of(const struct recorded *access, unsigned warp)
{
    const uint64_t log = DEVICE_BASE_ADDRESS + (uint64_t)warp * DIVERGENCE_KEYS * 128;
    struct visits found = {-1, access->active};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(access->active >> lane & 1U))
            continue;
        uint64_t at = access->addr[lane] - log;
        assert_true(at < DIVERGENCE_KEYS * 128);
        assert_int_equal(at / 4 % 32, lane);
        if (found.key >= 0)
            assert_int_equal(found.key, at / 128);
        found.key = (int)(at / 128);
    }
    return found;
}

typedef void model_function(uint32_t warp, int scale);

static int compare_visits(const void *a, const void *b)
{
    const struct visits *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->lanes > y->lanes) - (x->lanes < y->lanes);
}

static bool clang_kernels(void)
{
    return strstr(tracer_compiler(), "clang") != NULL;
}

static void assert_same_visits(struct visits *found, size_t count, unsigned warp)
{
    assert_int_equal(count, expected_count);
    if (clang_kernels()) { /* which side of a branch goes first is open */
        qsort(found, count, sizeof *found, compare_visits);
        qsort(expected, count, sizeof *expected, compare_visits);
    }
    for (size_t i = 0; i < count; i++)
        if (found[i].key != expected[i].key || found[i].lanes != expected[i].lanes)
            fail_msg("warp %u, visit %zu: key %d by %08x, expected key %d by %08x", warp, i,
                     found[i].key, found[i].lanes, expected[i].key, expected[i].lanes);
}

/* The visits that a warp made, from recorded access number `first` on. */
static size_t collect_visits(struct visits *found, size_t first, unsigned warp, uint32_t lanes)
{
    size_t count = 0;
    for (size_t i = first; i < recorder.count && warp_of(&recorder.kept[i]) == warp; i++) {
        found[count++] = visits_of(&recorder.kept[i], warp);
        assert_int_equal(recorder.kept[i].resident & ~lanes, 0);
        assert_int_equal(recorder.kept[i].active & ~recorder.kept[i].resident, 0);
    }
    return count;
}

static void check_warps(model_function *model, unsigned threads, int scale)
{
    static struct visits found[RECORDER_KEEPS];
    size_t done = 0;
    for (unsigned warp = 0; warp * 32 < threads; warp++) {
        uint32_t lanes = threads - warp * 32 >= 32 ? UINT32_MAX : (1U << threads % 32) - 1;
        size_t count = collect_visits(found, done, warp, lanes);
        expected_count = 0;
        model(lanes, scale);
        assert_same_visits(found, count, warp);
        done += count;
    }
    assert_int_equal(done, recorder.total);
}

static void check(host_function *host, model_function *model, int scale)
{
    static const unsigned blocks[] = {32, 20, 1, 64, 75};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        recorder_run_well(host,
                          &(struct runtime_args){.block = {blocks[i], 1, 1}, .n = scale});
        check_warps(model, blocks[i], scale);
    }
}

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
            visit(clang_kernels() ? 0 : leaving, 2 + i * 1000);
            warp &= ~leaving;
        }
        visit(clang_kernels() ? first & ~warp : 0, 2 + i * 1000);
        visit(warp, 1 + i * 1000);
    }
    visit(warp, 0);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static void model_twoVisits(uint32_t lanes, uint32_t more, int key)
{
    visit(lanes, key);
    visit(lanes & more, key + 1);
    visit(lanes, key + 2);
}

static void model_twoCallSites(uint32_t warp, int scale)
{
    (void)scale;
    model_twoVisits(LANES(warp, t % 2), LANES(warp, t < 9), 1);
    model_twoVisits(LANES(warp, t % 2 == 0), LANES(warp, t < 9), 4);
    visit(warp, 0);
}

static void model_callFromLoop(uint32_t warp, int scale)
{
    uint32_t loop = warp;
    for (int i = 0; (loop = LANES(loop, i < trips_outer(t) * scale)) != 0; i++)
        model_twoVisits(loop, LANES(loop, (t + i) % 3 == 0), 1 + 3 * i);
    visit(warp, 0);
}

static void model_callInCondition(uint32_t warp, int scale)
{
    uint32_t loop = warp;
    for (int i = 0; loop; i++) {
        visit(loop, 1 + 3 * i);
        loop = LANES(loop, i < trips_outer(t) * scale);
        visit(loop, 2 + 3 * i);
        visit(LANES(loop, t % 2), 3 + 3 * i);
        visit(LANES(loop, t % 2 && t % 3), 4000 + i);
    }
    visit(warp, 0);
}

static void model_descend(uint32_t lanes, int depth, int scale)
{
    visit(lanes, 2 * depth);
    if (lanes)
        model_descend(LANES(lanes, depth < t % 5 * scale), depth + 1, scale);
    visit(lanes, 2 * depth + 1);
}

static void model_recursion(uint32_t warp, int scale)
{
    model_descend(warp, 0, scale);
}

static void model_walkTree(uint32_t lanes, int node)
{
    uint32_t inside = LANES(lanes, 2 * node < (t % 3 == 0 ? 4 : 16));
    visit(lanes, 2 * node);
    if (inside)
        model_walkTree(inside, 2 * node);
    if (inside)
        model_walkTree(LANES(inside, (t + node) % 4), 2 * node + 1);
    visit(lanes, 2 * node + 1);
}

static void model_twoRecursions(uint32_t warp, int scale)
{
    (void)scale;
    model_walkTree(warp, 1);
}

/* Small trip counts first: a failure there is easier to read. Scaled, the lanes overflow their columns
 * of events and no longer stop at the same places. */
#define DIVERGENCE_TEST(name)                                                                      \
    static void lanes_meet_again_in_##name(void **state)                                           \
    {                                                                                              \
        (void)state;                                                                               \
        check(run_##name, model_##name, 1);                                                        \
        check(run_##name, model_##name, 30);                                                       \
    }
RUNTIME_DIVERGENCE(DIVERGENCE_TEST)

/* ---- Conditions with side effects -------------------------------------------------------------- */

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

/* ---- Long lanes ------------------------------------------------------------------------------- */

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

#define DIVERGENCE_UNIT(name) cmocka_unit_test(lanes_meet_again_in_##name),

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
