/* table.h - text in aligned columns: cells are added row by row, widths come out at the end. */
#ifndef WARPLENS_REPORT_TABLE_H
#define WARPLENS_REPORT_TABLE_H

#include <stdio.h>

#include "text/style.h"

enum { TABLE_COLUMNS_MAX = 72 };

struct table {
    char align[TABLE_COLUMNS_MAX]; /* by column: 'l' or 'r' */
    struct table_text {
        char *text; /* owned; NULL is empty */
        enum style style;
    } * cells; /* row-major, `columns` a row */
    size_t cell_count, cell_room;
    size_t columns, column; /* widest row so far in use; position in the current row */
    size_t row_count;
    enum style style; /* of the next cell */
};

/* `columns`: cells a row has, at most TABLE_COLUMNS_MAX. `align`: 'l' or 'r' by column, the last one goes on. */
void table_start(struct table *table, size_t columns, const char *align);
void table_cell(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Of the next cell: its text alone is styled, and takes the columns that it takes without. */
void table_style(struct table *table, enum style style);
/* Ends the row; cells not given stay empty. */
void table_row(struct table *table);
/* The same for a row of heads. */
void table_heading(struct table *table);
/* Prints with `indent` blanks before and two blanks between columns, no blanks at line ends; frees.
 */
void table_print(struct table *table, int indent, FILE *out);
/* The same in at most PAGE_COLUMNS, without columns that have "-" in every row below the heading. A table that is wider is printed in parts of about equally many columns, its first `keys` columns in
 * front of each; where `keys` is 0 its last column's cells are cut. */
void table_print_parts(struct table *table, size_t keys, int indent, FILE *out);
/* What is not printed. */
void table_free(struct table *table);

#endif
