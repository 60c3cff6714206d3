/* test_library_errors.c - does the public API have a message for everything that is wrong, and go on
 * safely? */
#define _GNU_SOURCE
#include "library_runs.h"

#include <string.h>

/* ---- What is wrong with settings -------------------------------------------------------------------- */

static void refuses_settings(void **state)
{
    struct warplens_run *run = warplens_run_new();
    int64_t value;
    (void)state;
    assert_string_equal(warplens_message(run), "");
    assert_false(warplens_add_gpu(run, "gtx28"));
    library_assert_says(run, "unknown GPU gtx28; did you mean gtx280");
    assert_false(warplens_add_gpu(run, NULL));
    assert_false(warplens_set_field(run, 0, "sm_count", 3));
    library_assert_says(run, "no GPU 0: the run has 0");
    ASSERT(run, warplens_add_gpu(run, "h200"));
    assert_false(warplens_set_field(run, 0, "sm_cout", 3));
    library_assert_says(run, "unknown field sm_cout of GPUs; did you mean sm_count");
    assert_false(warplens_set_field(run, 0, "sm_count", -3));
    library_assert_says(run, "sm_count=-3: allowed is 1 to ");
    assert_false(warplens_get_field(run, 0, NULL, &value));
    assert_false(warplens_set_registers(run, 256));
    library_assert_says(run, "256 registers a thread: allowed are 1 to 255");
    for (size_t i = 1; i < 64; i++)
        ASSERT(run, warplens_add_gpu(run, "sm_13"));
    assert_false(warplens_add_gpu(run, "h200"));
    library_assert_says(run, "more than 64 GPUs");
    ASSERT(run, warplens_set_field(run, 0, "dram_partitions", 40));
    assert_false(warplens_launch_begin(run, NULL));
    library_assert_says(run, "h200: l2_slices must be a multiple of dram_partitions");
    assert_false(warplens_finish(run));
    library_assert_says(run, "nothing was launched");
    warplens_run_free(run);
}

static void refuses_what_is_of_another_stage(void **state)
{
    struct warplens_run *run = warplens_run_new();
    const struct warplens_launch launch = {.kernel = "k", .grid = {1}, .block = {32}};
    (void)state;
    assert_null(warplens_total(run, 0));
    library_assert_says(run, "a run cannot give results now: it has no accesses yet");
    assert_false(warplens_expect_total_at_most(run, "warps", 1000));
    library_assert_says(run, "a run cannot be held to anything now");
    assert_false(warplens_launch_end(run));
    assert_false(warplens_add_access(run, NULL));
    assert_false(warplens_report(run, WARPLENS_TEXT, stdout));
    assert_int_equal(warplens_line_count(run), 0);
    ASSERT(run, warplens_launch_begin(run, &launch));
    assert_false(warplens_add_gpu(run, "h200"));
    library_assert_says(run, "a run cannot get another GPU now: it is taking accesses");
    assert_false(warplens_read_trace(run, "x", NULL));
    ASSERT(run, warplens_launch_end(run) && warplens_finish(run));
    assert_false(warplens_set_rules_only(run, true));
    library_assert_says(run, "make another run");
    assert_false(warplens_launch_begin(run, &launch));
    assert_false(warplens_finish(run));
    assert_false(warplens_report(run, (enum warplens_format)7, stdout));
    assert_false(warplens_report(run, WARPLENS_TEXT, NULL));
    warplens_run_free(run);
}

