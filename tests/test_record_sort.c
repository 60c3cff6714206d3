/* test_record_sort.c - do records come back in the order of their keys, equal ones as they went in,
 * wherever they were kept?
 */
#include "test_support.h"

#include <string.h>

#include "trace_io/record_sort.h"

struct told {
    uint64_t key;
    uint32_t number;
    uint8_t rest[300];
};

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return *state >> 33;
}

static size_t bytes_of(uint32_t number)
{
    return sizeof(struct told) - number % 290;
}

static void check_sorted(size_t memory, uint32_t count, uint64_t keys)
{
    struct record_sort sort;
    struct told told, before = {0};
    uint64_t state = count, key;
    uint32_t come = 0;
    size_t bytes;
    assert_true(record_sort_start(&sort, memory));
    for (uint32_t i = 0; i < count; i++) {
        told = (struct told){.key = next_random(&state) % keys, .number = i};
        memset(told.rest, (int)(i % 251), sizeof told.rest);
        assert_true(record_sort_add(&sort, told.key, &told, bytes_of(i)));
    }
    assert_true(record_sort_read(&sort));
    while (record_sort_next(&sort, &key, &told, &bytes)) {
        assert_int_equal(key, told.key);
        assert_int_equal(bytes, bytes_of(told.number));
        if (bytes > offsetof(struct told, rest))
            assert_int_equal(told.rest[0], told.number % 251);
        if (come++)
            assert_true(before.key < key || (before.key == key && before.number < told.number));
        before = told;
    }
    assert_null(sort.error);
    assert_int_equal(come, count);
    record_sort_free(&sort);
}

static void records_in_memory_are_sorted(void **state)
{
    (void)state;
    check_sorted(2 * SORT_SLICE_BYTES, 0, 1);
    check_sorted(2 * SORT_SLICE_BYTES, 1, 1);
    check_sorted(SORT_BYTES, 5000, 100);
}

static void runs_of_a_file_are_merged(void **state)
{
    (void)state;
    check_sorted(16 * SORT_SLICE_BYTES, 50000, 1000); /* 8 runs */
    check_sorted(16 * SORT_SLICE_BYTES, 50000, UINT64_MAX);
    check_sorted(16 * SORT_SLICE_BYTES, 50000, 1);
}

static void more_runs_than_fit_become_one(void **state)
{
    (void)state;
    check_sorted(2 * SORT_SLICE_BYTES, 20000, 1000);
    check_sorted(3 * SORT_SLICE_BYTES, 20000, UINT64_MAX);
}

static void a_sort_begins_anew_when_cleared(void **state)
{
    struct record_sort sort;
    uint64_t key, value = 7;
    size_t bytes;
    (void)state;
    assert_true(record_sort_start(&sort, 2 * SORT_SLICE_BYTES));
    for (unsigned i = 0; i < 100000; i++)
        assert_true(record_sort_add(&sort, i, &value, sizeof value));
    assert_true(record_sort_read(&sort));
    assert_true(record_sort_next(&sort, &key, &value, &bytes));
    record_sort_clear(&sort);
    assert_true(record_sort_add(&sort, 5, &value, sizeof value));
    assert_true(record_sort_read(&sort));
    assert_true(record_sort_next(&sort, &key, &value, &bytes));
    assert_int_equal(key, 5);
    assert_false(record_sort_next(&sort, &key, &value, &bytes));
    record_sort_free(&sort);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_in_memory_are_sorted),
        cmocka_unit_test(runs_of_a_file_are_merged),
        cmocka_unit_test(more_runs_than_fit_become_one),
        cmocka_unit_test(a_sort_begins_anew_when_cleared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
