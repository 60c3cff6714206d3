/* test_limit.c - is a limit read as it was meant, met exactly when its value is within it, and an error when
 * it says nothing? And does XML stay well formed whatever names are in it? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "gate/gate.h"
#include "gate_sheets.h"
#include "test_support.h"

static struct limit read_limit(const char *text, bool is_least)
{
    struct limit limit;
    char message[LIMIT_MESSAGE_BYTES];
    if (!limit_read(&limit, text, is_least, message))
        fail_msg("%s", message);
    return limit;
}

static void test_forms(void **state)
{
    (void)state;
    struct limit whole = read_limit("gld_efficiency=80.5", true);
    assert_int_equal(whole.place, LIMIT_WHOLE);
    assert_string_equal(whole.quantity, "gld_efficiency");
    assert_true(whole.is_least && whole.bound == 80.5);
    struct limit line = read_limit("src/a b:c.cu:12:gst_efficiency@sm_13=1e2", false);
    assert_int_equal(line.place, LIMIT_LINE);
    assert_string_equal(line.name, "a b:c.cu");
    assert_int_equal(line.line, 12);
    assert_string_equal(line.gpu, "gtx280");
    assert_true(!line.is_least && line.bound == 100);
    struct limit array = read_limit("array a=b:c@d:shared_load_conflicts@my-gpu=0", false);
    assert_int_equal(array.place, LIMIT_ARRAY);
    assert_string_equal(array.name, "a=b:c@d");
    assert_string_equal(array.gpu, "my-gpu");
    struct limit kernel = read_limit("kernel tile<float, 2>:dram__sectors_read.sum=3", false);
    assert_int_equal(kernel.place, LIMIT_KERNEL);
    assert_string_equal(kernel.name, "tile<float, 2>");
    assert_string_equal(kernel.quantity, "dram__sectors_read.sum");
}

/* What is written is read again as the same. */
static void test_subjects(void **state)
{
    static const char *const texts[] = {"time", "a.cu:3:gld_efficiency", "array x y:warp_accesses",
                                        "kernel f@2:blocks@h200"};
    char with_value[128], text[LIMIT_TEXT_BYTES];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        snprintf(with_value, sizeof with_value, "%s=1", texts[i]);
        struct limit limit = read_limit(with_value, true);
        assert_string_equal(limit_subject(&limit, text), texts[i]);
    }
}

static void test_refused(void **state)
{
    static const char *const texts[] = {"",
                                        "=",
                                        "time",
                                        "time=",
                                        "=1",
                                        "time=-1",
                                        "time=nan",
                                        "time=1%",
                                        "time=0x1",
                                        "time=1e999",
                                        ":time=1",
                                        "a:time=1",
                                        "a:0:time=1",
                                        "a:1234567890:time=1",
                                        ":3:time=1",
                                        "array :time=1",
                                        "array:time=1",
                                        "time@=1",
                                        "tim=1",
                                        "kernel f:=1"};
    struct limit limit;
    char message[LIMIT_MESSAGE_BYTES];
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        message[0] = '\0';
        if (limit_read(&limit, texts[i], true, message))
            fail_msg("%s is read", texts[i]);
        assert_true(message[0] != '\0' && strchr(message, '\n') == NULL);
    }
}

#define LOADS(requested, moved)                                                                    \
    "\"global_load_bytes_requested\":" requested ",\"global_load_bytes_moved\":" moved

static enum limit_status status_of(const struct sheet *sheet, const char *text, bool is_least)
{
    struct limit limit = read_limit(text, is_least);
    return limit_check(&limit, sheet).status;
}

static void test_bounds(void **state)
{
    (void)state;
    struct sheets sheets = gate_sheets(
        GATE_RUN("k", "h200", GATE_NCU, LOADS("64", "128"),
                 GATE_LINE("k.cu", "7", "global", "load", "in", LOADS("48", "64")) "," GATE_LINE(
                     "k.cu", "9", "global", "load", "in", LOADS("16", "64"))));
    const struct sheet *sheet = &sheets.sheets[0];
    assert_int_equal(status_of(sheet, "gld_efficiency=50", true), LIMIT_MET);
    assert_int_equal(status_of(sheet, "gld_efficiency=50.001", true), LIMIT_BROKEN);
    assert_int_equal(status_of(sheet, "gld_efficiency=50", false), LIMIT_MET);
    assert_int_equal(status_of(sheet, "gld_efficiency=49.999", false), LIMIT_BROKEN);
    assert_int_equal(status_of(sheet, "k.cu:7:gld_efficiency=75", true), LIMIT_MET);
    assert_int_equal(status_of(sheet, "k.cu:9:gld_efficiency=75", true), LIMIT_BROKEN);
    assert_int_equal(status_of(sheet, "global_load_sectors=0", false), LIMIT_MET);
    sheets_free(&sheets);
}

