/* table.c - aligned columns. Without memory a cell is left out, and memory_failures() knows of it. */
#define _GNU_SOURCE
#include "report/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/characters.h"
#include "text/list.h"
#include "text/memory.h"
#include "text/text.h"

enum {
    BETWEEN = 2,    /* blanks between columns */
    LAST_LEAST = 16 /* characters that a cell is never cut below */
};

void table_start(struct table *table, size_t columns, const char *align)
{
    const size_t last = strlen(align) - 1;
    *table = (struct table){.columns = columns};
    for (size_t c = 0; c < columns; c++)
        table->align[c] = align[c < last ? c : last];
}

static void add_cell(struct table *table, char *text)
{
    if (!LIST_MAKE_ROOM(table->cells, table->cell_count, table->cell_room)) {
        free(text);
        return;
    }
    table->cells[table->cell_count++] = (struct table_text){text, table->style};
    table->column++;
    table->style = STYLE_PLAIN;
}

void table_cell(struct table *table, const char *format, ...)
{
    va_list arguments;
    if (table->column == table->columns)
        return;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    if (text)
        text_make_characters(text); /* "%.40s" cuts them */
    add_cell(table, text);
}

void table_style(struct table *table, enum style style)
{
    table->style = style;
}

void table_heading(struct table *table)
{
    for (size_t i = 1; i <= table->column; i++)
        table->cells[table->cell_count - i].style = STYLE_STRONG;
    table_row(table);
}

void table_row(struct table *table)
{
    while (table->column < table->columns) {
        size_t before = table->cell_count;
        add_cell(table, NULL);
        if (table->cell_count == before)
            break;
    }
    table->column = 0;
    table->row_count++;
}

static const char *cell_text(const struct table *table, size_t index)
{
    const char *text = index < table->cell_count ? table->cells[index].text : NULL;
    return text ? text : "";
}

/* Columns of the table: [0, keys), then [first, end). */
struct slice {
    size_t keys, first, end;
};

static void print_row(const struct table *table, size_t row, const size_t *widths,
                      const struct slice *slice, FILE *out)
{
    size_t owed = 0; /* blanks not printed yet: none at the end of a line */
    for (size_t c = slice->keys ? 0 : slice->first; c < slice->end;
         c = c + 1 == slice->keys ? slice->first : c + 1) {
        const size_t index = row * table->columns + c;
        const char *text = cell_text(table, index);
        size_t length = text_columns(text), pad = widths[c] - length;
        size_t before = owed + (table->align[c] == 'r' ? pad : 0);
        if (length)
            fprintf(out, "%*s%s%s%s", (int)before, "", style_begin(table->cells[index].style), text,
                    style_end(table->cells[index].style));
        owed = length ? (table->align[c] == 'r' ? 0 : pad) : owed + widths[c];
        owed += BETWEEN;
    }
    fputc('\n', out);
}

static void print_slice(const struct table *table, const size_t *widths, const struct slice *slice,
                        int indent, FILE *out)
{
    for (size_t row = 0; row < table->row_count; row++) {
        fprintf(out, "%*s", indent, "");
        print_row(table, row, widths, slice, out);
    }
}

static void find_widths(const struct table *table, size_t widths[TABLE_COLUMNS_MAX])
{
    memset(widths, 0, TABLE_COLUMNS_MAX * sizeof *widths);
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t length = text_columns(cell_text(table, i));
        if (length > widths[i % table->columns])
            widths[i % table->columns] = length;
    }
}

void table_print(struct table *table, int indent, FILE *out)
{
    size_t widths[TABLE_COLUMNS_MAX];
    const struct slice all = {.end = table->columns};
    find_widths(table, widths);
    print_slice(table, widths, &all, indent, out);
    table_free(table);
}

static size_t width_of(const size_t *widths, size_t columns)
{
    size_t width = 0;
    for (size_t c = 0; c < columns; c++)
        width += widths[c] + BETWEEN;
    return width;
}

/* Cuts the last column's cells to `room` characters. */
static void cut_last(const struct table *table, size_t room)
{
    for (size_t i = table->columns - 1; i < table->cell_count; i += table->columns) {
        char *text = table->cells[i].text;
        if (text && text_columns(text) > room)
            strcpy(text + text_bytes_of_columns(text, room - strlen("...")), "...");
    }
}

static void print_cut(struct table *table, int indent, FILE *out)
{
    size_t widths[TABLE_COLUMNS_MAX];
    find_widths(table, widths);
    const size_t others = (size_t)indent + width_of(widths, table->columns - 1);
    cut_last(table, others + LAST_LEAST < PAGE_COLUMNS ? PAGE_COLUMNS - others : LAST_LEAST);
    table_print(table, indent, out);
}

/* Where the part that begins with column slice->first ends: before the page does, after `most` columns. */
static size_t end_of_part(const size_t *widths, const struct slice *slice, size_t columns,
                          size_t indent, size_t most)
{
    size_t width = indent + width_of(widths, slice->keys), end = slice->first;
    do
        width += widths[end++] + BETWEEN;
    while (end < columns && end - slice->first < most && width + widths[end] <= PAGE_COLUMNS);
    return end;
}

static size_t parts_of(const size_t *widths, size_t keys, size_t columns, size_t indent)
{
    size_t parts = 0;
    for (struct slice slice = {keys, keys, keys}; slice.first < columns; parts++)
        slice.first = end_of_part(widths, &slice, columns, indent, columns);
    return parts ? parts : 1;
}

/* Whether all cells of a column but its heading are "-". */
static bool says_nothing(const struct table *table, size_t column)
{
    bool nothing = table->row_count > 1;
    for (size_t row = 1; row < table->row_count; row++)
        nothing &= strcmp(cell_text(table, row * table->columns + column), "-") == 0;
    return nothing;
}

static void drop_column(struct table *table, size_t column)
{
    size_t kept = 0;
    for (size_t i = 0; i < table->cell_count; i++) {
        if (i % table->columns == column)
            free(table->cells[i].text);
        else
            table->cells[kept++] = table->cells[i];
    }
    table->cell_count = kept;
    table->columns--;
    memmove(&table->align[column], &table->align[column + 1], table->columns - column);
}

void table_print_parts(struct table *table, size_t keys, int indent, FILE *out)
{
    size_t widths[TABLE_COLUMNS_MAX];
    for (size_t c = table->columns; c-- > 0;)
        if (says_nothing(table, c))
            drop_column(table, c);
    if (keys == 0) {
        print_cut(table, indent, out);
        return;
    }
    find_widths(table, widths);
    const size_t parts = parts_of(widths, keys, table->columns, (size_t)indent);
    const size_t share = (table->columns - keys + parts - 1) / parts;
    for (struct slice slice = {keys, keys, keys}; slice.end < table->columns;
         slice.first = slice.end) {
        slice.end = end_of_part(widths, &slice, table->columns, (size_t)indent, share);
        if (slice.first > keys)
            fputc('\n', out);
        print_slice(table, widths, &slice, indent, out);
    }
    table_free(table);
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i].text);
    free(table->cells);
    table->cells = NULL;
}
