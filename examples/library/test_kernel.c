/* test_kernel.c - a kernel's memory accesses under test, with cmocka: run by a CI without a GPU. The
 * trace is named by TRACE: `warplens trace record transpose -o transpose.wlt` makes this one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <warplens/warplens.h>

/* For asserts that say why. */
#define EXPECT(run, expectation)                                                                   \
    do {                                                                                           \
        if (!(expectation))                                                                        \
            fail_msg("%s", warplens_message(run));                                                 \
    } while (0)

static int read_trace(void **state)
{
    const char *path = getenv("TRACE");
    struct warplens_run *run = warplens_run_new();
    *state = run;
    if (warplens_add_gpu(run, "gtx280") && warplens_set_rules_only(run, true) &&
        warplens_read_trace(run, path ? path : "transpose.wlt", NULL))
        return 0;
    print_error("%s\n", warplens_message(run));
    return 1;
}

static int free_run(void **state)
{
    warplens_run_free(*state);
    return 0;
}

static void loads_and_stores_are_coalesced(void **state)
{
    EXPECT(*state, warplens_expect_line_at_least(*state, "transpose.c", 38, "gld_efficiency", 100));
    EXPECT(*state, warplens_expect_line_at_least(*state, "transpose.c", 46, "gst_efficiency", 100));
}

static void tile_has_no_conflicts(void **state)
{
    EXPECT(*state, warplens_expect_array_at_most(*state, "block", "shared_load_conflicts", 0));
    EXPECT(*state, warplens_expect_array_at_most(*state, "block", "shared_store_conflicts", 0));
}

static void moves_every_sector_once(void **state)
{
    const double matrix_sectors = 2048.0 * 2048 * 4 / 32;
    EXPECT(*state, warplens_expect_total_at_most(*state, "global_load_sectors", matrix_sectors));
    EXPECT(*state, warplens_expect_total_at_most(*state, "global_store_sectors", matrix_sectors));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_and_stores_are_coalesced),
        cmocka_unit_test(tile_has_no_conflicts),
        cmocka_unit_test(moves_every_sector_once),
    };
    return cmocka_run_group_tests(tests, read_trace, free_run);
}