static void test_without_a_value(void **state)
{
    static const char *const texts[] = {"gst_efficiency=1",
                                        "time=1",
                                        "stall_cycles=1",
                                        "k.cu:8:gld_efficiency=1",
                                        "j.cu:7:gld_efficiency=1",
                                        "array in:gld_efficiency=1",
                                        "gld_32b=1",
                                        "k.cu:7:launches=1",
                                        "kernel k:launches=1"};
    (void)state;
    struct sheets sheets =
        gate_sheets(GATE_RUN("k", "h200", GATE_NCU, LOADS("64", "128"),
                             GATE_LINE("k.cu", "7", "global", "load", "in", LOADS("48", "64"))));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int is_least = 0; is_least < 2; is_least++)
            if (status_of(&sheets.sheets[0], texts[i], is_least) != LIMIT_NO_VALUE)
                fail_msg("%s has a value", texts[i]);
    sheets_free(&sheets);
}

static void test_worst_line(void **state)
{
    double value;
    (void)state;
    struct sheets sheets = gate_sheets(
        GATE_RUN("k", "h200", GATE_NCU, LOADS("64", "128"),
                 GATE_LINE("k.cu", "7", "global", "load", "in", LOADS("48", "64")) "," GATE_LINE(
                     "k.cu", "9", "global", "load", "x", LOADS("16", "96"))));
    struct limit least = read_limit("gld_efficiency=80", true);
    struct limit most = read_limit("global_load_bytes_moved=1", false);
    struct limit array = read_limit("array in:gld_efficiency=80", true);
    struct limit sum = read_limit("global_load_bytes_moved=1000", true);
    assert_int_equal(limit_worst_line(&least, &sheets.sheets[0], &value)->line, 9);
    assert_int_equal(limit_worst_line(&most, &sheets.sheets[0], &value)->line, 9);
    assert_true(value == 96);
    assert_int_equal(limit_worst_line(&array, &sheets.sheets[0], &value)->line, 7);
    assert_null(limit_worst_line(&sum, &sheets.sheets[0], &value));
    sheets_free(&sheets);
}

/* Exact for counters of the rules; a tolerance for the time; the others of the model of time are noted. */
static void test_baseline(void **state)
{
    (void)state;
    struct sheets before =
        gate_sheets(GATE_RUN("k", "h200", GATE_NCU,
                             "\"global_load_requests\":1,\"global_load_sectors\":100,\"elapsed_"
                             "cycles\":1000,\"elapsed_ns\":500,\"instructions\":100",
                             ""));
    struct sheets after =
        gate_sheets(GATE_RUN("k", "h200", GATE_NCU,
                             "\"global_load_requests\":9,\"global_load_sectors\":"
                             "101,\"elapsed_cycles\":1050,\"elapsed_ns\":525,\"instructions\":"
                             "140",
                             ""));
    struct gate_request request = {
        .baseline = &before, .baseline_name = "b", .tolerance_percent = 5};
    struct gate gate;
    assert_true(gate_check(&gate, &after, &request));
    assert_int_equal(gate_count(&gate, LIMIT_BROKEN), 1); /* sectors */
    assert_int_equal(gate_count(&gate, LIMIT_NOTED), 1);  /* instructions */
    gate_free(&gate);
    request.tolerance_percent = 4.9;
    assert_true(gate_check(&gate, &after, &request));
    assert_int_equal(gate_count(&gate, LIMIT_BROKEN), 2); /* and the time */
    gate_free(&gate);
    request.baseline = &after;
    assert_true(gate_check(&gate, &before, &request));
    assert_int_equal(gate_count(&gate, LIMIT_BROKEN), 0);
    gate_free(&gate);
    sheets_free(&before);
    sheets_free(&after);
}

static void test_xml(void **state)
{
    static const char *const texts[][2] = {
        {"a<b>&\"'", "a&lt;b&gt;&amp;&quot;'"},
        {"\x01\x1f\r\x7f\xc2\x9b", "??????"},
        {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"},
        {"\xff\xc0\xaf\xed\xa0\x80\xe2\x82", "????????"},
        {"\xf0\x9f\x98\x80\xf5\x80\x80\x80\xef\xbf\xbf", "\xf0\x9f\x98\x80???????"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char *text = NULL;
        size_t bytes;
        FILE *out = open_memstream(&text, &bytes);
        quote_xml(texts[i][0], out);
        fclose(out);
        assert_string_equal(text, texts[i][1]);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),           cmocka_unit_test(test_subjects),
        cmocka_unit_test(test_refused),         cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_without_a_value), cmocka_unit_test(test_worst_line),
        cmocka_unit_test(test_baseline),        cmocka_unit_test(test_xml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
