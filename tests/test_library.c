/* test_library.c - does the public API give the same counters as the command line?
 *
 * Recorded kernels of the gallery, read through the API, are held against the session that the command
 * line uses, to the byte of the reports. */
#define _GNU_SOURCE
#include "library_runs.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "models/models.h"
#include "report/report.h"

/* ---- The same as the command line ---------------------------------------------------------------- */

static void assert_same_counters(const struct warplens_counts *counts,
                                 const struct counters *expected, bool whole)
{
    for (size_t i = 0; i < counter_count; i++) {
        uint64_t value = UINT64_MAX;
        if (warplens_counter(counts, counter_table[i].name, &value))
            assert_int_equal(value, counters_get(expected, &counter_table[i]));
        else if (whole)
            fail_msg("%s is not there", counter_table[i].name);
    }
}

static void assert_same_metrics(const struct warplens_counts *counts,
                                const struct counters *expected)
{
    for (size_t i = 0; i < metric_count; i++) {
        double value = 0, wanted = 0;
        bool has = metric_table[i].value(expected, &wanted);
        assert_int_equal(warplens_value(counts, metric_table[i].name, &value), has);
        if (has)
            assert_true(value == wanted);
    }
}

static void assert_same_profiler(const struct warplens_counts *counts, const struct result *result)
{
    size_t shown = 0;
    for (size_t i = 0; i < profiler_counter_count; i++) {
        double value = 0, wanted = 0;
        if (!(profiler_table[i].profilers & result->rules.profiler))
            continue;
        bool has = profiler_table[i].value(&result->total, &wanted);
        assert_int_equal(warplens_profiler_value(counts, profiler_table[i].name, &value), has);
        if (has)
            assert_true(value == wanted);
        shown += has;
    }
    assert_true(shown > 0);
}

static struct counters sum_of_parts(const struct result_part *parts, size_t count,
                                    const struct warplens_counts *of)
{
    struct counters sum = {0};
    for (size_t i = 0; i < count; i++)
        if (strcmp(parts[i].array ? parts[i].array : parts[i].file, warplens_counts_name(of)) ==
                0 &&
            parts[i].line == warplens_counts_line(of))
            counters_add(&sum, parts[i].counters);
    return sum;
}

static void check_parts(struct warplens_run *run, size_t gpu, const struct result *result)
{
    assert_true(warplens_line_count(run) > 1 && warplens_array_count(run) > 1);
    for (size_t i = 0; i < warplens_line_count(run); i++) {
        const struct warplens_counts *line = warplens_line_at(run, gpu, i);
        struct counters sum = sum_of_parts(result->lines, result->line_count, line);
        assert_same_counters(line, &sum, false);
        assert_ptr_equal(
            line, warplens_line(run, gpu, warplens_counts_name(line), warplens_counts_line(line)));
    }
    for (size_t i = 0; i < warplens_array_count(run); i++) {
        const struct warplens_counts *array = warplens_array_at(run, gpu, i);
        struct counters sum = sum_of_parts(result->arrays, result->array_count, array);
        assert_same_counters(array, &sum, false);
        assert_ptr_equal(array, warplens_array(run, gpu, warplens_counts_name(array)));
    }
}

static void check_launches(struct warplens_run *run, size_t gpu, const struct result *result)
{
    uint32_t grid[3], block[3];
    assert_int_equal(warplens_launch_count(run), result->launch_count);
    for (size_t i = 0; i < result->launch_count; i++) {
        const struct warplens_counts *launch = warplens_launch_at(run, gpu, i);
        assert_same_counters(launch, &result->launches[i].counters, true);
        assert_true(warplens_counts_shape(launch, grid, block));
        assert_memory_equal(grid, result->launches[i].grid, sizeof grid);
        assert_memory_equal(block, result->launches[i].block, sizeof block);
    }
    assert_false(warplens_counts_shape(warplens_total(run, gpu), grid, block));
    assert_int_equal(grid[0], 0);
}

static void
check_report(struct warplens_run *run, const struct result *results, enum warplens_format format,
             void (*write)(const struct result *, size_t, const struct report_options *, FILE *))
{
    char *wanted, *got = library_report(run, format);
    size_t bytes;
    FILE *out = open_memstream(&wanted, &bytes);
    write(results, 2, &(struct report_options){0}, out);
    fclose(out);
    assert_string_equal(got, wanted);
    free(wanted);
    free(got);
}

static void gives_what_the_command_line_gives(void **state)
{
    static const char *const kernels[] = {"transpose", "reduce0", "transposeNoBankConflicts"};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        struct library_kernel_run of;
        library_open_kernel_run(&of, kernels[k]);
        struct warplens_run *run = library_read_kernel_run(&of);
        for (size_t gpu = 0; gpu < 2; gpu++) {
            const struct warplens_counts *total = warplens_total(run, gpu);
            assert_same_counters(total, &of.results[gpu].total, true);
            assert_same_metrics(total, &of.results[gpu].total);
            assert_same_profiler(total, &of.results[gpu]);
            check_parts(run, gpu, &of.results[gpu]);
            check_launches(run, gpu, &of.results[gpu]);
        }
        check_report(run, of.results, WARPLENS_TEXT, report_text);
        check_report(run, of.results, WARPLENS_JSON, report_json);
        check_report(run, of.results, WARPLENS_CSV, report_csv);
        warplens_run_free(run);
        library_close_kernel_run(&of);
    }
}

