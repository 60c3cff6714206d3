/* test_tracer_spaces.c - does each element type make the accesses that a GPU makes, and is each
 * memory space told from the others? Vector types, structs, shared, constant, local and texture
 * memory.
 *
 * clang splits a vector load whose members are used one by one, and says nothing about the
 * alignment of a struct copy; where that shows, the test says so.
 */
#include <string.h>

#include "test_support.h"
#include "trace_recorder.h"

/* ---- Element types ----------------------------------------------------------------------------
 */

/* A copy of one element a lane is `parts` loads and `parts` stores of `width` bytes. */
static void check_copy(host_function *host, size_t bytes, unsigned width)
{
    const unsigned parts = (unsigned)(bytes / width);
    unsigned char result[32 * 32];
    recorder_run_well(host, &(struct runtime_args){.result = result});
    for (size_t i = 0; i < 32 * bytes; i++)
        assert_int_equal(result[i], 7);
    assert_int_equal(recorder.total, 2 * parts);
    assert_int_equal(recorder_count_at(HERE_LOAD), 2 * parts);
    for (unsigned i = 0; i < 2 * parts; i++) {
        const char *array = i < parts ? "in" : "out";
        const struct recorded *access = recorder_of(array, i % parts);
        assert_int_equal(access->width, width);
        assert_int_equal(access->op, i < parts ? OP_LOAD : OP_STORE);
        assert_int_equal(access->active, UINT32_MAX);
        recorder_assert_line(access, recorder_of(array, 0)->addr[0] + i % parts * width,
                             (int64_t)bytes);
    }
}

static void scalars_are_one_access(void **state)
{
    (void)state;
    check_copy(run_copyChar, 1, 1);
    check_copy(run_copyShort, 2, 2);
    check_copy(run_copyInt, 4, 4);
    check_copy(run_copyDouble, 8, 8);
}

static void aligned_vectors_are_one_access(void **state)
{
    (void)state;
    check_copy(run_copyFloat2, 8, 8);
    check_copy(run_copyInt2, 8, 8);
    check_copy(run_copyShort4, 8, 8);
    check_copy(run_copyFloat4, 16, 16);
    check_copy(run_copyInt4, 16, 16);
    check_copy(run_copyDouble2, 16, 16);
}

static void structs_of_lower_alignment_are_an_access_a_word(void **state)
{
    (void)state;
    check_copy(run_copyFloat3, 12, 4);
    check_copy(run_copyPair, 8, 4);
    check_copy(run_copyTriple, 12, 4);
    check_copy(run_copyRgb, 3, 1);
}

static void a_copy_loads_before_it_stores(void **state)
{
    host_function *const copies[] = {run_copyInt, run_copyFloat2, run_copyFloat4, run_copyTriple,
                                     run_copyPair};
    (void)state;
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        recorder_run_well(copies[i], &(struct runtime_args){.n = 0});
        for (size_t k = 0; k < recorder.total; k++)
            assert_int_equal(recorder.kept[k].op, k < recorder.total / 2 ? OP_LOAD : OP_STORE);
    }
}

/* More than lanes can run ahead, so that some copies are announced where a lane has to wait. */
static void copies_in_a_long_loop_load_before_they_store(void **state)
{
    enum { N = 101, WORDS = 3 };
    static const uint32_t lanes[] = {UINT32_MAX, 0xb6db6db6, 0x24924924}; /* all, t % 3 > 0, == 2 */
    (void)state;
    RUN(copyInLoop, .n = N);
    assert_int_equal(recorder.total, 2 * WORDS * (N + 2));
    for (unsigned i = 0; i < recorder.total; i++) {
        const struct recorded *access = &recorder.kept[i];
        unsigned round = i / (2 * WORDS);
        assert_int_equal(access->op, i % (2 * WORDS) < WORDS ? OP_LOAD : OP_STORE);
        assert_int_equal(access->active, lanes[round < N ? 0 : round - N + 1]);
    }
}

static void a_vector_is_loaded_whole_when_its_members_are_used(void **state)
{
    float sums[32];
    (void)state;
    RUN(sumFloat4, .result = sums);
    for (int i = 0; i < 32; i++)
        assert_true(sums[i] == (float)(i + 2 + 6 + 12));
    if (strstr(tracer_compiler(), "clang")) { /* splits it before the hooks are put in */
        assert_int_equal(recorder_count_at(HERE_LOAD), 4);
        return;
    }
    assert_int_equal(recorder_count_at(HERE_LOAD), 1);
    assert_int_equal(recorder_at(HERE_LOAD, 0)->width, 16);
}

