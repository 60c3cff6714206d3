/* test_trace_faults.c - when memory runs out or a read fails, wherever that is, do reading a trace
 * into a session and into every writer end with one message, without a leak, and never with a result
 * that is wrong?
 */
#define _GNU_SOURCE
#include "test_support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fault_points.h"
#include "models/models.h"
#include "report/report.h"
#include "session/session.h"
#include "trace_io/trace_file.h"

enum { TEXT_BYTES = 1 << 16, FAULTS_MAX = 4000, FORMATS = 5, READ_BYTES = 16 };

static const struct {
    const char *format, *file;
} inputs[FORMATS] = {
    {"binary", "binary_raw/shared_column"},        {"text", "text/random-r57"},
    {"csv", "../../data/csv_lanes.csv"},           {"nvbit", "../../data/nvbit_first.txt"},
    {"accelsim", "../../data/accelsim_v3.traceg"},
};

/* ---- A file that fails, or gives little at a time ---------------------------------------------- */

struct slow_file {
    char text[TEXT_BYTES];
    size_t bytes, at, most; /* most: that one read gives */
    uint64_t reads, failing;
};

static ssize_t slow_read(void *cookie, char *to, size_t bytes)
{
    struct slow_file *file = cookie;
    if (++file->reads == file->failing) {
        errno = EIO;
        return -1;
    }
    size_t left = file->bytes - file->at, part = bytes < file->most ? bytes : file->most;
    part = part < left ? part : left;
    memcpy(to, file->text + file->at, part);
    file->at += part;
    return (ssize_t)part;
}

static void load(struct slow_file *file, size_t input)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", CORPUS_DIR, inputs[input].file);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        fail_msg("no file %s", path);
    *file = (struct slow_file){.most = SIZE_MAX};
    file->bytes = fread(file->text, 1, sizeof file->text, stream);
    fclose(stream);
    assert_in_range(file->bytes, 1, sizeof file->text - 1);
}

static FILE *rewind_slow(struct slow_file *file, uint64_t failing)
{
    file->at = 0;
    file->reads = 0;
    file->failing = failing;
    FILE *stream = fopencookie(file, "rb", (cookie_io_functions_t){.read = slow_read});
    assert_non_null(stream);
    if (file->most < file->bytes)
        setvbuf(stream, NULL, _IONBF, 0);
    return stream;
}

/* ---- What is done with it ---------------------------------------------------------------------- */

/* What came out: a message, or the bytes of the outcome. */
struct outcome {
    char message[1024]; /* "" when all went well */
    char *text;
    size_t bytes;
};

static void outcome_free(struct outcome *outcome)
{
    free(outcome->text);
    outcome->text = NULL;
}

static void keep_message(struct outcome *outcome, const char *message)
{
    snprintf(outcome->message, sizeof outcome->message, "%s", message ? message : "");
}

static void into_session(struct trace_source source, bool rules_only, struct outcome *outcome)
{
    static struct session_gpu gpu;
    struct result result;
    gpu.model = models_find("h200");
    arch_from_model(gpu.model, &gpu.arch);
    gpu.arch.sm_count = 2; /* for speed */
    gpu.arch.l2_bytes = 128 << 10;
    const struct session_request request = {
        .source = source, .gpus = &gpu, .gpu_count = 1, .rules_only = rules_only};
    keep_message(outcome, session_run(&request, &result));
    if (outcome->message[0])
        return;
    faults_end(); /* reports are not looked at here */
    FILE *out = open_memstream(&outcome->text, &outcome->bytes);
    const struct report_options options = {0};
    report_csv(&result, 1, &options, out);
    fclose(out);
    results_free(&result, 1);
}

static void into_rules(struct trace_source source, struct outcome *outcome)
{
    into_session(source, true, outcome);
}

static void into_engine(struct trace_source source, struct outcome *outcome)
{
    into_session(source, false, outcome);
}

/* Reads a whole file of the writer's directory, then removes it. */
static void take_file(const char *directory, const char *name, FILE *out)
{
    char path[256], text[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(text, 1, sizeof text, file)) > 0;)
        fwrite(text, 1, got, out);
    if (file)
        fclose(file);
    unlink(path);
}

static void into_writer(const struct trace_format *format, struct trace_source source,
                        struct outcome *outcome)
{
    char directory[] = "/tmp/trace_faults-XXXXXX";
    struct trace_writer writer;
    FILE *out = open_memstream(&outcome->text, &outcome->bytes);
    if (out == NULL) {
        keep_message(outcome, "no memory");
        return;
    }
    if (format->makes_directory)
        assert_non_null(mkdtemp(directory));
    if (format->open(&writer, out, directory)) {
        const char *error = source.run(source.context, &writer.sink);
        const char *of_writer = writer.end(writer.state);
        keep_message(outcome, error ? error : of_writer);
        writer.free(writer.state);
    } else {
        keep_message(outcome, "no memory"); /* as cmd_trace.c says */
    }
    if (format->makes_directory) {
        take_file(directory, "kernelslist.g", out);
        take_file(directory, "kernel-1.traceg", out);
        take_file(directory, "kernel-2.traceg", out);
        assert_int_equal(rmdir(directory), 0);
    }
    fclose(out);
    if (outcome->message[0])
        outcome_free(outcome);
}

