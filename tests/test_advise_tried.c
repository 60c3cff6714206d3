/* test_advise_tried.c - does a person at a terminal see how far the trying of changes is, when it takes over
 * a second, and nobody else?
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "advise/tried.h"

/* What a second of trying writes to standard error, which is `file` for so long, and `from` to be read. */
static void try_into(int file, int from, bool is_on, char text[256])
{
    struct tried tried;
    const int before = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    tried_start(&tried, is_on);
    tried_show(&tried, "h200", 1, 11, "by the rules");
    tried.began -= 1; /* a second later */
    tried_show(&tried, "h200", 3, 11, "by the rules");
    tried_show(&tried, "h200", 4, 11, "by the rules"); /* too soon */
    tried_end(&tried);
    dup2(before, STDERR_FILENO);
    close(before);
    const ssize_t bytes = read(from, text, 255);
    text[bytes > 0 ? bytes : 0] = '\0';
}

static void terminals_show_a_line(void **state)
{
    (void)state;
    char text[256];
    const int from = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (from < 0 || grantpt(from) || unlockpt(from))
        skip(); /* a machine without terminals */
    const int terminal = open(ptsname(from), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    try_into(terminal, from, true, text);
    assert_string_equal(text, "\rh200: tried 3 of 11 changes by the rules\033[K\r\033[K");
    try_into(terminal, from, false, text);
    assert_string_equal(text, "");
    close(terminal);
    close(from);
}

static void files_stay_empty(void **state)
{
    (void)state;
    char text[256];
    int ends[2];
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    try_into(ends[1], ends[0], true, text);
    assert_string_equal(text, "");
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminals_show_a_line),
        cmocka_unit_test(files_stay_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
