/* test_sweep_line.c - is a sweep's line read as it was written, whatever its texts hold, and is every
 * line that was cut short or changed anywhere refused or read as something else, without harm? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/line.h"
#include "sweep/run_read.h"
#include "test_support.h"

static const char runs[] =
    "{\"kernel\":\"copy\",\"gpu\":\"h200\",\n\"params\":{\"n\":-8,\"path\":\"a b\"},\n\"set\":{},\n"
    "\"occupancy\":{\"blocks_per_sm\":8,\"warps_per_sm\":32,\"max_warps_per_sm\":64,\"limit\":"
    "\"warps\",\"registers_per_thread\":null},\n\"counters\":{\"launches\":18446744073709551615},\n"
    "\"metrics\":{\"time\":1.5e-07},\n\"lines\":[]},\n"
    "{\"kernel\":\"copy\",\"gpu\":\"gtx280\",\n\"params\":{},\n\"set\":{\"sm_count\":3},\n"
    "\"error\":\"no \\\"room\\\"\\u000a\"}";

/* A line with texts of all kinds; the caller frees it. */
static char *write_line(size_t *bytes)
{
    char compiler[] = "gcc \"12\"\\", args[] = "copy --arch-file '\x01\t\xc3\xa9'",
         label[] = "copy n=1";
    const struct sweep_head head = {"0123456789abcdef", 9, 7, 2, 6, compiler, args, label};
    char *text = NULL;
    FILE *out = open_memstream(&text, bytes);
    sweep_head_put(&head, out);
    sweep_line_put_runs(runs, sizeof runs - 1, out);
    fclose(out);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    size_t bytes, report_bytes;
    char *text = write_line(&bytes), *report, message[SWEEP_MESSAGE_BYTES];
    struct sweep_line line;
    assert_int_equal(strchr(text, '\n') - text, bytes - 1);
    assert_true(sweep_line_read(&line, text, bytes - 1, message));
    assert_string_equal(line.head.sweep, "0123456789abcdef");
    assert_int_equal(line.head.jobs, 9);
    assert_int_equal(line.head.job, 7);
    assert_int_equal(line.head.shard, 2);
    assert_int_equal(line.head.shards, 6);
    assert_string_equal(line.head.compiler, "gcc \"12\"\\");
    assert_string_equal(line.head.args, "copy --arch-file '?\t\xc3\xa9'");
    assert_string_equal(line.head.label, "copy n=1");
    FILE *out = open_memstream(&report, &report_bytes);
    sweep_line_put_report(&line, out);
    fclose(out);
    assert_string_equal(report, runs);
    assert_true(sweep_line_has_failure(line.runs, line.runs_bytes));
    assert_false(sweep_line_has_failure(runs, sizeof runs - 60));
    sweep_line_free(&line);
    free(report);
    free(text);
}

static void test_entries(void **state)
{
    (void)state;
    size_t bytes;
    char *text = write_line(&bytes), message[SWEEP_MESSAGE_BYTES];
    struct sweep_line line;
    struct sweep_entries read = {0};
    assert_true(sweep_line_read(&line, text, bytes - 1, message));
    assert_true(run_read_all(&read, &line, message));
    assert_int_equal(read.count, 2);
    assert_int_equal(read.entries[0].job, 7);
    assert_string_equal(read.entries[0].label, "copy n=1");
    assert_string_equal(read.entries[0].params, "n=-8 path=a b");
    assert_string_equal(read.entries[0].changes, "");
    assert_int_equal(read.entries[0].total.launches, UINT64_MAX);
    assert_int_equal(read.entries[0].warps_per_sm, 32);
    assert_int_equal(read.entries[0].max_warps_per_sm, 64);
    assert_null(read.entries[0].error);
    assert_string_equal(read.entries[1].changes, "sm_count=3");
    assert_string_equal(read.entries[1].error, "no \"room\"\n");
    report_entries_free(read.entries, read.count);
    sweep_line_free(&line);
    free(text);
}

static void test_cut_short(void **state)
{
    (void)state;
    size_t bytes;
    char *text = write_line(&bytes), message[SWEEP_MESSAGE_BYTES];
    for (size_t keep = 0; keep < bytes - 1; keep++) {
        struct sweep_line line;
        char *part = malloc(keep ? keep : 1); /* of just that size: reading past it is seen */
        memcpy(part, text, keep);
        assert_false(sweep_line_read(&line, part, keep, message));
        assert_non_null(strstr(message, "the line is torn"));
        free(part);
    }
    free(text);
}

/* Every byte changed to some others: a refusal, or a line that can be used. */
static void test_changed(void **state)
{
    (void)state;
    static const char others[] = "\"\\{}[]:,01-e\t \x7f";
    size_t bytes, refused = 0;
    char *text = write_line(&bytes), message[SWEEP_MESSAGE_BYTES];
    for (size_t at = 0; at < bytes - 1; at++)
        for (size_t other = 0; other < sizeof others; other++) {
            struct sweep_line line;
            struct sweep_entries read = {0};
            char before = text[at];
            text[at] = others[other];
            if (!sweep_line_read(&line, text, bytes - 1, message) ||
                !run_read_all(&read, &line, message))
                refused += before != others[other];
            report_entries_free(read.entries, read.count);
            sweep_line_free(&line);
            text[at] = before;
        }
    assert_true(refused > bytes * 8); /* most of them: texts may hold anything */
    free(text);
}

static void assert_refused(const char *head, const char *tail)
{
    char text[1024], message[SWEEP_MESSAGE_BYTES];
    struct sweep_line line;
    snprintf(text, sizeof text, "{\"schema\":1,\"sweep\":\"0123456789abcdef\",%s%s", head, tail);
    assert_false(sweep_line_read(&line, text, strlen(text), message));
}

static void test_refused(void **state)
{
    (void)state;
    const char *rest = ",\"compiler\":\"\",\"args\":\"\",\"label\":\"\",\"runs\":[]}";
    assert_refused("\"jobs\":0,\"job\":0,\"shard\":\"1/1\"", rest);
    assert_refused("\"jobs\":1000001,\"job\":0,\"shard\":\"1/1\"", rest);
    assert_refused("\"jobs\":2,\"job\":2,\"shard\":\"1/1\"", rest);
    assert_refused("\"jobs\":02,\"job\":1,\"shard\":\"1/1\"", rest);
    assert_refused("\"jobs\":2,\"job\":-1,\"shard\":\"1/1\"", rest);
    assert_refused("\"jobs\":2,\"job\":18446744073709551616,\"shard\":\"1/1\"", rest);
    assert_refused("\"jobs\":2,\"job\":1,\"shard\":\"1/2\"", rest); /* another shard's job */
    assert_refused("\"jobs\":2,\"job\":1,\"shard\":\"2/1\"", rest);
    assert_refused("\"jobs\":2,\"job\":0,\"shard\":\"0/1\"", rest);
    rest = ",\"compiler\":\"\",\"args\":\"\",\"label\":\"\",\"runs\":"
           "[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}";
    assert_refused("\"jobs\":2,\"job\":1,\"shard\":\"1/1\"", rest); /* too deep */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_entries),
        cmocka_unit_test(test_cut_short),  cmocka_unit_test(test_changed),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
