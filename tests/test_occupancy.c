/* test_occupancy.c - does occupancy follow the vendor's published allocation rules?
 *
 * Expected figures are worked out by hand from the formulas of the CUDA C Programming Guide and of
 * the occupancy calculator; the working stands beside each case.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "models/models.h"
#include "sim/rules/occupancy.h"

#define NONE INT64_MAX

struct occupancy_case {
    const char *gpu;
    struct kernel_resources kernel; /* threads a block, registers a thread, shared bytes a block */
    int64_t by_warps, by_registers, by_shared, blocks;
    enum occupancy_limit limit;
};

static struct occupancy occupancy_on(const char *gpu, struct kernel_resources kernel)
{
    struct arch arch;

    arch_from_model(models_find(gpu), &arch);
    return occupancy_of(&arch, &kernel);
}

static void assert_case(const struct occupancy_case *c)
{
    struct occupancy found = occupancy_on(c->gpu, c->kernel);

    if (found.blocks_by[LIMIT_WARPS] != c->by_warps ||
        found.blocks_by[LIMIT_REGISTERS] != c->by_registers ||
        found.blocks_by[LIMIT_SHARED] != c->by_shared || found.blocks_per_sm != c->blocks ||
        found.limit != c->limit) {
        fail_msg(
            "%s {%lld, %lld, %lld}: warps %lld registers %lld shared %lld blocks %lld by %s",
            c->gpu, (long long)c->kernel.threads_per_block,
            (long long)c->kernel.registers_per_thread, (long long)c->kernel.shared_bytes_per_block,
            (long long)found.blocks_by[LIMIT_WARPS], (long long)found.blocks_by[LIMIT_REGISTERS],
            (long long)found.blocks_by[LIMIT_SHARED], (long long)found.blocks_per_sm,
            occupancy_limit_name(found.limit));
    }
    assert_int_equal(found.warps_per_sm, found.blocks_per_sm * found.warps_per_block);
}

#define ASSERT_CASES(cases)                                                                        \
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases)[0]; i++) {                                \
        assert_case(&(cases)[i]);                                                                  \
    }

/* The example of a text book's G80 chapter: 64 threads, 8 registers, 256 bytes of shared memory
 * make 12 blocks by warps, 16 by registers, 64 by shared memory, so 8 by the limit of blocks. The
 * book divides 16384 by 256. G80 gives out shared memory in units of 512 bytes, so the true figure
 * for shared memory is 32 (CUDA C Programming Guide 3.2, 4.2); what the SM holds is the same. */
static void the_text_book_example_gives_eight_blocks(void **state)
{
    const struct kernel_resources kernel = {64, 8, 256};
    struct occupancy found = occupancy_on("8800gtx", kernel);

    (void)state;
    assert_int_equal(found.warps_per_block, 2);
    assert_int_equal(found.blocks_by[LIMIT_WARPS], 12);
    assert_int_equal(found.blocks_by[LIMIT_REGISTERS], 16);
    assert_int_equal(found.blocks_by[LIMIT_SHARED], 32);
    assert_int_equal(found.blocks_by[LIMIT_BLOCKS], 8);
    assert_int_equal(found.blocks_per_sm, 8);
    assert_int_equal(found.warps_per_sm, 16);
    assert_int_equal(found.limit, LIMIT_BLOCKS);
}

static void without_rounding_the_text_book_example_gives_its_own_figures(void **state)
{
    const struct kernel_resources kernel = {64, 8, 256};
    struct occupancy found;
    struct arch arch;

    (void)state;
    arch_from_model(models_find("8800gtx"), &arch);
    arch.shared_unit = 1;
    arch.shared_reserved_per_block = 0;
    found = occupancy_of(&arch, &kernel);
    assert_int_equal(found.blocks_by[LIMIT_SHARED], 64);
    assert_int_equal(found.blocks_by[LIMIT_REGISTERS], 16);
    assert_int_equal(found.blocks_by[LIMIT_WARPS], 12);
    assert_int_equal(found.blocks_per_sm, 8);
}

