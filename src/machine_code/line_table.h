/* line_table.h - address -> file and line: rows in sequences, built once, looked up by binary
 * search.
 */
#ifndef WARPLENS_MACHINE_CODE_LINE_TABLE_H
#define WARPLENS_MACHINE_CODE_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Covers the addresses from its own up to the next row's, or to the end of its sequence. */
struct line_table_row {
    uint64_t address;
    uint32_t file; /* index into files; 0 when unknown */
    uint32_t line; /* 1-based; 0 when unknown */
};

/* A contiguous piece of code, [low, high), whose rows are sorted by address. */
struct line_table_sequence {
    uint64_t low;
    uint64_t high;
    size_t first_row;
    size_t row_count; /* at least 1 */
};

struct line_table {
    struct line_table_row *rows;
    size_t row_count;
    size_t row_capacity;
    struct line_table_sequence *sequences;
    size_t sequence_count;
    size_t sequence_capacity;
    const char **files; /* not owned; NULL when unknown, as files[0] is */
    size_t file_count;
    size_t file_capacity;
    /* The sequence being built: its rows are those from open_row on. */
    size_t open_row;
    uint64_t last_address; /* of the last row given */
    bool broken;           /* not to be kept */
    bool out_of_memory;    /* stays set; nothing more is added */
};

/* All adding functions do nothing once memory has run out: test out_of_memory at the end. */
void line_table_init(struct line_table *table);
void line_table_free(struct line_table *table);

void line_table_add_file(struct line_table *table, const char *name);

/* Rows come in the order of their addresses; a sequence that breaks that is dropped at its end. */
void line_table_add_row(struct line_table *table, struct line_table_row row);
void line_table_end_sequence(struct line_table *table, uint64_t high);
void line_table_drop_sequence(struct line_table *table);

/* Due once after the last sequence, before the first search. */
void line_table_sort(struct line_table *table);

/* The row that covers an address, NULL when there is none. */
const struct line_table_row *line_table_find(const struct line_table *table, uint64_t address);

#endif
