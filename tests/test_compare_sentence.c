/* test_compare_sentence.c - does a comparison's sentence name what is fastest, and the right ratios? */
#include "report/compare_sentence.h"
#include "test_support.h"

enum { KERNELS = 5 };

static struct report_entry entry(const char *label, const char *gpu, uint64_t ns, uint64_t sectors)
{
    struct report_entry entry = {.label = (char *)(uintptr_t)label, .gpu = (char *)(uintptr_t)gpu};
    entry.total.elapsed_ns = ns;
    entry.total.global_load_sectors = sectors;
    return entry;
}

static void assert_says(const struct report_entry *entries, size_t lines, size_t columns, bool gpus,
                        const char *expected)
{
    struct text t;
    compare_sentence(&t, entries, lines, columns, gpus);
    assert_string_equal(t.s, expected);
}

static void kernels_on_one_gpu(void **state)
{
    struct report_entry e[KERNELS] = {entry("a", "g", 6300, 0), entry("b", "g", 2100, 0),
                                      entry("c", "g", 2105, 0), entry("d", "g", 4200, 0),
                                      entry("e", "g", 9000, 0)};
    (void)state;
    assert_says(
        e, 1, KERNELS, false,
        "b is fastest, 2.1 us: about as fast as c (2.105 us), 2 times as fast as d (4.2 us), "
        "3 times as fast as a (6.3 us), and 1 more.");
    e[1].error = (char *)(uintptr_t) "it failed";
    assert_says(e, 1, 2, false, ""); /* nothing to compare with */
}

static void one_kernel_on_gpus(void **state)
{
    const struct report_entry timed[] = {entry("a", "g", 6300, 0), entry("a", "h", 2100, 0)};
    const struct report_entry untimed[] = {entry("a", "g", 0, 4), entry("a", "h", 0, 8)};
    (void)state;
    assert_says(timed, 1, 2, true, "a is fastest on h, 2.1 us: 3 times as fast as on g (6.3 us).");
    assert_says(untimed, 1, 2, true, "");
    assert_says(timed, 1, 1, false, "");
}

/* Two on one GPU: how often such a lead was one; one on two GPUs: nothing is known of that. */
static void ranges_that_overlap(void **state)
{
    struct report_entry e[] = {entry("a", "g", 1300, 0), entry("b", "g", 1000, 0)};
    struct text t;
    (void)state;
    for (size_t i = 0; i < 2; i++)
        e[i].range = (struct time_range){.state = TIME_RANGE_KNOWN,
                                         .low_ns = 0.5 * (double)e[i].total.elapsed_ns,
                                         .high_ns = 2 * (double)e[i].total.elapsed_ns,
                                         .family = "Hopper"};
    compare_sentence(&t, e, 1, 2, false);
    static const char begin[] =
        "b is fastest, 1 us: 1.3 times as fast as a (1.3 us). The ranges of both "
        "overlap: of ";
    assert_memory_equal(t.s, begin, sizeof begin - 1);
    assert_says(e, 1, 2, true,
                "a is fastest on g, 1 us: 1.3 times as fast as on g (1.3 us). The ranges of both "
                "overlap: the model does not tell which is faster.");
    e[0].range.low_ns = e[1].range.high_ns + 1;
    assert_says(e, 1, 2, false, "b is fastest, 1 us: 1.3 times as fast as a (1.3 us).");
    e[0].range.low_ns = 500;
    e[0].total.elapsed_ns = 1005; /* too near to each other for a lead */
    assert_says(e, 1, 2, false, "b is fastest, 1 us: about as fast as a (1.005 us).");
}

static void without_time_what_moves_least(void **state)
{
    const struct report_entry e[] = {entry("a", "g", 0, 1000), entry("b", "g", 0, 4000)};
    (void)state;
    assert_says(e, 1, 2, false,
                "a moves least, 1,000 sectors and passes: b takes 4 times as many (4,000).");
}

static void kernels_on_gpus(void **state)
{
    const struct report_entry e[] = {entry("a", "g", 6300, 0), entry("a", "h", 100, 0),
                                     entry("b", "g", 6200, 0), entry("b", "h", 200, 0)};
    (void)state;
    assert_says(e, 2, 2, true, "Fastest: on g b (6.2 us), on h a (0.1 us).");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_on_one_gpu),  cmocka_unit_test(one_kernel_on_gpus),
        cmocka_unit_test(ranges_that_overlap), cmocka_unit_test(without_time_what_moves_least),
        cmocka_unit_test(kernels_on_gpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