static void takes_null_for_a_run(void **state)
{
    double value;
    uint64_t count;
    (void)state;
    assert_non_null(warplens_message(NULL));
    assert_false(warplens_add_gpu(NULL, "h200") || warplens_read_trace(NULL, "x", NULL) ||
                 warplens_read_trace(NULL, NULL, NULL) || warplens_launch_begin(NULL, NULL) ||
                 warplens_add_access(NULL, NULL) || warplens_add_barrier(NULL, 0, 0) ||
                 warplens_end_warp(NULL, 0, 0) || warplens_launch_end(NULL) ||
                 warplens_finish(NULL) || warplens_report(NULL, WARPLENS_TEXT, stdout) ||
                 warplens_set_rules_only(NULL, true) || warplens_set_cold_launches(NULL, true) ||
                 warplens_set_registers(NULL, 1) || warplens_set_field(NULL, 0, "sm", 1));
    assert_null(warplens_total(NULL, 0));
    assert_null(warplens_line_at(NULL, 0, 0));
    assert_null(warplens_counts_name(NULL));
    assert_false(warplens_value(NULL, "warps", &value) || warplens_counter(NULL, "warps", &count) ||
                 warplens_profiler_value(NULL, "x", &value) ||
                 warplens_expect(NULL, "warps", 0, 1) ||
                 warplens_expect_total_at_most(NULL, "warps", 1));
    assert_int_equal(warplens_launch_count(NULL) + warplens_gpu_count(NULL), 0);
    warplens_run_free(NULL);
}

/* ---- What is wrong with traces ------------------------------------------------------------------------ */

static void assert_no_trace(char *bytes, size_t count, const char *part)
{
    struct warplens_run *run = warplens_run_new();
    FILE *in = fmemopen(bytes, count, "rb");
    assert_false(warplens_read_stream(run, in, "the stream", NULL));
    library_assert_says(run, part);
    library_assert_says(run, "the stream");
    assert_null(warplens_total(run, 0)); /* the message stays */
    library_assert_says(run, part);
    fclose(in);
    warplens_run_free(run);
}

static void refuses_traces(void **state)
{
    static const struct {
        const char *path, *format, *part;
    } wrong[] = {
        {"/nowhere/x.wlt", NULL, "/nowhere/x.wlt: No such file"},
        {"/", NULL, "is a directory"},
        {NULL, NULL, "without a path"},
        {"/nowhere/x.wlt", "binari", "unknown trace format binari; did you mean binary"},
    };
    struct library_kernel_run of;
    char text[] = "no trace at all";
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct warplens_run *run = warplens_run_new();
        const struct warplens_trace_options options = {.format = wrong[i].format};
        assert_false(warplens_read_trace(run, wrong[i].path, &options));
        library_assert_says(run, wrong[i].part);
        warplens_run_free(run);
    }
    struct warplens_run *run = warplens_run_new();
    assert_false(warplens_read_stream(run, NULL, "x", NULL));
    library_assert_says(run, "without a stream");
    warplens_run_free(run);
    assert_no_trace(text, sizeof text, "is no trace");
    library_open_kernel_run(&of, "transpose");
    assert_no_trace(of.trace, of.trace_bytes / 2, "the stream: ");
    of.trace[of.trace_bytes / 2] ^= 1;
    assert_no_trace(of.trace, of.trace_bytes, "the stream: ");
    library_close_kernel_run(&of);
}

/* ---- What is wrong with launches and accesses --------------------------------------------------------- */

static const struct warplens_launch good_launch = {
    .kernel = "k", .grid = {4}, .block = {48}, .shared_bytes = 1024};
static const struct warplens_access good_access = {
    .file = "k.cu", .line = 7, .width = 4, .block = 1, .mask = WARPLENS_ALL_LANES, .stride = 4};

