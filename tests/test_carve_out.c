/* test_carve_out.c - how much of the array that L1 and shared memory divide is L1? */
#include "small_gpu.h"

#include "test_support.h"

enum { KB = 1024 };

/* Shared memory of the resident block, and what is left for L1 of an array of `array` KB. What Hopper carves out: test_l1_sets.c. */
static void l1_gets_what_the_smallest_carve_out_leaves(void **state)
{
    (void)state;
    static const struct {
        int64_t sm;
        int array, shared, most, l1;
    } cases[] = {
        {100, 256, 0, 220, 220},
        {100, 256, 36 * KB, 220, 192},
        {100, 256, 64 * KB, 220, 192},
        {100, 256, 64 * KB + 1, 220, 156},
        {100, 256, 228 * KB, 220, 28},
        {80, 192, 8 * KB, 176, 176},
        {80, 192, 32 * KB + 1, 176, 128},
        {80, 192, 164 * KB, 176, 28},
        {86, 128, 32 * KB + 1, 128, 64},
        {89, 128, 16 * KB + 1, 128, 96},
        {75, 96, 0, 96, 64},
        {75, 96, 32 * KB + 1, 96, 32},
        {70, 128, 8 * KB + 1, 128, 112},
        {72, 128, 64 * KB + 1, 128, 32},
        {35, 64, 16 * KB + 1, 48, 32},
        {30, 64, 16 * KB + 1, 48, 32},
        {37, 128, 16 * KB + 1, 112, 96},
        {20, 64, 16 * KB + 1, 48, 16},
        {21, 64, 16 * KB + 1, 48, 16},
        {20, 64, 16 * KB, 48, 48},
        {60, 64, 10 * KB, 64, 54},
        {60, 64, 65 * KB, 64, 0},
        {60, 64, 10 * KB, 24, 24},
        {100, 0, 100 * KB, 24, 24},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct arch arch = small_gpu_arch(cases[i].sm);
        arch.l1_shared_bytes = cases[i].array * KB;
        arch.l1_bytes = cases[i].most * KB;
        arch.shared_reserved_per_block = 0;
        assert_int_equal(
            sm_unit_l1_bytes(&arch, &(struct occupancy){.blocks_per_sm = 1, .warps_per_block = 8},
                             cases[i].shared),
            cases[i].l1 * KB);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(l1_gets_what_the_smallest_carve_out_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