/* What no line has a part in, and only that, is refused for lines. */
static void refuses_counters_of_launches_for_lines(void **state)
{
    struct library_kernel_run of;
    (void)state;
    library_open_kernel_run(&of, "transpose");
    struct warplens_run *run = library_read_kernel_run(&of);
    for (size_t i = 0; i < counter_count; i++) {
        uint64_t sum = 0, value, total;
        bool refused = false;
        for (size_t l = 0; l < warplens_line_count(run); l++) {
            bool given =
                warplens_counter(warplens_line_at(run, 0, l), counter_table[i].name, &value);
            refused |= !given;
            sum += given ? value : 0;
        }
        ASSERT(run, warplens_counter(warplens_total(run, 0), counter_table[i].name, &total));
        if (total > 0 && refused != (sum == 0))
            fail_msg("%s: %" PRIu64 " in all, %" PRIu64 " of lines", counter_table[i].name, total,
                     sum);
    }
    warplens_run_free(run);
    library_close_kernel_run(&of);
}

static void *read_and_report(void *context)
{
    struct warplens_run *run = library_read_kernel_run(context);
    char *text = library_report(run, WARPLENS_JSON);
    warplens_run_free(run);
    return text;
}

static void runs_of_threads_do_not_meet(void **state)
{
    struct library_kernel_run of;
    pthread_t threads[4];
    (void)state;
    library_open_kernel_run(&of, "transpose");
    char *alone = read_and_report(&of);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_and_report, &of), 0);
    for (size_t i = 0; i < 4; i++) {
        void *text;
        pthread_join(threads[i], &text);
        assert_string_equal(text, alone);
        free(text);
    }
    free(alone);
    library_close_kernel_run(&of);
}

static void lists_what_there_is(void **state)
{
    struct warplens_item item;
    size_t gpus = 0;
    (void)state;
    while (warplens_list(WARPLENS_GPUS, gpus, &item))
        gpus++;
    assert_int_equal(gpus, model_count);
    assert_true(warplens_list(WARPLENS_COUNTERS, 0, &item));
    assert_string_equal(item.name, "launches");
    assert_true(warplens_list(WARPLENS_FIELDS, 0, &item));
    assert_string_equal(item.name, "sm");
    assert_true(warplens_list(WARPLENS_RATIOS, metric_count - 1, &item));
    assert_false(warplens_list(WARPLENS_RATIOS, metric_count, &item));
    assert_true(warplens_list(WARPLENS_PROFILER_COUNTERS, 0, &item));
    assert_false(warplens_list((enum warplens_list)9, 0, &item));
    assert_int_equal(strncmp(warplens_version(), "0.", 2), 0);
}

/* A launch that is complete, with a fault, and one that was stopped. */
static const char faulty[] =
    "warplens text trace 1\n"
    "array a bytes=128 base=0x2a0000000\n"
    "launch good grid=1 block=32\n"
    "  block 0 warp 0\n    st.global.b32 base=a\n  end\n"
    "fault out_of_bounds count=7 file=a.cu line=3 array=a op=store bytes=4 offset=128 of=128 "
    "block=0,1,2 thread=3,4,5 text=\"beyond a\"\n"
    "endlaunch\n"
    "launch bad grid=1 block=32\n"
    "  block 0 warp 0\n    st.global.b32 base=a\n  end\n"
    "fault stopped stops count=1 file=a.cu line=9 text=\"a trap\"\n";

static struct warplens_run *read_text(const char *text, bool fine)
{
    struct warplens_run *run = warplens_run_new();
    FILE *stream = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    assert_non_null(stream);
    assert_int_equal(warplens_read_stream(run, stream, "memory", NULL), fine);
    fclose(stream);
    return run;
}

static void gives_faults(void **state)
{
    struct warplens_fault fault;
    uint64_t launches;
    struct warplens_run *run = read_text(faulty, true);
    (void)state;
    assert_int_equal(warplens_fault_count(run), 2);
    assert_true(warplens_has_failed(run));
    assert_true(warplens_get_fault(run, 0, &fault));
    assert_string_equal(fault.kind, "stopped");
    assert_string_equal(fault.kernel, "bad");
    assert_true(fault.stops && fault.count == 1 && fault.width == 0 && fault.line == 9);
    assert_true(warplens_get_fault(run, 1, &fault));
    assert_string_equal(fault.kind, "out_of_bounds");
    assert_string_equal(fault.text, "beyond a");
    assert_string_equal(fault.array, "a");
    assert_true(!fault.stops && fault.count == 7 && fault.op == WARPLENS_STORE);
    assert_true(fault.width == 4 && fault.offset == 128 && fault.array_bytes == 128);
    assert_true(fault.block[2] == 2 && fault.thread[0] == 3);
    assert_false(warplens_get_fault(run, 2, &fault));
    assert_string_equal(warplens_message(run), "no fault 2: the run has 2, numbered from 0");
    assert_false(warplens_expect_no_faults(run));
    assert_non_null(strstr(warplens_message(run), "8 faults: 7 out_of_bounds, 1 stopped."));
    assert_true(warplens_counter(warplens_total(run, 0), "launches", &launches));
    assert_int_equal(launches, 1);
    warplens_run_free(run);
}

static void has_no_results_without_a_complete_launch(void **state)
{
    struct warplens_run *run =
        read_text("warplens text trace 1\nlaunch bad grid=1 block=32\n"
                  "fault stopped stops count=1 file=a.cu line=9 text=\"a trap\"\n",
                  false);
    (void)state;
    assert_string_equal(warplens_message(run), "no launch was complete: a trap");
    assert_int_equal(warplens_fault_count(run), 0);
    assert_false(warplens_has_failed(run));
    warplens_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_what_the_command_line_gives),
        cmocka_unit_test(refuses_counters_of_launches_for_lines),
        cmocka_unit_test(runs_of_threads_do_not_meet),
        cmocka_unit_test(lists_what_there_is),
        cmocka_unit_test(gives_faults),
        cmocka_unit_test(has_no_results_without_a_complete_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
