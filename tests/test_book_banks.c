/* test_book_banks.c - do the gallery's kernels have the bank conflicts on sm_1x that a textbook
 * chapter of that time says?
 *
 * The chapter is that of test_book_coalescing.c, sections 4.4.3 and 4.7. "n-way" is the passes of a
 * half-warp, which counts 1 without conflicts. Its examples load; where a kernel also stores in the
 * same pattern, that is checked with it.
 */
#include "published.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "sim/rules/banks.h"

/* Shared loads of a kernel whose ideal is one pass for each half-warp and 4-byte word. */
static void check_load_ways(const char *kernel, const char *params, uint64_t ways)
{
    struct counters c = published_run("gtx280", kernel, params);
    assert_true(c.shared_load_requests > 0);
    assert_int_equal(c.shared_load_passes, ways * c.shared_load_ideal_passes);
}

static void check_no_conflicts(const char *kernel, const char *params)
{
    struct counters c = published_run("gtx280", kernel, params);
    assert_true(c.shared_load_requests > 0);
    assert_int_equal(c.shared_load_conflicts, 0);
    assert_int_equal(c.shared_store_conflicts, 0);
}

static unsigned greatest_common_divisor(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* 4.4.3.1: with d the greatest common divisor of 16 banks and the stride, lanes 16/d apart meet in
 * one bank, so d of a half-warp do. */
static void a_stride_conflicts_by_its_common_divisor_with_16(void **state)
{
    (void)state;
    for (unsigned stride = 1; stride <= 32; stride++) {
        char params[48];
        snprintf(params, sizeof params, "blocks=1 block=64 base=%u stride=%u", stride % 7, stride);
        struct counters c = published_run("gtx280", "sharedStride", params);
        const uint64_t ways = greatest_common_divisor(16, stride);
        assert_int_equal(c.shared_load_passes, ways * 64 / 16);
        assert_int_equal(c.shared_store_passes, ways * 64 / 16);
    }
}

/* 4.4.3.1: shared[0] to shared[3] lie in one bank; a distance of 4 avoids it. */
static void chars_side_by_side_conflict_in_4_ways(void **state)
{
    (void)state;
    check_load_ways("sharedChar", "blocks=1", 4);
    check_no_conflicts("sharedCharPadded", "blocks=1");
}

/* The same for two bytes, as in Tumakov, "Technology of CUDA Programming" (Kazan 2017), chapter 7.
 */
static void shorts_side_by_side_conflict_in_2_ways(void **state)
{
    (void)state;
    check_load_ways("sharedShort", "blocks=1", 2);
    check_no_conflicts("sharedShortPadded", "blocks=1");
}

/* 4.4.3.1: a double is loaded as two words; low and high words in two arrays do not conflict. */
static void doubles_side_by_side_conflict_in_2_ways(void **state)
{
    (void)state;
    check_load_ways("sharedDouble", "blocks=1", 2);
    check_no_conflicts("sharedDoubleSplit", "blocks=1");
}

/* 4.4.3.1: three loads at a distance of 3 words, no conflict; two at a distance of 2 words, threads
 * 8 apart collide. The third struct is the compiler's of 8 bytes: the chapter takes it as 5 bytes,
 * at which a float cannot be loaded, and has it conflict as well. */
static void structs_conflict_by_their_size_in_words(void **state)
{
    (void)state;
    check_no_conflicts("sharedStruct3", "blocks=1");
    check_load_ways("sharedStruct2", "blocks=1", 2);
    check_load_ways("sharedStructChar", "blocks=1", 2);
}

/* 4.4.3.1: a word that the whole half-warp reads is broadcast. */
static void one_word_for_all_lanes_does_not_conflict(void **state)
{
    (void)state;
    check_no_conflicts("sharedBroadcast", "blocks=1 word=5");
}

/* 4.7.3.2: the 17th word of each row puts a column into all banks; without it one bank has all 16.
 */
static void a_column_of_a_16x16_tile_conflicts_in_16_ways_and_of_16x17_in_none(void **state)
{
    (void)state;
    check_load_ways("transposeUnpadded", "width=256 height=256", 16);
    check_no_conflicts("transpose", "width=256 height=256");
}

/* 4.7.1.2 says so of the tiles of matrixMul; sgemmNN fills its bs[16][17] by columns. */
static void matrix_products_through_tiles_do_not_conflict(void **state)
{
    (void)state;
    check_no_conflicts("matrixMul", "");
    check_no_conflicts("sgemmNN", "");
}

/* 4.7.2.3 of reduce2. 4.7.2.2 names reduce0 beside reduce1 as having growing conflicts, but gives
 * reduce1's figures: in reduce0 lane t stays with word t, so that a half-warp's words, 16 side by
 * side or fewer, lie in as many banks in every step. */
static void reductions_on_a_thread_s_own_word_do_not_conflict(void **state)
{
    (void)state;
    check_no_conflicts("reduce0", "n=3072 block=512");
    check_no_conflicts("reduce2", "n=3072 block=512");
    check_no_conflicts("reduce3", "n=6144 block=512");
}

enum { ACCESSES_MAX = 128 };

/* The shared accesses of block 0, in the order in which they were made. */
struct shared_accesses {
    struct bank_passes passes[ACCESSES_MAX];
    size_t count; /* made; those beyond the room are not kept */
};

/* Called from inside the kernel's run: a test must not end here. */
static bool note_access(void *context, const struct warp_access *access)
{
    struct shared_accesses *made = context;
    if (access->space != SPACE_SHARED || access->block != 0)
        return true;
    if (made->count < ACCESSES_MAX)
        made->passes[made->count] = banks_count(BANKS_HALF_WARP_16, access);
    made->count++;
    return true;
}

static void check_next(const struct shared_accesses *made, size_t *next, size_t accesses,
                       uint32_t ways)
{
    for (size_t i = 0; i < accesses; i++) {
        assert_in_range(*next, 0, ACCESSES_MAX - 1);
        struct bank_passes one = made->passes[(*next)++];
        assert_true(one.ideal > 0);
        assert_int_equal(one.passes, ways * one.ideal);
    }
}

/* 4.7.2.2, figure 4-18: s = 1 is 2-way, s = 2 is 4-way, s = 4 is 8-way, and so on. Between two
 * barriers each warp that works loads sdata[index + s] and sdata[index] and stores the sum. From
 * s = 8 on a half-warp's words are all in one bank; from s = 32 on fewer than 16 lanes are left. */
static void reduce1_conflicts_in_2_4_8_and_more_ways_step_by_step(void **state)
{
    (void)state;
    static const uint32_t ways[] = {2, 4, 8, 16, 16, 8, 4, 2, 1};
    struct shared_accesses made = {.count = 0};
    const struct trace_sink sink = {.context = &made, .access = note_access};
    published_trace("reduce1", "n=3072 block=512", &sink);
    size_t next = 0, threads = 512 / 2;
    check_next(&made, &next, 512 / 32, 1); /* sdata[tid] = g_idata[i] */
    for (size_t step = 0; step < sizeof ways / sizeof ways[0]; step++, threads /= 2)
        check_next(&made, &next, 3 * ((threads + 31) / 32), ways[step]);
    check_next(&made, &next, 1, 1); /* g_odata[blockIdx.x] = sdata[0] */
    assert_int_equal(next, made.count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stride_conflicts_by_its_common_divisor_with_16),
        cmocka_unit_test(chars_side_by_side_conflict_in_4_ways),
        cmocka_unit_test(shorts_side_by_side_conflict_in_2_ways),
        cmocka_unit_test(doubles_side_by_side_conflict_in_2_ways),
        cmocka_unit_test(structs_conflict_by_their_size_in_words),
        cmocka_unit_test(one_word_for_all_lanes_does_not_conflict),
        cmocka_unit_test(a_column_of_a_16x16_tile_conflicts_in_16_ways_and_of_16x17_in_none),
        cmocka_unit_test(matrix_products_through_tiles_do_not_conflict),
        cmocka_unit_test(reductions_on_a_thread_s_own_word_do_not_conflict),
        cmocka_unit_test(reduce1_conflicts_in_2_4_8_and_more_ways_step_by_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
