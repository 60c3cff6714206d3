/* test_progress.c - does the line of progress say what was done, fit the terminal, and go away? Does it stay away
 * where it could not be written over? (progress.py: elsewhere.)
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text/characters.h"
#include "text/progress.h"
#include "text/progress_line.h"

/* ---- The words ------------------------------------------------------------------------------------- */

static const struct progress_line nothing = {.title = "copy on h200", .note = "", .kernel = ""};

static void assert_line(const struct progress_line *line, size_t columns, const char *expected)
{
    char text[PROGRESS_LINE_BYTES];
    progress_line_text(line, columns, text);
    assert_string_equal(text, expected);
    assert_true(text_columns(text) <= columns);
}

static void the_rest_takes_as_long_as_what_was_done(void **state)
{
    (void)state;
    assert_true(progress_seconds_left(25, 100, 4) == 12);
    assert_true(progress_seconds_left(100, 100, 4) < 0);
    assert_true(progress_seconds_left(0, 100, 4) < 0);
    assert_true(progress_seconds_left(0, 0, 4) < 0);
    assert_true(progress_seconds_left(5, 4, 4) < 0);
}

static void a_launch_says_its_blocks(void **state)
{
    (void)state;
    struct progress_line line = nothing;
    line.seconds = 9;
    assert_line(&line, 79, "copy on h200: 9 s so far");
    line.launch = 3;
    line.kernel = "reduce6";
    line.blocks = 400;
    line.launch_seconds = 4;
    assert_line(&line, 79, "copy on h200: launch 3 (reduce6), 0 of 400 blocks, 9 s so far");
    line.blocks_done = 100;
    assert_line(&line, 79, "copy on h200: launch 3 (reduce6), 100 of 400 blocks, 12 s left");
    line.hint = "fewer launches: --launches-per-kernel 2";
    assert_line(&line, 119,
                "copy on h200: launch 3 (reduce6), 100 of 400 blocks, 12 s left, fewer launches: "
                "--launches-per-kernel 2");
    line.hint = NULL;
    line.kernel = "copy"; /* the title says so */
    assert_line(&line, 79, "copy on h200: launch 3, 100 of 400 blocks, 12 s left");
    line.kernel = "reduce6";
    line.launch_seconds = 60;
    assert_line(&line, 79, "copy on h200: launch 3 (reduce6), 100 of 400 blocks, 3.0 min left");
    line.launch_seconds = 6000;
    assert_line(&line, 79, "copy on h200: launch 3 (reduce6), 100 of 400 blocks, 5.0 h left");
}

static void jobs_notes_and_files_are_said(void **state)
{
    (void)state;
    struct progress_line line = nothing;
    line.seconds = 9;
    line.jobs = 4;
    assert_line(&line, 79, "copy on h200: 0 of 4 jobs done, 9 s so far");
    line.jobs_done = 1;
    line.jobs_seconds = 6;
    assert_line(&line, 79, "copy on h200: 1 of 4 jobs done, 15 s left");
    line.seconds = 27; /* the second one takes longer */
    assert_line(&line, 79, "copy on h200: 1 of 4 jobs done, 27 s so far");
    line.seconds = 9;
    line.jobs = 1; /* goes without saying */
    line.bytes = 1000;
    line.bytes_read = 900;
    assert_line(&line, 79, "copy on h200: 90 % read, 1 s left");
    line.bytes = 0;
    line.launch = 3; /* of a change that is tried */
    line.blocks = 400;
    line.blocks_done = 100;
    line.note = "tried 3 of 11 changes";
    assert_line(&line, 79, "copy on h200: tried 3 of 11 changes, 9 s so far");
}

static void a_narrow_terminal_has_the_end(void **state)
{
    (void)state;
    struct progress_line line = nothing;
    line.title = "größer.cu on h200";
    line.seconds = 9;
    assert_line(&line, 79, "größer.cu on h200: 9 s so far");
    assert_line(&line, 16, "größ: 9 s so far");
    assert_line(&line, 12, "9 s so far");
    assert_line(&line, 5, "9 s s");
    line.title = "a\033]b\xff";
    assert_line(&line, 79, "a?]b?: 9 s so far");
}

/* ---- The terminal ---------------------------------------------------------------------------------- */

/* What is written to standard error, which is `file` for so long, and `from` to be read, when a command
 * takes so long or until something is there. */
static void work_into(int file, int from, int most_ms, char text[1024])
{
    struct pollfd something = {.fd = from, .events = POLLIN};
    const int before = dup(STDERR_FILENO);
    dup2(file, STDERR_FILENO);
    progress_start("run");
    progress_job("copy on h200");
    progress_launch(1, "copy", 400, 2);
    for (int i = 0; i < 200; i++)
        progress_block_done(1);
    poll(&something, 1, most_ms);
    progress_hide();
    progress_end();
    dup2(before, STDERR_FILENO);
    close(before);
    size_t used = 0;
    while (used < 1023 && poll(&something, 1, 200) > 0) { /* a terminal may hand it over in parts */
        const ssize_t bytes = read(from, text + used, 1023 - used);
        if (bytes <= 0)
            break;
        used += (size_t)bytes;
    }
    text[used] = '\0';
}

/* The two ends of a terminal of 60 columns. */
static int open_terminal(int *from)
{
    const struct winsize size = {.ws_row = 20, .ws_col = 60};
    *from = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (*from < 0 || grantpt(*from) || unlockpt(*from))
        skip(); /* a machine without terminals */
    const int terminal = open(ptsname(*from), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0);
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    return terminal;
}

static void terminals_show_a_line(void **state)
{
    static const char end[] = "\033[K\r\033[K", shown[] = "launch 1, 100 of 400 blocks, ";
    char text[1024];
    int from;
    const int terminal = open_terminal(&from);
    (void)state;
    setenv("TERM", "xterm", 1);
    work_into(terminal, from, 20000, text);
    assert_memory_equal(text, "\rcopy on h", 10);
    assert_non_null(strstr(text, shown));
    assert_string_equal(text + strlen(text) - strlen(end), end);
    assert_true(strcspn(text + 1, "\033") <= 59);
    work_into(terminal, from, 1, text); /* too short */
    assert_string_equal(text, "");
    setenv("TERM", "dumb", 1);
    work_into(terminal, from, 1200, text);
    assert_string_equal(text, "");
    close(terminal);
    close(from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_takes_as_long_as_what_was_done),
        cmocka_unit_test(a_launch_says_its_blocks),
        cmocka_unit_test(jobs_notes_and_files_are_said),
        cmocka_unit_test(a_narrow_terminal_has_the_end),
        cmocka_unit_test(terminals_show_a_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
