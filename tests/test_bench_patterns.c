/* test_bench_patterns.c - do the made-up kernels of `warplens bench` do what those do that they are named after?
 *
 * A block of each is judged under the rules of an H200 (sectors of 32 bytes, 32 banks); what it has to count is
 * worked out by hand.
 */
#include "test_support.h"

#include "cli/commands/bench_patterns.h"
#include "models/models.h"
#include "sim/rules/judge.h"

/* What a block of a pattern counts. */
struct counts {
    const char *name;
    uint64_t loads, load_sectors, stores, store_sectors; /* of global memory */
    uint64_t shared_loads, shared_load_passes, shared_stores, shared_store_passes;
    uint64_t barriers; /* of each warp */
};

/* The product: 16 tiles in a row of a matrix. A warp loads two rows of 64 bytes of each of both, stores both into
 * shared memory, and loads 16 elements of each; then it stores two rows of 64 bytes. Two rows are 4 sectors.
 * The reduction: 8 steps of half as many threads, the first of 128: 4 warps, 2, and 1 in the six that are left. Each has
 * two loads and a store; one load and one store of thread 0 follow. */
static const struct counts expected[] = {
    {"coalesced stream", .loads = 128, .load_sectors = 128 * 4},
    {"coalesced, in L1", .loads = 128, .load_sectors = 128 * 4},
    {"stride 128 bytes", .loads = 128, .load_sectors = 128 * 32},
    {"scattered over 64 MB", .loads = 128, .load_sectors = 128 * 32},
    {"coalesced copy", .loads = 8, .load_sectors = 8 * 4, .stores = 8, .store_sectors = 8 * 4},
    {"product, 16x16 blocks", 8 * 16 * 2, 8 * 16 * 2 * 4, 8, 8 * 4, 8 * 16 * 32, 8 * 16 * 32,
     8 * 16 * 2, 8 * 16 * 2, 16 * 2},
    {"reduction, a barrier a step", 8, 8 * 4, 1, 1, 12 * 2 + 1, 12 * 2 + 1, 8 + 12, 8 + 12, 1 + 8},
};
enum { EXPECTED_COUNT = sizeof expected / sizeof expected[0], NUMBER = 7 };

/* Judges a warp's accesses, and returns the number of its barriers. */
static uint64_t judge_warp(struct judge *judge, const struct step_block *block, uint32_t warp)
{
    struct step_chunk buffer;
    struct step_cursor cursor;
    struct step step;
    uint64_t barriers = 0;
    step_cursor_start(&cursor, block, warp, &buffer);
    for (step_cursor_next(&cursor, block, &step); step.kind != STEP_END;
         step_cursor_next(&cursor, block, &step)) {
        if (step.kind == STEP_BARRIER) {
            barriers++;
            continue;
        }
        assert_true(step.access.site < PATTERN_SITES);
        judge_access(judge, &step.access, NULL);
    }
    return barriers;
}

static struct counters sum_of_sites(const struct judge *judge)
{
    struct counters sum = {0};
    for (size_t i = 0; i < PATTERN_SITES; i++)
        counters_add(&sum, &judge->sites[i]);
    return sum;
}

static void check_counts(const struct counters *got, const struct counts *want, uint64_t accesses)
{
    assert_int_equal(got->global_load_requests, want->loads);
    assert_int_equal(got->global_load_sectors, want->load_sectors);
    assert_int_equal(got->global_store_requests, want->stores);
    assert_int_equal(got->global_store_sectors, want->store_sectors);
    assert_int_equal(got->shared_load_requests, want->shared_loads);
    assert_int_equal(got->shared_load_passes, want->shared_load_passes);
    assert_int_equal(got->shared_store_requests, want->shared_stores);
    assert_int_equal(got->shared_store_passes, want->shared_store_passes);
    assert_int_equal(accesses,
                     want->loads + want->stores + want->shared_loads + want->shared_stores);
}

static void check_pattern(const struct bench_pattern *pattern, const struct counts *want)
{
    struct step_store store;
    struct judge judge;
    struct arch arch;
    uint64_t random = 0, accesses = 0;
    arch_from_model(models_find("h200"), &arch);
    assert_true(judge_init(&judge, &arch, 1));
    assert_true(judge_reserve_sites(&judge, PATTERN_SITES));
    step_store_init(&store, 1 << 20);
    struct step_block *block = bench_pattern_block(pattern, &store, NUMBER, &random, &accesses);
    assert_non_null(block);
    for (uint32_t warp = 0; warp < PATTERN_WARPS; warp++)
        assert_int_equal(judge_warp(&judge, block, warp), want->barriers);
    const struct counters got = sum_of_sites(&judge);
    check_counts(&got, want, accesses);
    step_block_release(block);
    step_store_free(&store);
    judge_free(&judge);
}

static void a_block_of_each_pattern_counts_what_it_has_to(void **state)
{
    (void)state;
    assert_int_equal(bench_pattern_count, EXPECTED_COUNT);
    for (size_t i = 0; i < EXPECTED_COUNT; i++) {
        assert_string_equal(bench_patterns[i].name, expected[i].name);
        check_pattern(&bench_patterns[i], &expected[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_of_each_pattern_counts_what_it_has_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
