/* test_validate_csv.c - are records and fields those of RFC 4180, within their bounds? */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static FILE *stream_of(const char *text, size_t bytes)
{
    /* fmemopen takes no empty buffer. */
    FILE *stream = bytes ? fmemopen((void *)(uintptr_t)text, bytes, "r") : fopen("/dev/null", "r");
    assert_non_null(stream);
    return stream;
}

/* Fields behind each other, '|' between fields, '/' behind records; '!' when the text is refused. */
static const char *read_all(const char *text, size_t bytes, bool loose)
{
    static char result[512];
    struct csv csv;
    enum csv_status status;
    FILE *stream = stream_of(text, bytes);
    size_t used = 0;
    assert_true(csv_start(&csv, stream));
    csv.loose = loose;
    while ((status = csv_next(&csv)) == CSV_RECORD)
        for (size_t i = 0; i < csv.field_count; i++)
            used += (size_t)snprintf(result + used, sizeof result - used, "%s%s",
                                     csv_field(&csv, i), i + 1 < csv.field_count ? "|" : "/");
    snprintf(result + used, sizeof result - used, "%s", status == CSV_BAD ? "!" : "");
    csv_end(&csv);
    fclose(stream);
    return result;
}

static void test_records(void **state)
{
    static const struct {
        const char *text, *strict, *loose;
    } cases[] = {
        {"", "", ""},
        {"a,b\nc,d\n", "a|b/c|d/", "a|b/c|d/"},
        {"a,b\r\nc,d", "a|b/c|d/", "a|b/c|d/"},
        {"\n\na\n", "//a/", "//a/"},
        {",\n", "|/", "|/"},
        {"\"a,b\",c\n", "a,b|c/", "a,b|c/"},
        {"\"a\"\"b\"\n", "a\"b/", "a\"b/"},
        {"\"\",\"\"\n", "|/", "|/"},
        {"\"a\nb\",c\n", "a b|c/", "a/b\"|c/"},
        {"a\"b\",c\n", "a\"b\"|c/", "a\"b\"|c/"},
        {"\"a\"b\n", "!", "ab/"},
        {"\"a", "!", "a/"},
        {"a,\"b\n", "a|!", "a|b/"},
        {"#\"a,\"b\nc\n", "#\"a|\"b/c/", "#\"a|\"b/c/"},
        {"==7== \"a,\"b\nc\n", "==7== \"a|\"b/c/", "==7== \"a|\"b/c/"},
        {"\xef\xbb\xbf"
         "a,b\n",
         "a|b/", "a|b/"},
        {"\xef\xbd\x8e,b\n", "\xef\xbd\x8e|b/", "\xef\xbd\x8e|b/"},
        {"\xef\xbb\x8e,b\n", "\xef\xbb\x8e|b/", "\xef\xbb\x8e|b/"},
        {"\xef", "\xef/", "\xef/"},
        {"a\033[1mb\n", "a?[1mb/", "a?[1mb/"},
        {"a\rb\n", "a?b/", "a?b/"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t bytes = strlen(cases[i].text);
        const char *strict = read_all(cases[i].text, bytes, false);
        /* What stands before the error was never a record. */
        if (cases[i].strict[0] && strchr(cases[i].strict, '!'))
            assert_string_equal(strict, "!");
        else
            assert_string_equal(strict, cases[i].strict);
        assert_string_equal(read_all(cases[i].text, bytes, true), cases[i].loose);
    }
    assert_string_equal(read_all("a,\0b\n", 5, false), "!");
}

static void test_lines_are_counted(void **state)
{
    static const char text[] = "a\n\"b\nc\nd\",e\nf\n";
    static const size_t lines[] = {1, 2, 5};
    struct csv csv;
    FILE *stream = stream_of(text, sizeof text - 1);
    (void)state;
    assert_true(csv_start(&csv, stream));
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_int_equal(csv_next(&csv), CSV_RECORD);
        assert_int_equal(csv.line, lines[i]);
    }
    assert_int_equal(csv_next(&csv), CSV_END);
    csv_end(&csv);
    fclose(stream);
}

/* A megabyte is allowed, a byte more is not; as are 16384 fields. */
static void test_bounds(void **state)
{
    size_t bytes = CSV_RECORD_BYTES + 1;
    char *text = malloc(bytes + 1);
    (void)state;
    assert_non_null(text);
    for (int fields = 0; fields < 2; fields++)
        for (size_t extra = 0; extra < 2; extra++) {
            size_t length = (fields ? CSV_FIELDS - 1 : CSV_RECORD_BYTES) + extra;
            struct csv csv;
            memset(text, fields ? ',' : 'x', length);
            FILE *stream = stream_of(text, length);
            assert_true(csv_start(&csv, stream));
            assert_int_equal(csv_next(&csv), extra ? CSV_BAD : CSV_RECORD);
            csv_end(&csv);
            fclose(stream);
        }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_lines_are_counted),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
