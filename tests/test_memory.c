/* test_memory.c - does a text in memory come whole or not at all, and is everything that was missing counted? */
#define _GNU_SOURCE
#include "test_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault_points.h"
#include "text/list.h"
#include "text/memory.h"

enum { LINES = 2000 };

/* The text, or NULL; whether an allocation failed. */
static char *write_lines(uint64_t failing, size_t *bytes, bool *failed)
{
    char *text = NULL;
    faults_begin(failing);
    FILE *out = memory_stream(&text, bytes);
    for (int i = 0; out && i < LINES; i++)
        fprintf(out, "line %d\n", i);
    const bool fine = out && fclose(out) == 0;
    *failed = faults_end();
    assert_int_equal(fine, text != NULL);
    return text;
}

static void streams_are_whole_or_nothing(void **state)
{
    size_t bytes, whole_bytes, before = memory_failures();
    bool failed;
    char *whole = write_lines(0, &whole_bytes, &failed);
    (void)state;
    assert_non_null(whole);
    assert_int_equal(strlen(whole), whole_bytes);
    assert_int_equal(memory_failures(), before);
    uint64_t failing = 1;
    for (failed = true; failed; failing++) {
        before = memory_failures();
        char *text = write_lines(failing, &bytes, &failed);
        assert_int_equal(text == NULL, failed);
        assert_int_equal(memory_failures() > before, failed);
        if (text)
            assert_string_equal(text, whole);
        free(text);
    }
    assert_in_range(failing, 5, 100); /* it has grown a few times */
    free(whole);
}

static void an_empty_stream_is_an_empty_text(void **state)
{
    char *text = NULL;
    size_t bytes = 1;
    FILE *out = memory_stream(&text, &bytes);
    (void)state;
    assert_non_null(out);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "");
    assert_int_equal(bytes, 0);
    free(text);
}

/* Each of the other ways to have none. */
static void failures_are_counted(void **state)
{
    size_t before = memory_failures(), room = 0;
    int *list = NULL;
    (void)state;
    faults_begin(1);
    assert_null(memory_take(3, 4));
    faults_begin(1);
    assert_null(memory_grow(NULL, 4));
    faults_begin(1);
    assert_null(memory_copy("x"));
    faults_begin(1);
    assert_false(LIST_MAKE_ROOM(list, 0, room));
    faults_end();
    assert_int_equal(memory_failures(), before + 4);
    assert_null(memory_open_file("/nowhere/at/all", "r")); /* that is another matter */
    assert_int_equal(memory_failures(), before + 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_are_whole_or_nothing),
        cmocka_unit_test(an_empty_stream_is_an_empty_text),
        cmocka_unit_test(failures_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
