/* test_library_push.c - do accesses that are pushed through the public API give the figures that are worked
 * out by hand, and do expectations say what was found? */
#include "library_runs.h"

#include <math.h>
#include <string.h>

/* ---- Pushed accesses, worked out by hand ---------------------------------------------------------- */

static uint64_t counter(const struct warplens_counts *counts, const char *name)
{
    uint64_t value = UINT64_MAX;
    if (!warplens_counter(counts, name, &value))
        fail_msg("no counter %s", name);
    return value;
}

static void counts_pushed_accesses(void **state)
{
    struct warplens_run *run = warplens_run_new();
    (void)state;
    ASSERT(run, warplens_add_gpu(run, "h200") && warplens_add_gpu(run, "gtx280"));
    ASSERT(run, library_push_kernel(run));
    for (size_t gpu = 0; gpu < 2; gpu++) {
        const struct warplens_counts *first = warplens_line(run, gpu, "kernel.cu", 1);
        const struct warplens_counts *second = warplens_line(run, gpu, "any/kernel.cu", 2);
        const struct warplens_counts *third = warplens_line(run, gpu, "kernel.cu", 3);
        const struct warplens_counts *in = warplens_array(run, gpu, "in");
        assert_int_equal(counter(first, "global_load_sectors"), 4 * WARPS);
        assert_int_equal(counter(second, "global_load_sectors"), 8 * WARPS);
        assert_int_equal(counter(in, "global_load_sectors"), 12 * WARPS);
        assert_int_equal(counter(in, "global_load_bytes_requested"), 2 * 128 * WARPS);
        assert_int_equal(counter(third, "shared_load_passes"), 32 * WARPS);
        assert_int_equal(counter(warplens_array(run, gpu, "out"), "global_store_sectors"),
                         4 * WARPS);
        ASSERT(run, warplens_expect(first, "gld_efficiency", 100, 100));
        ASSERT(run, warplens_expect(second, "gld_efficiency", 50, 50));
        ASSERT(run, warplens_expect(third, "gld_efficiency", 0, 1) == false);
        library_assert_says(run, "has no value");
    }
    assert_int_equal(counter(warplens_array(run, 0, "tile"), "shared_load_conflicts"), 31 * WARPS);
    assert_int_equal(counter(warplens_array(run, 1, "tile"), "shared_load_conflicts"), 30 * WARPS);
    assert_int_equal(counter(warplens_total(run, 0), "warps"), WARPS);
    assert_true(counter(warplens_launch_at(run, 0, 0), "elapsed_cycles") > 0);
    assert_string_equal(warplens_counts_name(warplens_launch_at(run, 0, 0)), "by_hand");
    assert_string_equal(warplens_gpu_name(run, 1), "gtx280");
    assert_int_equal(warplens_line_count(run), 4);
    assert_int_equal(warplens_array_count(run), 3);
    warplens_run_free(run);
}

/* Ends of warps and blocks, barriers: written out and implied are the same. */
static char *push_blocks(bool written_out)
{
    struct warplens_run *run = warplens_run_new();
    const struct warplens_launch launch = {
        .kernel = "ends", .grid = {4, 2}, .block = {48}, .shared_bytes = 256};
    assert_true(warplens_launch_begin(run, &launch));
    for (uint32_t block = 0; block < 8; block++) {
        struct warplens_access a = {.file = "k.cu",
                                    .line = 1,
                                    .width = 4,
                                    .block = block,
                                    .base = 4096 * block,
                                    .stride = 4};
        for (a.warp = 0; a.warp < 2; a.warp++) {
            a.mask = a.warp ? 0xffff : WARPLENS_ALL_LANES;
            assert_true(warplens_add_access(run, &a));
        }
        for (uint32_t warp = 0; written_out && warp < 2; warp++)
            assert_true(warplens_add_barrier(run, block, warp));
        if (!written_out)
            assert_true(warplens_add_barrier(run, block, WARPLENS_ALL_WARPS));
        for (uint32_t warp = 0; written_out && warp < 2; warp++)
            assert_true(warplens_end_warp(run, block, warp));
    }
    assert_true(warplens_launch_end(run));
    ASSERT(run, warplens_finish(run));
    assert_int_equal(counter(warplens_total(run, 0), "barriers"), 16);
    assert_int_equal(counter(warplens_total(run, 0), "divergent_accesses"), 0);
    char *text = library_report(run, WARPLENS_JSON);
    warplens_run_free(run);
    return text;
}

