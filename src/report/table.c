/* table.c - aligned columns. Without memory a cell is left out: reports are small, and the counters
 * they show were already had. */
#define _GNU_SOURCE
#include "report/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text/list.h"

void table_start(struct table *table, size_t columns, const char *align)
{
    *table = (struct table){.align = align, .columns = columns};
}

static void add_cell(struct table *table, char *text)
{
    if (!LIST_MAKE_ROOM(table->cells, table->cell_count, table->cell_room)) {
        free(text);
        return;
    }
    table->cells[table->cell_count++] = text;
    table->column++;
}

void table_cell(struct table *table, const char *format, ...)
{
    char *text;
    va_list arguments;
    if (table->column == table->columns)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    add_cell(table, text);
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
    return index < table->cell_count && table->cells[index] ? table->cells[index] : "";
}

static char column_align(const struct table *table, size_t column)
{
    size_t length = strlen(table->align);
    return table->align[column < length ? column : length - 1];
}

static void print_row(const struct table *table, size_t row, const size_t *widths, FILE *out)
{
    size_t owed = 0; /* blanks not printed yet: none at the end of a line */
    for (size_t c = 0; c < table->columns; c++) {
        const char *text = cell_text(table, row * table->columns + c);
        size_t length = strlen(text), pad = widths[c] - length;
        size_t before = owed + (column_align(table, c) == 'r' ? pad : 0);
        if (length)
            fprintf(out, "%*s%s", (int)before, "", text);
        owed = length ? (column_align(table, c) == 'r' ? 0 : pad) : owed + widths[c];
        owed += 2;
    }
    fputc('\n', out);
}

void table_print(struct table *table, int indent, FILE *out)
{
    size_t widths[TABLE_COLUMNS_MAX] = {0};
    for (size_t i = 0; i < table->cell_count; i++) {
        size_t length = strlen(cell_text(table, i));
        if (length > widths[i % table->columns])
            widths[i % table->columns] = length;
    }
    for (size_t row = 0; row < table->row_count; row++) {
        fprintf(out, "%*s", indent, "");
        print_row(table, row, widths, out);
    }
    table_free(table);
}

void table_free(struct table *table)
{
    for (size_t i = 0; i < table->cell_count; i++)
        free(table->cells[i]);
    free(table->cells);
    table->cells = NULL;
}