/* ---- Shared memory ----------------------------------------------------------------------------
 */

/* Parts of a struct: a store each into shared memory, a load each out of it. */
static void structs_go_through_shared_memory_word_by_word(void **state)
{
    struct triple mirrored[32];
    (void)state;
    RUN(sharedTriples, .result = mirrored);
    for (int i = 0; i < 32; i++)
        assert_true(mirrored[i].x == (float)(31 - i) && mirrored[i].y == 1 && mirrored[i].z == 2);
    assert_int_equal(recorder_count_of("tile"), 6);
    for (unsigned i = 0; i < 6; i++) {
        const struct recorded *access = recorder_of("tile", i);
        assert_int_equal(access->space, SPACE_SHARED);
        assert_int_equal(access->width, 4);
        assert_int_equal(access->op, i < 3 ? OP_STORE : OP_LOAD);
        recorder_assert_line(access, i < 3 ? i * 4 : 31 * 12 + (i - 3) * 4, i < 3 ? 12 : -12);
    }
    assert_int_equal(recorder.shared_bytes, 32 * 12);
}

static void shared_arrays_lie_in_the_order_of_their_first_use(void **state)
{
    (void)state;
    RUN(sharedTwo, .n = 0);
    recorder_assert_line(recorder_at(HERE_STORE, 0), 0, 8);
    recorder_assert_line(recorder_at(HERE_OTHER, 0), 256, 4);
    assert_string_equal(recorder_site(recorder_at(HERE_STORE, 0))->array, "second");
    assert_string_equal(recorder_site(recorder_at(HERE_OTHER, 0))->array, "first");
    assert_int_equal(recorder_at(HERE_STORE, 0)->width, 8);
    assert_int_equal(recorder.shared_bytes, 100 * 4 + 32 * 8);
}

/* Both launches find their first array at address 0. */
static void a_shared_array_keeps_its_name_from_launch_to_launch(void **state)
{
    (void)state;
    RUN(sharedEither, .n = 0);
    for (unsigned i = 0; i < 4; i++) {
        const struct recorded *access = recorder_at(HERE_STORE, i);
        assert_int_equal(access->launch, i / 2);
        recorder_assert_line(access, i % 2 * 256, 4);
        assert_string_equal(recorder_site(access)->array, i == 0 || i == 3 ? "left" : "right");
    }
}

static void dynamic_shared_memory_has_a_name_and_the_size_of_the_launch(void **state)
{
    (void)state;
    RUN(sharedDynamic, .n = 128);
    assert_string_equal(recorder_site(recorder_at(HERE_STORE, 0))->array, "buffer");
    assert_int_equal(recorder_at(HERE_STORE, 0)->space, SPACE_SHARED);
    recorder_assert_line(recorder_at(HERE_LOAD, 0), recorder_at(HERE_STORE, 0)->addr[31], -4);
    assert_int_equal(recorder_of("fixed", 0)->active, 1);
    assert_int_equal(recorder.shared_bytes, 128 + 4);
}

/* ---- Read-only path and textures ---------------------------------------------------------------
 */

