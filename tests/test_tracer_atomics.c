/* test_tracer_atomics.c - do atomic functions compute, return and access what they should?
 *
 * The tracer takes lanes in order, which hardware does not promise; the model here does the same.
 */
#include <string.h>

#include "test_support.h"
#include "trace_recorder.h"

#define APPLY_Add(type, old, value) (type)(old + value)
#define APPLY_Sub(type, old, value) (type)(old - value)
#define APPLY_Min(type, old, value) (type)(old < value ? old : value)
#define APPLY_Max(type, old, value) (type)(old > value ? old : value)
#define APPLY_Exch(type, old, value) (type)(value)
#define APPLY_And(type, old, value) (type)(old & value)
#define APPLY_Or(type, old, value) (type)(old | value)
#define APPLY_Xor(type, old, value) (type)(old ^ value)
#define APPLY_CAS(type, old, value) (type)(old == compare ? value : old)

/* Two warps of atomics on n targets: one access a warp, each with its lanes' targets. */
static void check_accesses(size_t width, unsigned n)
{
    assert_int_equal(recorder_count_of("target"), 2);
    for (unsigned warp = 0; warp < 2; warp++) {
        const struct recorded *access = recorder_of("target", warp);
        const uint64_t base = recorder_of("target", 0)->addr[0];
        assert_int_equal(access->op, OP_ATOMIC);
        assert_int_equal(access->space, SPACE_GLOBAL);
        assert_int_equal(access->width, width);
        assert_int_equal(access->active, UINT32_MAX);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            assert_int_equal(access->addr[lane], base + (warp * 32 + lane) % n * width);
    }
}

#define CHECK_ATOMIC(op, type)                                                                     \
    static void check_##op##_##type(int n)                                                         \
    {                                                                                              \
        struct atomic_result_##type found;                                                         \
        type target[ATOMIC_LANES];                                                                 \
        RUN(atomic##op##_##type, .n = n, .result = &found);                                        \
        check_accesses(sizeof(type), (unsigned)n);                                                 \
        for (int i = 0; i < ATOMIC_LANES; i++)                                                     \
            target[i] = (type)RUNTIME_TARGET(i);                                                   \
        for (int t = 0; t < ATOMIC_LANES; t++) {                                                   \
            const type old = target[t % n], value = (type)RUNTIME_OPERAND(t);                      \
            const type compare = (type)RUNTIME_TARGET(t % n);                                      \
            (void)compare;                                                                         \
            assert_memory_equal(&found.old[t], &old, sizeof old);                                  \
            target[t % n] = APPLY_##op(type, old, value);                                          \
        }                                                                                          \
        assert_memory_equal(found.target, target, sizeof target);                                  \
    }                                                                                              \
    static void atomic_##op##_##type(void **state)                                                 \
    {                                                                                              \
        (void)state;                                                                               \
        check_##op##_##type(ATOMIC_LANES);                                                         \
        check_##op##_##type(5);                                                                    \
        check_##op##_##type(1);                                                                    \
    }
RUNTIME_ATOMICS(CHECK_ATOMIC)
CHECK_ATOMIC(CAS, int)
CHECK_ATOMIC(CAS, unsigned)
CHECK_ATOMIC(CAS, u64)

/* The result does not depend on the order; each lane adds 1 + its number. */
static void a_loop_of_compare_and_swap_loses_nothing(void **state)
{
    int found[ATOMIC_LANES];
    (void)state;
    for (int n = 1; n <= 32; n *= 2) {
        RUN(casLoop, .n = n, .result = found);
        for (int i = 0, sum; i < n; i++) {
            for (int t = i + (sum = 0); t < 32; t += n)
                sum += 1 + t;
            assert_int_equal(found[i], sum);
        }
    }
}

/* Of the lanes that want one target, one wins each time round: 32 / n rounds, n lanes fewer in
 * each. */
static void lanes_that_lose_a_compare_and_swap_go_round_again(void **state)
{
    int found[ATOMIC_LANES];
    (void)state;
    for (unsigned n = 1; n <= 32; n *= 2) {
        RUN(casLoop, .n = (int)n, .result = found);
        assert_int_equal(recorder_count_at(HERE_OTHER), 1);
        assert_int_equal(recorder_count_at(HERE_LOAD), 32 / n);
        for (unsigned round = 0; round < 32 / n; round++)
            assert_int_equal(recorder_at(HERE_LOAD, round)->active, UINT32_MAX << round * n);
    }
}

static void atomics_on_shared_memory_count_the_whole_block(void **state)
{
    int found[2 * 96];
    (void)state;
    RUN(sharedHistogram, .grid = {2, 1, 1}, .block = {96, 1, 1}, .result = found);
    for (int block = 0; block < 2; block++)
        for (int bin = 0; bin < 8; bin++) {
            int count = 0;
            for (int t = 0; t < 96; t++)
                count += t * t % 8 == bin;
            assert_int_equal(found[block * 8 + bin], count);
        }
    assert_int_equal(recorder_count_at(HERE_LOAD), 2 * 3);
    assert_int_equal(recorder_at(HERE_LOAD, 0)->space, SPACE_SHARED);
    assert_int_equal(recorder_at(HERE_LOAD, 0)->op, OP_ATOMIC);
    assert_string_equal(recorder_site(recorder_at(HERE_LOAD, 0))->array, "bins");
}

/* Lane t goes round t % 4 times, on one side of the branch. */
static void atomics_in_divergent_code_have_the_lanes_that_are_there(void **state)
{
    static const uint32_t odd[] = {0xaaaaaaaa, 0x88888888, 0x88888888};
    static const uint32_t even[] = {0x44444444, 0x44444444};
    int found[32];
    (void)state;
    RUN(divergentAtomics, .result = found);
    assert_int_equal(found[0], 8 * 1 + 8 * 3);
    assert_int_equal(found[1], 30);
    assert_int_equal(recorder_count_at(HERE_LOAD), 3);
    assert_int_equal(recorder_count_at(HERE_OTHER), 2);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(recorder_at(HERE_LOAD, i)->active, odd[i]);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(recorder_at(HERE_OTHER, i)->active, even[i]);
}

#define ATOMIC_UNIT(op, type) cmocka_unit_test(atomic_##op##_##type),

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUNTIME_ATOMICS(ATOMIC_UNIT) cmocka_unit_test(atomic_CAS_int),
        cmocka_unit_test(atomic_CAS_unsigned),
        cmocka_unit_test(atomic_CAS_u64),
        cmocka_unit_test(a_loop_of_compare_and_swap_loses_nothing),
        cmocka_unit_test(lanes_that_lose_a_compare_and_swap_go_round_again),
        cmocka_unit_test(atomics_on_shared_memory_count_the_whole_block),
        cmocka_unit_test(atomics_in_divergent_code_have_the_lanes_that_are_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