static void implies_the_ends_of_warps_and_blocks(void **state)
{
    char *written_out = push_blocks(true), *implied = push_blocks(false);
    (void)state;
    assert_string_equal(written_out, implied);
    free(written_out);
    free(implied);
}

static void counts_every_launch(void **state)
{
    struct warplens_run *run = warplens_run_new();
    (void)state;
    ASSERT(run, warplens_set_rules_only(run, true));
    for (uint32_t i = 0; i < 3; i++) {
        char name[] = "kernel0";
        name[6] = (char)('0' + i);
        const struct warplens_launch launch = {.kernel = name, .grid = {1}, .block = {32}};
        const struct warplens_access a = {
            .width = 4, .mask = WARPLENS_ALL_LANES, .stride = 4 << i, .op = WARPLENS_STORE};
        ASSERT(run, warplens_launch_begin(run, &launch));
        ASSERT(run, warplens_add_access(run, &a));
        ASSERT(run, warplens_launch_end(run));
    }
    ASSERT(run, warplens_finish(run));
    assert_int_equal(warplens_launch_count(run), 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(counter(warplens_launch_at(run, 0, i), "global_store_sectors"), 4 << i);
    assert_string_equal(warplens_counts_name(warplens_launch_at(run, 0, 2)), "kernel2");
    assert_string_equal(warplens_counts_name(warplens_total(run, 0)), "kernel0");
    assert_non_null(warplens_line(run, 0, "?", 0));
    assert_non_null(warplens_array(run, 0, ""));
    assert_null(warplens_launch_at(run, 0, 3));
    library_assert_says(run, "no launch 3: the run has 3");
    warplens_run_free(run);
}

static void host_arrays_go_over_pcie(void **state)
{
    struct warplens_run *run = warplens_run_new();
    const struct warplens_array array = {"mapped", 0x10000, 4096, true};
    const struct warplens_launch launch = {
        .kernel = "zero_copy", .grid = {1}, .block = {32}, .arrays = &array, .array_count = 1};
    const struct warplens_access a = {
        .width = 4, .mask = WARPLENS_ALL_LANES, .base = 0x10000, .stride = 4};
    (void)state;
    ASSERT(run, warplens_launch_begin(run, &launch) && warplens_add_access(run, &a) &&
                    warplens_launch_end(run) && warplens_finish(run));
    assert_int_equal(counter(warplens_array(run, 0, "mapped"), "host_read_bytes"), 128);
    warplens_run_free(run);
}

static void settings_reach_the_model(void **state)
{
    struct warplens_run *run = warplens_run_new();
    int64_t value;
    (void)state;
    ASSERT(run, warplens_add_gpu(run, "m2090") && warplens_add_gpu(run, "m2090"));
    ASSERT(run, warplens_set_field(run, 1, "l1_caches_global", 0));
    ASSERT(run, warplens_get_field(run, 0, "l1_caches_global", &value));
    assert_int_equal(value, 1);
    ASSERT(run, warplens_set_cold_launches(run, true) && warplens_set_registers(run, 20));
    ASSERT(run, library_push_kernel(run));
    /* Lines of 128 bytes through L1, segments of 32 past it. */
    assert_int_equal(counter(warplens_line(run, 0, "kernel.cu", 1), "global_load_transactions"), 2);
    assert_int_equal(counter(warplens_line(run, 1, "kernel.cu", 1), "global_load_transactions"), 8);
    warplens_run_free(run);
}

/* ---- Expectations ---------------------------------------------------------------------------------- */

static void expectations_say_what_was_found(void **state)
{
    struct warplens_run *run = warplens_run_new();
    (void)state;
    ASSERT(run, warplens_add_gpu(run, "h200") && warplens_add_gpu(run, "gtx280"));
    ASSERT(run, library_push_kernel(run));
    ASSERT(run, warplens_expect_line_at_least(run, "kernel.cu", 1, "gld_efficiency", 100));
    ASSERT(run, warplens_expect_line_at_most(run, "kernel.cu", 2, "gld_efficiency", 50));
    ASSERT(run, warplens_expect_array_at_most(run, "in", "shared_load_conflicts", 0));
    ASSERT(run, warplens_expect_array_at_least(run, "tile", "shared_load_conflicts", 60));
    ASSERT(run, warplens_expect_total_at_least(run, "time", 0.01));
    ASSERT(run, warplens_expect_total_at_most(run, "global_store_sectors", 8));
    WARPLENS_ASSERT(run, warplens_expect_total_at_most(run, "launches", 1));
    assert_false(warplens_expect_line_at_least(run, "kernel.cu", 2, "gld_efficiency", 80));
    assert_string_equal(warplens_message(run),
                        "kernel.cu:2 on h200: gld_efficiency is 50 %, wanted at least 80; "
                        "global_load_bytes_requested 256, global_load_bytes_moved 512");
    /* 62 on an H200, 60 on a GTX 280 */
    assert_false(warplens_expect_array_at_least(run, "tile", "shared_load_conflicts", 61));
    assert_string_equal(
        warplens_message(run),
        "array tile on gtx280: shared_load_conflicts is 60, wanted at least 61; "
        "shared_load_requests 2, shared_load_passes 64, shared_load_ideal_passes 4");
    assert_false(warplens_expect_array_at_most(run, "tile", "shared_load_conflicts", 0));
    library_assert_says(run, "array tile on h200: shared_load_conflicts is 62, wanted at most 0");
    assert_false(warplens_expect_total_at_most(run, "dram_read_sectors", 0));
    library_assert_says(run, "the whole run on h200: dram_read_sectors is ");
    library_assert_says(run, ", wanted at most 0; dram_fill_sectors 0, dram_write_sectors ");
    assert_false(warplens_expect(warplens_launch_at(run, 1, 0), "gst_32b", 1, 2));
    library_assert_says(run, "launch 0 (by_hand) on gtx280: gst_32b is 0, wanted 1 to 2; "
                             "global_store_transactions_32b 0");
    assert_false(warplens_expect(warplens_total(run, 0), "warps", 3, 3));
    library_assert_says(run, "warps is 2, wanted 3");
    assert_false(warplens_expect_total_at_least(run, "warps", (double)NAN));
    warplens_run_free(run);
}

/* No figure that explains another is an unknown counter; every name has its own three at most. */
static void every_value_can_be_explained(void **state)
{
    struct warplens_run *run = warplens_run_new();
    struct warplens_item item;
    (void)state;
    ASSERT(run, library_push_kernel(run));
    for (size_t i = 0; warplens_list(WARPLENS_COUNTERS, i, &item); i++) {
        assert_false(warplens_expect_total_at_least(run, item.name, INFINITY));
        library_assert_says(run, "wanted at least inf");
        assert_false(warplens_expect_total_at_most(run, item.name, -1));
        library_assert_says(run, "wanted at most -1");
    }
    for (size_t i = 0; warplens_list(WARPLENS_RATIOS, i, &item); i++) {
        double value;
        if (!warplens_value(warplens_total(run, 0), item.name, &value))
            continue;
        assert_false(warplens_expect_total_at_most(run, item.name, -1));
        library_assert_says(run, "; ");
    }
    warplens_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_pushed_accesses),
        cmocka_unit_test(implies_the_ends_of_warps_and_blocks),
        cmocka_unit_test(counts_every_launch),
        cmocka_unit_test(host_arrays_go_over_pcie),
        cmocka_unit_test(settings_reach_the_model),
        cmocka_unit_test(expectations_say_what_was_found),
        cmocka_unit_test(every_value_can_be_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
