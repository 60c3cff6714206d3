/* test_judge_sums.c - what the judge keeps besides: bytes of partitions, counters of sites, and accesses whose
 * counters are known from an earlier one.
 */
#include "judge_ask.h"

/* ---- Partitions ------------------------------------------------------------------------------ */

/* GTX 280: eight partitions of 256 bytes. Blocks 0 and 1 have rows, the others share one. */
static void bytes_go_to_the_partition_of_their_address(void **state)
{
    (void)state;
    open_judge("gtx280");
    struct warp_access a = affine(4, 3 * 256 + 128, 4);
    for (uint32_t block = 0; block < 4; block++) {
        a.block = block;
        count(a);
    }
    a.block = 1;
    count(in(a, SPACE_GLOBAL, OP_STORE));
    a.base = 256 * (8 * (1ULL << 33) + 5); /* beyond where the short division is exact */
    count(a);
    assert_int_equal(judge.partitions.rows[3].read, 4 * 128);
    assert_int_equal(judge.partitions.rows[3].written, 128);
    assert_int_equal(judge.partitions.rows[5].read, 128);
    assert_int_equal(judge.partitions.rows[0].read + judge.partitions.rows[4].read, 0);
    assert_int_equal(partitions_of_block(&judge.partitions, 0)[3].read, 128);
    assert_int_equal(partitions_of_block(&judge.partitions, 1)[3].read, 128);
    assert_int_equal(partitions_of_block(&judge.partitions, 1)[3].written, 128);
    assert_int_equal(partitions_of_block(&judge.partitions, 1)[5].read, 128);
    assert_int_equal(partitions_of_block(&judge.partitions, 2)[3].read, 2 * 128);
    judge_free(&judge);
}

static void an_atomic_reads_and_writes_its_partition(void **state)
{
    (void)state;
    open_judge("gtx280");
    struct warp_access a = in(affine(4, 256, 0), SPACE_GLOBAL, OP_ATOMIC);
    a.active = 7;
    count(a);
    assert_int_equal(judge.partitions.rows[1].read, 3 * 32);
    assert_int_equal(judge.partitions.rows[1].written, 3 * 32);
    judge_free(&judge);
}

static void hashed_partitions_are_not_kept(void **state)
{
    (void)state;
    open_judge("h200");
    assert_null(judge.partitions.rows);
    assert_int_equal(judge.partitions.count, 0);
    judge_free(&judge);
}

/* ---- Sites ----------------------------------------------------------------------------------- */

static void more_sites_keep_the_counters_of_the_others(void **state)
{
    (void)state;
    open_judge("h200");
    struct warp_access a = affine(4, 0, 4);
    a.site = 3;
    count(a);
    assert_true(judge_reserve_sites(&judge, 500));
    assert_int_equal(judge.site_count, 500);
    assert_int_equal(judge.sites[3].warp_accesses, 1);
    for (size_t i = 4; i < 500; i++)
        assert_int_equal(judge.sites[i].warp_accesses, 0);
    a.site = 499;
    assert_int_equal(count(a)->warp_accesses, 1);
    assert_true(judge_reserve_sites(&judge, 2));
    assert_int_equal(judge.site_count, 500);
    judge_free(&judge);
}

static void a_gpu_without_rules_is_refused(void **state)
{
    (void)state;
    struct arch arch;
    arch_from_model(models_find("h200"), &arch);
    for (arch.sm = 1; arch.sm < 10; arch.sm++)
        assert_false(judge_init(&judge, &arch, 0));
    arch.sm = 91;
    assert_false(judge_init(&judge, &arch, 0));
}

/* ---- Accesses that are known from an earlier one --------------------------------------------- */

/* Gapless from a line's beginning, or, by kind, not. */
static struct warp_access nearly_gapless(unsigned kind)
{
    struct warp_access a = affine(4, 4096, 4);
    a.base += kind == 1 ? 16 : 0;
    a.width = kind == 2 ? 2 : 4;
    a.stride = kind == 2 ? 2 : kind == 3 ? 8 : 4;
    a.active = kind == 4 ? 0x7fffffff : UINT32_MAX;
    a.resident = kind == 5 ? 0x7fffffff : UINT32_MAX;
    a.active &= a.resident;
    a.op = kind == 6 ? OP_ATOMIC : OP_LOAD;
    a.space = kind == 7 ? SPACE_LOCAL : kind == 8 ? SPACE_SHARED : SPACE_GLOBAL;
    return a;
}

/* With a footprint and without, the first time and later, after accesses that are known: all the same. */
static void repetitions_count_as_the_first(void **state)
{
    (void)state;
    static const char *const gpus[] = {"gtx280", "m2090", "k40", "gtx1080ti", "h200"};
    for (size_t g = 0; g < 5; g++)
        for (unsigned kind = 0; kind < 9; kind++) {
            struct counters with, without;
            struct warp_access gapless = affine(4, 8192, 4), a = nearly_gapless(kind);
            open_judge(gpus[g]);
            for (int i = 0; i < 3; i++)
                count(gapless), count(a);
            without = judge.sites[0];
            judge_free(&judge);
            open_judge(gpus[g]);
            struct footprint first, later = {0};
            for (int i = 0; i < 3; i++) {
                footprint_of(gapless);
                later = footprint_of(a);
                first = i == 0 ? later : first;
            }
            with = judge.sites[0];
            assert_memory_equal(&with, &without, sizeof with);
            assert_int_equal(first.passes, later.passes);
            assert_int_equal(first.count, later.count);
            judge_free(&judge);
        }
}

static void a_repetition_has_its_own_line_and_its_sites_passes(void **state)
{
    (void)state;
    open_judge("h200");
    struct warp_access a = in(affine(4, 4096, 4), SPACE_GLOBAL, OP_STORE);
    footprint_of(a);
    a.base += 1280;
    struct footprint f = footprint_of(a);
    assert_int_equal(f.count, 1);
    assert_int_equal(f.line[0], (4096 + 1280) / 128);
    assert_int_equal(f.sectors[0], 15);
    assert_int_equal(f.words[0], UINT32_MAX);
    assert_int_equal(f.passes, 1);
    assert_int_equal(f.data_passes, 1);
    assert_int_equal(judge.sites[0].global_store_sectors, 8);
    judge_flush(&judge); /* once more adds nothing */
    assert_int_equal(judge.sites[0].global_store_sectors, 8);
    judge_free(&judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_go_to_the_partition_of_their_address),
        cmocka_unit_test(an_atomic_reads_and_writes_its_partition),
        cmocka_unit_test(hashed_partitions_are_not_kept),
        cmocka_unit_test(more_sites_keep_the_counters_of_the_others),
        cmocka_unit_test(a_gpu_without_rules_is_refused),
        cmocka_unit_test(repetitions_count_as_the_first),
        cmocka_unit_test(a_repetition_has_its_own_line_and_its_sites_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