static void refuses_launches(void **state)
{
    const struct warplens_array beyond = {"a", UINT64_C(1) << 47, UINT64_C(1) << 48, false};
    const struct warplens_array unprintable = {"a\n", 0, 1, false};
    const struct {
        struct warplens_launch launch;
        const char *part;
    } wrong[] = {
        {{.kernel = NULL, .grid = {1}, .block = {1}}, "a launch needs a kernel's name"},
        {{.kernel = "a\tb", .grid = {1}, .block = {1}}, "printable"},
        {{.kernel = "k", .grid = {0}, .block = {1}}, "a grid of 0 x 1 x 1"},
        {{.kernel = "k", .grid = {1}, .block = {64, 32}}, "allowed are 1 to 1024 threads"},
        {{.kernel = "k", .grid = {UINT32_MAX}, .block = {1}}, "a grid of 4294967295"},
        {{.kernel = "k", .grid = {1}, .block = {1}, .shared_bytes = 1 << 20}, "1048576 bytes"},
        {{.kernel = "k", .grid = {1}, .block = {1}, .registers = 300}, "300 registers"},
        {{.kernel = "k", .grid = {1}, .block = {1}, .array_count = 1}, "arrays: allowed"},
        {{.kernel = "k", .grid = {1}, .block = {1}, .arrays = &beyond, .array_count = 1},
         "beyond the address space"},
        {{.kernel = "k", .grid = {1}, .block = {1}, .arrays = &unprintable, .array_count = 1},
         "control characters"},
        {{.kernel = "k", .grid = {1}, .block = {1024}}, "gtx280 allows 1 to 512"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct warplens_run *run = warplens_run_new();
        ASSERT(run, warplens_add_gpu(run, "gtx280"));
        assert_false(warplens_launch_begin(run, &wrong[i].launch));
        library_assert_says(run, wrong[i].part);
        assert_false(warplens_finish(run));
        library_assert_says(run, wrong[i].part);
        warplens_run_free(run);
    }
}

/* Pushes an access and finishes: false, and the message has the part. */
static void assert_refused(const struct warplens_access *access, const char *part)
{
    struct warplens_run *run = warplens_run_new();
    ASSERT(run, warplens_launch_begin(run, &good_launch));
    ASSERT(run, warplens_add_access(run, &good_access));
    assert_false(warplens_add_access(run, access));
    library_assert_says(run, part);
    assert_false(warplens_add_access(run, &good_access));
    assert_false(warplens_launch_end(run));
    assert_false(warplens_finish(run));
    assert_null(warplens_total(run, 0));
    library_assert_says(run, part);
    warplens_run_free(run);
}

static void refuses_accesses(void **state)
{
    static const uint64_t addresses[32] = {[5] = 6};
    struct warplens_access a;
    (void)state;
    assert_refused(NULL, "an access that is NULL");
#define REFUSED(change, part)                                                                      \
    a = good_access;                                                                               \
    change;                                                                                        \
    assert_refused(&a, part)
    REFUSED(a.width = 0, "no access that there is");
    REFUSED(a.width = 3, "no access that there is");
    REFUSED(a.width = 260, "k.cu:7: width 260");
    REFUSED(a.space = (enum warplens_space)9, "k.cu:7: space 9, operation 0");
    REFUSED(a.op = (enum warplens_op)(256 + 1), "operation 257");
    REFUSED(a.space = WARPLENS_CONSTANT; a.op = WARPLENS_STORE, "no access that there is");
    REFUSED(a.flags = 4, "flags 0x4");
    REFUSED(a.instructions = 65536, "65536 instructions");
    REFUSED(a.mask = 0, "active lanes 0x00000000");
    REFUSED(a.resident = 1, "active lanes 0xffffffff of 0x00000001");
    REFUSED(a.warp = 1, "the warp has 0x0000ffff");
    REFUSED(a.warp = 2, "a block has warps 0 to 1");
    REFUSED(a.block = 0, "expected is one from 2 to 3");
    REFUSED(a.block = 4, "expected is one from 2 to 3");
    REFUSED(a.base = 2, "is misaligned");
    REFUSED(a.stride = INT64_MIN; a.mask = 1 << 3, "beyond");
    REFUSED(a.stride = INT64_MIN, "beyond");
    REFUSED(a.base = UINT64_C(1) << 48, "is beyond 0x1000000000000");
    REFUSED(a.addresses = addresses, "lane 5: address 0x6 is misaligned");
    REFUSED(a.file = "a\nb", "control characters");
    REFUSED(a.space = WARPLENS_SHARED;
            a.base = 1000, "k.cu:7: block 1, warp 0, lane 6: shared address 0x400 is beyond");
    REFUSED(a.space = WARPLENS_CONSTANT; a.base = 65536, "is beyond 0x10000");
#undef REFUSED
}

static void refuses_wrong_order(void **state)
{
    static bool (*const calls[])(struct warplens_run *) = {warplens_launch_end, warplens_finish};
    (void)state;
    struct warplens_run *run = warplens_run_new();
    ASSERT(run, warplens_launch_begin(run, &good_launch));
    assert_false(warplens_launch_begin(run, &good_launch));
    library_assert_says(run, "that of k has not ended");
    warplens_run_free(run);
    for (size_t i = 0; i < 2; i++) {
        run = warplens_run_new();
        ASSERT(run, warplens_launch_begin(run, &good_launch));
        if (i == 0)
            ASSERT(run, warplens_launch_end(run));
        assert_false(calls[i](run));
        library_assert_says(run, i == 0 ? "outside of a launch" : "has not ended");
        warplens_run_free(run);
    }
    run = warplens_run_new();
    ASSERT(run, warplens_launch_begin(run, &good_launch));
    ASSERT(run, warplens_end_warp(run, 0, 0));
    assert_false(warplens_add_barrier(run, 0, 0));
    library_assert_says(run, "a step of warp 0 of block 0, which has ended");
    warplens_run_free(run);
    run = warplens_run_new(); /* given up in the middle */
    ASSERT(run, warplens_launch_begin(run, &good_launch));
    ASSERT(run, warplens_add_access(run, &good_access));
    warplens_run_free(run);
}

/* ---- What is wrong with questions --------------------------------------------------------------------- */

static void refuses_questions(void **state)
{
    struct warplens_run *run = warplens_run_new();
    uint64_t count = 17;
    double value = 17;
    (void)state;
    ASSERT(run, warplens_set_rules_only(run, true) && warplens_add_gpu(run, "gtx280"));
    ASSERT(run, library_push_kernel(run));
    const struct warplens_counts *total = warplens_total(run, 0);
    assert_false(warplens_counter(total, "global_load_secters", &count));
    library_assert_says(run,
                        "unknown counter global_load_secters; did you mean global_load_sectors");
    assert_false(warplens_value(total, "gld_effi", &value));
    library_assert_says(run, "did you mean gld_efficiency");
    assert_false(warplens_counter(total, NULL, &count));
    assert_false(warplens_value(total, NULL, &value));
    assert_false(warplens_counter(total, "gld_efficiency", &count));
    library_assert_says(run, "gld_efficiency is a ratio: warplens_value gives it");
    assert_false(warplens_counter(total, "elapsed_ns", &count));
    library_assert_says(run, "which rules_only leaves out");
    assert_false(warplens_value(total, "time", &value));
    library_assert_says(run, "time has no value: nothing of its kind happened, or rules_only");
    assert_false(warplens_value(total, "dram__sectors_read.sum", &value));
    library_assert_says(run, "is shown by the profilers of other GPUs alone");
    assert_false(warplens_counter(warplens_line(run, 0, "kernel.cu", 1), "warps", &count));
    library_assert_says(run,
                        "kernel.cu:1 on gtx280: warps is counted for launches and the whole run");
    assert_false(warplens_value(warplens_array(run, 0, "in"), "gld_32b", &value));
    library_assert_says(run, "array in on gtx280: gld_32b is shown for launches and the whole run");
    assert_null(warplens_line(run, 0, "kernel.cu", 9));
    library_assert_says(
        run, "kernel.cu:9 has no memory access; lines of kernel.cu that have: 1, 2, 3, 4");
    assert_null(warplens_line(run, 0, "kernl.cu", 1));
    library_assert_says(run, "did you mean kernel.cu");
    assert_null(warplens_array(run, 0, "tyle"));
    library_assert_says(run, "no array tyle is accessed; did you mean tile");
    assert_null(warplens_total(run, 1));
    library_assert_says(run, "no GPU 1: the run has 1");
    assert_null(warplens_array_at(run, 0, 3));
    assert_null(warplens_gpu_name(run, 1));
    assert_false(warplens_expect_line_at_least(run, "kernel.cu", 9, "gld_efficiency", 0));
    assert_false(warplens_expect_array_at_most(run, "tyle", "shared_load_conflicts", 0));
    assert_int_equal(count, 17);
    assert_true(value == 17);
    warplens_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_settings),     cmocka_unit_test(refuses_what_is_of_another_stage),
        cmocka_unit_test(takes_null_for_a_run), cmocka_unit_test(refuses_traces),
        cmocka_unit_test(refuses_launches),     cmocka_unit_test(refuses_accesses),
        cmocka_unit_test(refuses_wrong_order),  cmocka_unit_test(refuses_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
