/* table.h - text in aligned columns: cells are added row by row, widths come out at the end. */
#ifndef WARPLENS_REPORT_TABLE_H
#define WARPLENS_REPORT_TABLE_H

#include <stdio.h>

enum { TABLE_COLUMNS_MAX = 72 };

struct table {
    char align[TABLE_COLUMNS_MAX]; /* by column: 'l' or 'r' */
    char **cells;                  /* owned; row-major, `columns` a row; NULL is empty */
    size_t cell_count, cell_room;
    size_t columns, column; /* widest row so far in use; position in the current row */
    size_t row_count;
};

/* `columns`: cells a row has, at most TABLE_COLUMNS_MAX. `align`: 'l' or 'r' by column, the last one goes on. */
void table_start(struct table *table, size_t columns, const char *align);
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends the row; cells not given stay empty. */
void table_row(struct table *table);
/* Prints with `indent` blanks before and two blanks between columns, no blanks at line ends; frees.
 */
void table_print(struct table *table, int indent, FILE *out);
/* The same in at most PAGE_COLUMNS, without columns that have "-" in every row below the heading. A table that is wider is printed in parts of about equally many columns, its first `keys` columns in
 * front of each; where `keys` is 0 its last column's cells are cut. */
void table_print_parts(struct table *table, size_t keys, int indent, FILE *out);
/* What is not printed. */
void table_free(struct table *table);

#endif
