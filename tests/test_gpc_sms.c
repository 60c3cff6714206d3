/* test_gpc_sms.c - SMs of each GPC against those of an H200 that got the blocks of grids
 * (validation/h200_block_order.csv; GPC of SM 0 first, the others in the order of their shares).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/rules/gpc_sms.h"

static const struct {
    uint32_t used, sms[8];
} on_h200[] = {
    {4, {4}},
    {8, {8}},
    {16, {9, 1, 1, 1, 1, 1, 1, 1}},
    {24, {10, 2, 2, 2, 2, 2, 2, 2}},
    {32, {11, 3, 3, 3, 3, 3, 3, 3}},
    {48, {12, 6, 5, 5, 5, 5, 5, 5}},
    {64, {12, 8, 8, 8, 7, 7, 7, 7}},
    {96, {16, 12, 11, 11, 11, 11, 12, 12}},
    {132, {16, 16, 16, 16, 16, 16, 18, 18}},
};

static void blocks_come_to_the_gpcs_as_on_an_h200(void **state)
{
    (void)state;
    struct arch arch = {.sm_count = 132, .gpcs = 8, .gpc_first_sms = 8};
    uint32_t sms[GPCS_MOST];
    for (size_t i = 0; i < sizeof on_h200 / sizeof *on_h200; i++) {
        gpc_sms(&arch, on_h200[i].used, sms);
        assert_memory_equal(sms, on_h200[i].sms, sizeof on_h200[i].sms);
    }
}

/* Whatever the shape of a GPU: no SM is lost. */
static void they_add_up(void **state)
{
    (void)state;
    for (uint32_t pick = 0; pick < 20000; pick++) {
        struct arch arch = {
            .sm_count = 1 + pick % 37, .gpcs = 1 + pick / 37 % 9, .gpc_first_sms = pick / 333 % 12};
        uint32_t sms[GPCS_MOST], sum = 0;
        const uint32_t used = 1 + pick % (uint32_t)arch.sm_count;
        gpc_sms(&arch, used, sms);
        for (uint32_t gpc = 0; gpc < GPCS_MOST; gpc++) {
            assert_true(sms[gpc] == 0 || gpc < arch.gpcs);
            sum += sms[gpc];
        }
        assert_int_equal(sum, used);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_come_to_the_gpcs_as_on_an_h200),
        cmocka_unit_test(they_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
