/* fragment_table.h - the tables of what an H200 counted of single instructions, for the tests that hold the model to them. */
#ifndef WARPLENS_TESTS_FRAGMENT_TABLE_H
#define WARPLENS_TESTS_FRAGMENT_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { FRAGMENT_COLUMNS_MAX = 16, FRAGMENT_LINE_BYTES = 4096 };

/* A row: the pattern and what the columns read. */
struct fragment_row {
    char *pattern;
    uint64_t measured[FRAGMENT_COLUMNS_MAX];
};

struct fragment_table {
    FILE *file; /* whoever opens the table closes it */
    char heading[FRAGMENT_LINE_BYTES], line[FRAGMENT_LINE_BYTES];
    char *columns[FRAGMENT_COLUMNS_MAX];
    unsigned column_count, rows;
    uint64_t equal; /* of whoever compares */
};

/* validation/fragments/h200/NAME.csv. */
void fragment_table_open(struct fragment_table *t, const char *name);
/* validation/fragments/GPU/NAME.csv. */
void fragment_table_open_of(struct fragment_table *t, const char *gpu, const char *name);

/* The next row, in the table's own line; false at the end. */
bool fragment_table_next(struct fragment_table *t, struct fragment_row *row);

/* The numbers behind `key`=: a list of numbers and runs (start+stride*count). How many; 0: the pattern has no such key. */
unsigned fragment_numbers(const char *pattern, const char *key, uint64_t *numbers, unsigned most);

#endif