static void into_binary(struct trace_source source, struct outcome *outcome)
{
    into_writer(trace_format_named("binary"), source, outcome);
}

static void into_text(struct trace_source source, struct outcome *outcome)
{
    into_writer(trace_format_named("text"), source, outcome);
}

static void into_csv(struct trace_source source, struct outcome *outcome)
{
    into_writer(trace_format_named("csv"), source, outcome);
}

static void into_accelsim(struct trace_source source, struct outcome *outcome)
{
    into_writer(trace_format_named("accelsim"), source, outcome);
}

typedef void take(struct trace_source source, struct outcome *outcome);
static take *const takers[] = {into_rules, into_engine, into_binary,
                               into_text,  into_csv,    into_accelsim};
enum { TAKERS = sizeof takers / sizeof takers[0] };

static void run(struct slow_file *slow, size_t input, take *into, uint64_t failing_read,
                struct outcome *outcome)
{
    static struct trace_file file;
    static const struct trace_file_options options = {.format = NULL};
    *outcome = (struct outcome){.text = NULL};
    FILE *stream = rewind_slow(slow, failing_read);
    trace_file_start(&file, stream, "trace", trace_format_named(inputs[input].format), &options);
    into(trace_file_source(&file), outcome);
    trace_file_close(&file);
}

/* ---- The tests --------------------------------------------------------------------------------- */

static void assert_one_line(const char *message)
{
    assert_true(message[0] != '\0');
    assert_null(strchr(message, '\n'));
}

static void assert_same(const struct outcome *got, const struct outcome *expected)
{
    assert_string_equal(got->message, "");
    assert_int_equal(got->bytes, expected->bytes);
    assert_memory_equal(got->text, expected->text, got->bytes);
}

/* Fails the 1st, 2nd, ... call until none is left to fail. */
static void fail_each_call(size_t input, take *into)
{
    static struct slow_file slow;
    struct outcome expected, got;
    load(&slow, input);
    run(&slow, input, into, 0, &expected);
    assert_string_equal(expected.message, "");
    for (uint64_t n = 1;; n++) {
        assert_in_range(n, 1, FAULTS_MAX);
        faults_begin(n);
        run(&slow, input, into, 0, &got);
        bool failed = faults_end();
        if (got.message[0])
            assert_one_line(got.message);
        else
            assert_same(&got, &expected); /* done without what it could not have */
        outcome_free(&got);
        if (faults_blocks_left())
            fail_msg("%s: %zu blocks are not freed when call %llu fails: %s", inputs[input].format,
                     faults_blocks_left(), (unsigned long long)n, got.message);
        if (!failed)
            break;
    }
    outcome_free(&expected);
}

static void every_call_for_memory_may_fail(void **state)
{
    (void)state;
    for (size_t input = 0; input < FORMATS; input++)
        for (size_t i = 0; i < TAKERS; i++)
            fail_each_call(input, takers[i]);
}

static void every_read_may_fail(void **state)
{
    static struct slow_file slow;
    (void)state;
    for (size_t input = 0; input < FORMATS; input++) {
        struct outcome got;
        load(&slow, input);
        slow.most = READ_BYTES;
        for (uint64_t n = 1; n <= slow.bytes / READ_BYTES + 1; n++) {
            faults_begin(0);
            run(&slow, input, into_rules, n, &got);
            faults_end();
            assert_string_equal(got.message, "trace: cannot read: Input/output error");
            assert_int_equal(faults_blocks_left(), 0);
        }
    }
}

static void short_reads_change_nothing(void **state)
{
    static struct slow_file slow;
    (void)state;
    for (size_t input = 0; input < FORMATS; input++)
        for (size_t i = 0; i < TAKERS; i++) {
            struct outcome expected, got;
            load(&slow, input);
            run(&slow, input, takers[i], 0, &expected);
            slow.most = 1;
            run(&slow, input, takers[i], 0, &got);
            assert_same(&got, &expected);
            outcome_free(&got);
            outcome_free(&expected);
        }
}

static void without_threads_the_result_is_the_same(void **state)
{
    static struct slow_file slow;
    (void)state;
    for (size_t input = 0; input < FORMATS; input++) {
        struct outcome expected, got;
        load(&slow, input);
        run(&slow, input, into_engine, 0, &expected);
        faults_refuse_threads(true);
        run(&slow, input, into_engine, 0, &got);
        faults_refuse_threads(false);
        assert_same(&got, &expected);
        outcome_free(&got);
        outcome_free(&expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_call_for_memory_may_fail),
        cmocka_unit_test(every_read_may_fail),
        cmocka_unit_test(short_reads_change_nothing),
        cmocka_unit_test(without_threads_the_result_is_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