/* Without shared memory of their own, sm_1x blocks still take one unit of 512 bytes: 32 blocks. */
static void sm_1x_gives_registers_to_blocks(void **state)
{
    static const struct occupancy_case cases[] = {
        /* Best Practices Guide: 128 threads of 12 registers, 1536 a block: 5 blocks, 83 % */
        {"fx5600", {128, 12, 0}, 6, 5, 32, 5, LIMIT_REGISTERS},
        /* and 256 threads of 12 registers, 3072 a block: 2 blocks, 66 % */
        {"fx5600", {256, 12, 0}, 3, 2, 32, 2, LIMIT_REGISTERS},
        /* full occupancy takes 10 registers or fewer: 2560 a block, 3 blocks of 8 warps */
        {"fx5600", {256, 10, 0}, 3, 3, 32, 3, LIMIT_WARPS},
        {"fx5600", {256, 11, 0}, 3, 2, 32, 2, LIMIT_REGISTERS},
        /* 3 warps count as 4: 4 x 32 x 10 = 1280 registers, 6 blocks and not 8 */
        {"fx5600", {96, 10, 0}, 8, 6, 32, 6, LIMIT_REGISTERS},
        /* sm_13, unit 512: 4 x 32 x 13 = 1664 rounds up to 2048, 8 blocks; to 1792 it were 9 */
        {"gtx280", {128, 13, 0}, 8, 8, 32, 8, LIMIT_WARPS},
        /* 2 x 32 x 35 = 2240 rounds up to 2560: 6 blocks; to 256 it were 2304 and 7 */
        {"gtx280", {64, 35, 0}, 16, 6, 32, 6, LIMIT_REGISTERS},
        /* one warp counts as two: 2 x 32 x 40 = 2560, 6 blocks */
        {"gtx280", {32, 40, 0}, 32, 6, 32, 6, LIMIT_REGISTERS},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void sm_1x_takes_16_bytes_of_shared_memory_from_every_block(void **state)
{
    static const struct occupancy_case cases[] = {
        /* 2048 + 16 bytes round up to 2560: 6 blocks, where 2048 alone would give 8 */
        {"gtx280", {64, 8, 2048}, 16, 32, 6, 6, LIMIT_SHARED},
        {"gtx280", {64, 8, 2032}, 16, 32, 8, 8, LIMIT_BLOCKS},
        /* a 32 x 32 tile of floats: 4096 + 16 round up to 4608: 3 blocks */
        {"gtx280", {256, 0, 4096}, 4, NONE, 3, 3, LIMIT_SHARED},
        /* nothing is left for a block that asks for all 16 KB */
        {"gtx280", {64, 8, 16384}, 16, 32, 0, 0, LIMIT_SHARED},
        {"gtx280", {64, 8, 16368}, 16, 32, 1, 1, LIMIT_SHARED},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void sm_2x_gives_registers_to_warps(void **state)
{
    static const struct occupancy_case cases[] = {
        /* 20 x 32 = 640 registers a warp: 51 warps fit, 50 in pairs, 6 blocks of 8 */
        {"m2090", {256, 20, 0}, 6, 6, NONE, 6, LIMIT_WARPS},
        /* 23 x 32 = 736 rounds up to 768: 42 warps, 5 blocks of 8 */
        {"m2090", {256, 23, 0}, 6, 5, NONE, 5, LIMIT_REGISTERS},
        /* 21 registers take units of 128: 672 becomes 768, 42 warps, 2 blocks of 15 and not 3 */
        {"m2090", {480, 21, 0}, 3, 2, NONE, 2, LIMIT_REGISTERS},
        /* 22 registers: 704 a warp become 768, 42 warps, not 46 */
        {"m2090", {64, 22, 0}, 24, 21, NONE, 8, LIMIT_BLOCKS},
        /* 63 x 32 = 2016 rounds up to 2048: 16 warps, 2 blocks of 8 */
        {"m2090", {256, 63, 0}, 6, 2, NONE, 2, LIMIT_REGISTERS},
        /* 59 x 32 = 1888 rounds up to 1920: 17 warps fit, 16 in pairs: 1 block of 16 */
        {"m2090", {512, 59, 0}, 3, 1, NONE, 1, LIMIT_REGISTERS},
        /* 17 warps a block do not fit in 16, though 17 x 1920 registers would */
        {"m2090", {544, 59, 0}, 2, 0, NONE, 0, LIMIT_REGISTERS},
        /* 4224 bytes are 33 units of 128: 11 blocks by shared memory */
        {"m2090", {64, 16, 4224}, 24, 32, 11, 8, LIMIT_BLOCKS},
        /* 12289 bytes round up to 12416: 3 blocks, where 12288 gives 4 */
        {"m2090", {64, 16, 12289}, 24, 32, 3, 3, LIMIT_SHARED},
        {"m2090", {64, 16, 12288}, 24, 32, 4, 4, LIMIT_SHARED},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void later_parts_round_registers_a_warp_to_256(void **state)
{
    static const struct occupancy_case cases[] = {
        /* 32 x 32 = 1024 registers: all 64 warps */
        {"k20x", {256, 32, 0}, 8, 8, NONE, 8, LIMIT_WARPS},
        /* 33 x 32 = 1056 rounds up to 1280: 51 warps fit, 48 in fours, 6 blocks of 8 */
        {"k20x", {256, 33, 0}, 8, 6, NONE, 6, LIMIT_REGISTERS},
        /* the same 48 warps make 24 blocks of 2, more than the 16 there may be */
        {"k20x", {64, 33, 0}, 32, 24, NONE, 16, LIMIT_BLOCKS},
        /* 255 x 32 rounds up to 8192: 8 warps, 1 block of 8, none of 9 */
        {"k20x", {256, 255, 0}, 8, 1, NONE, 1, LIMIT_REGISTERS},
        {"k20x", {288, 255, 0}, 7, 0, NONE, 0, LIMIT_REGISTERS},
        /* a block's warps do not round up: 64 warps make 12 blocks of 5 */
        {"k20x", {160, 32, 0}, 12, 12, NONE, 12, LIMIT_WARPS},
        /* P100 splits its SM in two: 42 of 1536 fit, 42 in pairs: 21 blocks of 2; in fours 20 */
        {"p100", {64, 48, 0}, 32, 21, NONE, 21, LIMIT_REGISTERS},
        {"v100", {64, 48, 0}, 32, 20, NONE, 20, LIMIT_REGISTERS},
        /* 5376 bytes are 21 units of 256: 18 blocks in 96 KB */
        {"gtx980", {64, 32, 5376}, 32, 32, 18, 18, LIMIT_SHARED},
        /* Turing holds 32 warps only */
        {"rtx2080ti", {1024, 64, 0}, 1, 1, NONE, 1, LIMIT_WARPS},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void from_sm_80_on_every_block_pays_one_kilobyte(void **state)
{
    static const struct occupancy_case cases[] = {
        /* 164 KB in blocks of 1 KB, although the kernel asks for nothing */
        {"a100", {64, 32, 0}, 32, 32, 164, 32, LIMIT_WARPS},
        /* 40 + 1 KB: 4 blocks exactly; one byte more rounds up by 128: 3 */
        {"a100", {128, 32, 40960}, 16, 16, 4, 4, LIMIT_SHARED},
        {"a100", {128, 32, 40961}, 16, 16, 3, 3, LIMIT_SHARED},
        /* the largest block leaves no room for a second, a larger one cannot run */
        {"a100", {128, 32, 166912}, 16, 16, 1, 1, LIMIT_SHARED},
        {"a100", {128, 32, 166913}, 16, 16, 0, 0, LIMIT_SHARED},
        /* 24 KB + 1 KB in 100 KB: 4 blocks */
        {"rtx4070ti", {128, 32, 24576}, 12, 16, 4, 4, LIMIT_SHARED},
        /* 48 warps and 24 blocks an SM on sm_89 */
        {"rtx4070ti", {64, 32, 0}, 24, 32, 100, 24, LIMIT_WARPS},
        /* 227 + 1 KB on sm_90; 37 + 1 KB six times */
        {"h200", {1024, 64, 232448}, 2, 1, 1, 1, LIMIT_REGISTERS},
        {"h200", {256, 32, 37888}, 8, 8, 6, 6, LIMIT_SHARED},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void what_is_over_a_limit_cannot_run(void **state)
{
    static const struct occupancy_case cases[] = {
        {"gtx280", {513, 8, 0}, 0, 3, 32, 0, LIMIT_WARPS},
        {"h200", {1025, 8, 0}, 0, 7, 228, 0, LIMIT_WARPS},
        {"gtx280", {64, 125, 0}, 16, 0, 32, 0, LIMIT_REGISTERS},
        {"m2090", {64, 64, 0}, 24, 0, NONE, 0, LIMIT_REGISTERS},
        {"k20x", {64, 256, 0}, 32, 0, NONE, 0, LIMIT_REGISTERS},
        {"k20x", {64, 32, 49153}, 32, 32, 0, 0, LIMIT_SHARED},
        {"gtx980", {64, 32, 49153}, 32, 32, 0, 0, LIMIT_SHARED},
        /* 512 threads of 17 registers need 8704 of 8192 */
        {"fx5600", {512, 17, 0}, 1, 0, 32, 0, LIMIT_REGISTERS},
        {"fx5600", {512, 16, 0}, 1, 1, 32, 1, LIMIT_WARPS},
        /* sizes no kernel has must not overflow */
        {"gtx280", {INT64_MAX, 124, INT64_MAX}, 0, 0, 0, 0, LIMIT_WARPS},
        {"h200", {INT64_MAX, INT64_MAX, INT64_MAX}, 0, 0, 0, 0, LIMIT_WARPS},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void unknown_registers_do_not_limit(void **state)
{
    static const struct occupancy_case cases[] = {
        {"fx5600", {256, 0, 0}, 3, NONE, 32, 3, LIMIT_WARPS},
        {"k20x", {1024, 0, 0}, 2, NONE, NONE, 2, LIMIT_WARPS},
    };

    (void)state;
    ASSERT_CASES(cases);
}

static void a_started_warp_counts_in_full(void **state)
{
    (void)state;
    assert_int_equal(occupancy_on("k20x", (struct kernel_resources){1, 8, 0}).warps_per_block, 1);
    assert_int_equal(occupancy_on("k20x", (struct kernel_resources){32, 8, 0}).warps_per_block, 1);
    assert_int_equal(occupancy_on("k20x", (struct kernel_resources){33, 8, 0}).warps_per_block, 2);
}

/* More of anything never makes more blocks fit. */
static void occupancy_never_grows_with_need(void **state)
{
    (void)state;
    for (size_t m = 0; m < model_count; m++) {
        const char *gpu = models[m]->name;
        int64_t last = INT64_MAX;

        for (int64_t registers = 1; registers <= 256; registers++) {
            struct kernel_resources kernel = {192, registers, 1024};
            int64_t blocks = occupancy_on(gpu, kernel).blocks_by[LIMIT_REGISTERS];

            assert_true(blocks <= last);
            last = blocks;
        }
        last = INT64_MAX;
        for (int64_t bytes = 0; bytes <= 240000; bytes += 1000) {
            struct kernel_resources kernel = {192, 16, bytes};
            int64_t blocks = occupancy_on(gpu, kernel).blocks_by[LIMIT_SHARED];

            assert_true(blocks <= last);
            last = blocks;
        }
    }
}

static void every_limit_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(occupancy_limit_name(LIMIT_WARPS), "warps");
    assert_string_equal(occupancy_limit_name(LIMIT_BLOCKS), "blocks");
    assert_string_equal(occupancy_limit_name(LIMIT_REGISTERS), "registers");
    assert_string_equal(occupancy_limit_name(LIMIT_SHARED), "shared memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_book_example_gives_eight_blocks),
        cmocka_unit_test(without_rounding_the_text_book_example_gives_its_own_figures),
        cmocka_unit_test(sm_1x_gives_registers_to_blocks),
        cmocka_unit_test(sm_1x_takes_16_bytes_of_shared_memory_from_every_block),
        cmocka_unit_test(sm_2x_gives_registers_to_warps),
        cmocka_unit_test(later_parts_round_registers_a_warp_to_256),
        cmocka_unit_test(from_sm_80_on_every_block_pays_one_kilobyte),
        cmocka_unit_test(what_is_over_a_limit_cannot_run),
        cmocka_unit_test(unknown_registers_do_not_limit),
        cmocka_unit_test(a_started_warp_counts_in_full),
        cmocka_unit_test(occupancy_never_grows_with_need),
        cmocka_unit_test(every_limit_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
