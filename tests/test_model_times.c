/* test_model_times.c - are the parameters of time of every model physically consistent? Whether they
 * are true is for the comparison with hardware to say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/models.h"

static void assert_holds(const struct gpu_model *model, bool fact, const char *what)
{
    if (!fact) {
        fail_msg("%s: %s", model->name, what);
    }
}
#define ASSERT_HOLDS(model, fact) assert_holds(model, fact, #fact)

static void latencies_grow_with_the_distance_from_the_sm(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct gpu_model *model = models[m];
        struct arch a;

        arch_from_model(model, &a);
        ASSERT_HOLDS(model, a.shared_latency_cycles < a.dram_latency_cycles);
        ASSERT_HOLDS(model, a.read_only_latency_cycles < a.dram_latency_cycles);
        ASSERT_HOLDS(model, (a.l1_latency_cycles > 0) == (a.l1_bytes > 0));
        ASSERT_HOLDS(model, (a.l2_latency_cycles > 0) == (a.l2_bytes > 0));
        ASSERT_HOLDS(model, a.l2_bytes == 0 || a.l1_latency_cycles < a.l2_latency_cycles);
        ASSERT_HOLDS(model, a.l2_latency_cycles + a.l2_far_cycles < a.dram_latency_cycles);
        ASSERT_HOLDS(model, (a.l2_far_cycles > 0) == (a.l2_sides > 1));
    }
}

/* Each stage nearer to the SMs carries at least what the stage behind it can deliver, so that a
 * sequential read is limited by DRAM. */
static void every_stage_is_as_wide_as_the_one_behind_it(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct gpu_model *model = models[m];
        struct arch a;

        arch_from_model(model, &a);
        int64_t behind =
            a.l2_bytes > 0 ? a.l2_megabytes_per_s : a.peak_megabytes_per_s; /* of the crossbar */
        int64_t crossbar = a.sm_count * a.sm_read_bytes_per_cycle * (a.sm_clock_khz / 1000);

        ASSERT_HOLDS(model, (a.l2_megabytes_per_s > 0) == (a.l2_bytes > 0));
        ASSERT_HOLDS(model, a.l2_bytes == 0 || a.l2_megabytes_per_s >= a.peak_megabytes_per_s);
        ASSERT_HOLDS(model, crossbar >= behind);
        ASSERT_HOLDS(model, a.pcie_megabytes_per_s <= a.peak_megabytes_per_s);
    }
}

static void l2_slices_and_dram_partitions_fit_together(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct gpu_model *model = models[m];
        struct arch a;

        arch_from_model(model, &a);
        ASSERT_HOLDS(model, (a.l2_slices > 0) == (a.l2_bytes > 0));
        ASSERT_HOLDS(model, a.l2_slices % a.dram_partitions == 0);
        ASSERT_HOLDS(model, a.l2_slices % a.l2_sides == 0);
        ASSERT_HOLDS(model, a.dram_access_bytes == 32 || a.dram_access_bytes == 64);
        ASSERT_HOLDS(model, a.dram_row_bytes % a.partition_bytes == 0);
        ASSERT_HOLDS(model, a.dram_row_gap_ps < a.dram_row_cycle_ps);
        ASSERT_HOLDS(model, a.partition_bytes % a.dram_access_bytes == 0);
    }
}

static void caches_of_an_sm_fit_together(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct gpu_model *model = models[m];
        struct arch a;

        arch_from_model(model, &a);
        ASSERT_HOLDS(model, a.l1_bytes % (128 * a.l1_ways) == 0);
        ASSERT_HOLDS(model, a.l1_sector_bytes == 32 || a.l1_sector_bytes == 128);
        ASSERT_HOLDS(model, a.l1_shared_bytes == 0 || a.l1_bytes <= a.l1_shared_bytes);
        ASSERT_HOLDS(model, a.l1_shared_bytes == 0 || a.shared_bytes_per_sm <= a.l1_shared_bytes);
        ASSERT_HOLDS(model, a.l1_bytes == 0 || a.read_only_bytes > 0 ||
                                a.read_only_latency_cycles == a.l1_latency_cycles);
        ASSERT_HOLDS(model, (a.read_only_bytes > 0) == (a.sm < 50));
    }
}

/* An SM issues at most four warp instructions a cycle, and one warp less than the SM. */
static void an_sm_issues_faster_than_one_warp(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const struct gpu_model *model = models[m];
        struct arch a;

        arch_from_model(model, &a);
        ASSERT_HOLDS(model, a.issue_millicycles >= 250);
        ASSERT_HOLDS(model, a.issue_millicycles < a.instruction_millicycles);
        ASSERT_HOLDS(model, a.shared_conflict_millicycles >= a.shared_pass_millicycles);
        ASSERT_HOLDS(model, a.shared_latency_cycles * 1000 > a.shared_pass_millicycles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_grow_with_the_distance_from_the_sm),
        cmocka_unit_test(every_stage_is_as_wide_as_the_one_behind_it),
        cmocka_unit_test(l2_slices_and_dram_partitions_fit_together),
        cmocka_unit_test(caches_of_an_sm_fit_together),
        cmocka_unit_test(an_sm_issues_faster_than_one_warp),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