static void assert_ways(const char *array, const uint8_t *flags, size_t count)
{
    assert_int_equal(recorder_count_of(array), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(recorder_of(array, i)->flags, flags[i]);
}

static void ldg_marks_the_load_and_not_the_load_of_its_index(void **state)
{
    int result[32];
    (void)state;
    RUN(readOnlyGather, .result = result);
    assert_ways("b", (uint8_t[]){0}, 1);
    assert_ways("a", (uint8_t[]){ACCESS_READ_ONLY}, 1);
    assert_ways("out", (uint8_t[]){0}, 1);
    for (int i = 0; i < 32; i++)
        assert_int_equal(result[i], i);
}

static void ldg_marks_one_of_several_loads_from_an_address(void **state)
{
    (void)state;
    RUN(readOnlySame, .n = 0);
    assert_ways("a", (uint8_t[]){0, ACCESS_READ_ONLY, 0}, 3);
    assert_int_equal(recorder_at(HERE_LOAD, 0)->flags, ACCESS_READ_ONLY);
    assert_ways("b", (uint8_t[]){0}, 1);
}

static void a_texture_fetch_is_a_load_through_the_texture_unit(void **state)
{
    int result[32];
    (void)state;
    RUN(textureGather, .result = result);
    assert_int_equal(recorder_of("a", 0)->space, SPACE_TEXTURE);
    assert_int_equal(recorder_of("b", 0)->space, SPACE_GLOBAL);
    assert_int_equal(recorder_of("out", 0)->space, SPACE_GLOBAL);
    assert_int_equal(recorder.total, 3);
    for (int i = 0; i < 32; i++)
        assert_int_equal(result[i], i);
}

static void all_loads_from_a_read_only_array_are_marked_and_nothing_else(void **state)
{
    (void)state;
    RUN(readOnlyArray, .n = 0);
    assert_int_equal(recorder.total, 3);
    assert_int_equal(recorder_at(HERE_STORE, 0)->flags, 0);
    assert_int_equal(recorder_of("b", 0)->flags, 0);
    assert_int_equal(recorder_of("a", 0)->op, OP_LOAD);
    assert_int_equal(recorder_of("a", 0)->flags, ACCESS_READ_ONLY);
    RUN(addArrays, .n = 32); /* the next run has an array a too */
    assert_int_equal(recorder_of("a", 0)->flags, 0);
}

/* ---- Constant and local memory -----------------------------------------------------------------
 */

static void constant_arrays_are_offsets_in_constant_memory(void **state)
{
    float result[32];
    (void)state;
    RUN(constantTables, .result = result);
    const struct recorded *weights = recorder_at(HERE_LOAD, 0);
    const struct recorded *offsets = recorder_at(HERE_OTHER, 0);
    assert_int_equal(weights->space, SPACE_CONSTANT);
    assert_int_equal(weights->width, 4);
    assert_int_equal(weights->addr[0] % 256, 0);
    for (unsigned t = 0; t < 32; t++) {
        assert_int_equal(weights->addr[t], weights->addr[0] + t % 20 * 4);
        assert_true(result[t] == (float)(t % 20 + 1000));
    }
    assert_int_equal(offsets->space, SPACE_CONSTANT);
    assert_int_equal(offsets->width, 2);
    assert_int_equal(offsets->addr[0] % 256, 4);
    recorder_assert_line(offsets, offsets->addr[0], 0);
}

/* Lane by lane 4 bytes apart, element by element 128, warp by warp somewhere else. */
static void check_local(const struct recorded *access, const struct recorded *first, unsigned k)
{
    assert_int_equal(access->space, SPACE_LOCAL);
    assert_int_equal(access->width, 4);
    recorder_assert_line(access, first->addr[0] + 128ULL * k, 4);
}

static void an_element_of_a_local_array_is_one_line_for_the_warp(void **state)
{
    enum { N = 9, THREADS = 75 };
    int result[THREADS * N];
    (void)state;
    RUN(localArray, .n = N, .block = {THREADS, 1, 1}, .result = result);
    for (int i = 0; i < THREADS * N; i++)
        assert_int_equal(result[i], i / N * 100 + i % N);
    for (unsigned warp = 0; warp < 3; warp++) {
        const struct recorded *first = recorder_at(HERE_STORE, (size_t)warp * N);
        assert_int_equal(first->addr[0] % 128, 0);
        assert_int_equal(first->active, warp < 2 ? UINT32_MAX : (1U << 11) - 1);
        for (unsigned k = 0; k < N; k++) {
            check_local(recorder_at(HERE_STORE, (size_t)warp * N + k), first, k);
            check_local(recorder_at(HERE_LOAD, (size_t)warp * N + k), first, k);
        }
    }
    assert_int_not_equal(recorder_at(HERE_STORE, 0)->addr[0], recorder_at(HERE_STORE, N)->addr[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_are_one_access),
        cmocka_unit_test(aligned_vectors_are_one_access),
        cmocka_unit_test(structs_of_lower_alignment_are_an_access_a_word),
        cmocka_unit_test(a_copy_loads_before_it_stores),
        cmocka_unit_test(copies_in_a_long_loop_load_before_they_store),
        cmocka_unit_test(a_vector_is_loaded_whole_when_its_members_are_used),
        cmocka_unit_test(structs_go_through_shared_memory_word_by_word),
        cmocka_unit_test(shared_arrays_lie_in_the_order_of_their_first_use),
        cmocka_unit_test(a_shared_array_keeps_its_name_from_launch_to_launch),
        cmocka_unit_test(dynamic_shared_memory_has_a_name_and_the_size_of_the_launch),
        cmocka_unit_test(ldg_marks_the_load_and_not_the_load_of_its_index),
        cmocka_unit_test(ldg_marks_one_of_several_loads_from_an_address),
        cmocka_unit_test(a_texture_fetch_is_a_load_through_the_texture_unit),
        cmocka_unit_test(all_loads_from_a_read_only_array_are_marked_and_nothing_else),
        cmocka_unit_test(constant_arrays_are_offsets_in_constant_memory),
        cmocka_unit_test(an_element_of_a_local_array_is_one_line_for_the_warp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
