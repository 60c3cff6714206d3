/* test_table.c - do the report's tables and sentences stay within the page, with nothing lost? */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "report/table.h"
#include "report/text_sections.h"
#include "test_support.h"
#include "text/characters.h"
#include "text/text.h"

enum { COLUMNS = 12 };

static void fill(struct table *table, size_t columns, const char *align)
{
    table_start(table, columns, align);
    for (size_t row = 0; row < 3; row++) {
        for (size_t c = 0; c < columns; c++)
            table_cell(table, "row%zu-column%zu", row, c);
        table_row(table);
    }
}

/* Printed with so many key columns; to be freed. */
static char *print(struct table *table, size_t keys)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    table_print_parts(table, keys, 2, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static size_t widest(const char *text)
{
    size_t most = 0;
    for (const char *line = text; *line;) {
        const size_t length = strcspn(line, "\n");
        char shown[1024];
        snprintf(shown, sizeof shown, "%.*s", (int)length, line);
        most = text_columns(shown) > most ? text_columns(shown) : most;
        line += length + (line[length] == '\n');
    }
    return most;
}

static size_t count(const char *text, const char *part)
{
    size_t found = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        found++;
    return found;
}

static void a_wide_table_comes_in_parts(void **state)
{
    struct table table;
    (void)state;
    fill(&table, COLUMNS, "lr");
    char *text = print(&table, 1);
    assert_in_range(widest(text), 1, PAGE_COLUMNS);
    assert_int_equal(count(text, "row1-column0"), 2); /* the key, in each part */
    assert_int_equal(count(text, "\n\n"), 1);
    for (size_t c = 1; c < COLUMNS; c++) {
        char cell[32];
        snprintf(cell, sizeof cell, "row2-column%zu%s", c, c == 1 ? " " : "");
        assert_int_equal(count(text, cell), 1);
    }
    free(text);
}

static void a_table_that_fits_is_whole(void **state)
{
    struct table table;
    (void)state;
    fill(&table, 4, "l");
    char *text = print(&table, 1);
    assert_int_equal(count(text, "\n"), 3);
    free(text);
}

static void columns_that_say_nothing_go(void **state)
{
    static const char *const cells[3][4] = {
        {"key", "one", "none", "last"}, {"a", "1", "-", "-"}, {"b", "22", "-", "end"}};
    struct table table;
    (void)state;
    table_start(&table, 4, "lrrl");
    for (size_t row = 0; row < 3; row++) {
        for (size_t c = 0; c < 4; c++)
            table_cell(&table, "%s", cells[row][c]);
        table_row(&table);
    }
    char *text = print(&table, 1);
    assert_string_equal(text, "  key  one  last\n"
                              "  a      1  -\n"
                              "  b     22  end\n");
    free(text);
}

static void a_long_last_cell_is_cut_between_characters(void **state)
{
    struct table table;
    char long_text[300];
    (void)state;
    for (size_t at = 0; at < 2; at++) { /* the cut falls on either byte of a character */
        size_t i = at;
        memset(long_text, 'x', at);
        for (; i + 2 < sizeof long_text; i += 2)
            memcpy(&long_text[i], "\xc3\xa9", 2);
        long_text[i] = '\0';
        table_start(&table, 2, "l");
        table_cell(&table, "key");
        table_cell(&table, "%s", long_text);
        table_row(&table);
        char *text = print(&table, 0);
        assert_int_equal(widest(text), PAGE_COLUMNS);
        const char *dots = strstr(text, "...\n");
        assert_non_null(dots);
        assert_int_equal((unsigned char)dots[-1], 0xa9);
        free(text);
    }
}

static void long_names_of_files_are_cut(void **state)
{
    char name[TEXT_LINE_BYTES];
    const struct result_part small = {.file = "kernel.cu", .line = 7};
    const struct result_part large = {
        .file = "a_file_with_a_name_that_is_longer_than_forty_bytes.cu", .line = 4294967295U};
    (void)state;
    assert_string_equal(text_line_name(&small, name), "kernel.cu:7");
    assert_string_equal(text_line_name(&large, name),
                        "...me_that_is_longer_than_forty_bytes.cu:4294967295");
}

static void numbers_are_not_broken(void **state)
{
    size_t next;
    (void)state;
    assert_int_equal(text_cut_line("move 1,024 sectors", 8, &next), 4);
    assert_int_equal(next, 5);
    assert_int_equal(text_cut_line("lanes 0,2,..,30", 11, &next), 10);
    assert_int_equal(text_cut_line("0x80,0x84,0x88", 12, &next), 10);
    assert_int_equal(text_cut_line("of 12,345,678", 8, &next), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wide_table_comes_in_parts),
        cmocka_unit_test(a_table_that_fits_is_whole),
        cmocka_unit_test(columns_that_say_nothing_go),
        cmocka_unit_test(a_long_last_cell_is_cut_between_characters),
        cmocka_unit_test(long_names_of_files_are_cut),
        cmocka_unit_test(numbers_are_not_broken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
