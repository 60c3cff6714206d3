/* csv_reader.h - what the files of the CSV trace's reader share. Internal to it. */
#ifndef WARPLENS_TRACE_IO_CSV_CSV_READER_H
#define WARPLENS_TRACE_IO_CSV_CSV_READER_H

#include "trace_io/builder.h"
#include "trace_io/csv/csv_columns.h"

enum { CSV_AHEAD_BYTES = 4096 };

/* What rows say of the launch they belong to. */
struct csv_launch {
    const char *kernel;
    uint32_t grid[3], block[3];
    uint64_t number;
};

struct csv_reader {
    struct trace_input *input;
    struct trace_builder builder;
    struct csv csv;
    struct csv_columns columns;
    struct csv_launch launch; /* of the running one, or the one before */

    /* Rows of single lanes that are one access so far. */
    bool is_gathering;
    uint32_t last_lane;
    uint64_t gathered_line;
    struct site_key gathered_site;
    struct warp_access gathered;
    uint64_t gathered_addr[WARP_LANES];

    size_t ahead, ahead_end; /* of what is read ahead in ahead_text */
    char ahead_text[CSV_AHEAD_BYTES];
};

/* ---- Cells. A message names the column. ------------------------------------------------------ */

const char *csv_cell(struct csv_reader *r, enum csv_trace_field field);
bool csv_cell_is_empty(struct csv_reader *r, enum csv_trace_field field);
/* Where messages of the builder point to. Always false. */
bool csv_cell_fail(struct csv_reader *r, enum csv_trace_field field, const char *allowed);
/* A number up to `most`; an empty cell leaves it as it is. */
bool csv_cell_number(struct csv_reader *r, enum csv_trace_field field, uint64_t most,
                     uint64_t *number);
/* The same, of any sign. */
bool csv_cell_signed(struct csv_reader *r, enum csv_trace_field field, int64_t *number);
/* One to three numbers, as "8", "8,4,2" or "(8 4 2)"; *count is how many, 0 for an empty cell. */
bool csv_cell_sides(struct csv_reader *r, enum csv_trace_field field, uint32_t sides[3],
                    size_t *count);
/* The index of a word in a list of names, letter case ignored; an empty cell leaves it as it is. */
bool csv_cell_word(struct csv_reader *r, enum csv_trace_field field, const char *const *names,
                   size_t count, size_t *index);
/* The next piece of a list with blanks or ';' between pieces; NULL at its end. *rest moves on, and
 * `piece` holds the text. A piece that is too long is cut. */
enum { CSV_PIECE_BYTES = 48 };
const char *csv_piece(const char **rest, char piece[CSV_PIECE_BYTES]);
/* Decimal or hexadecimal; false when it is no such number. */
bool csv_number(const char *text, uint64_t most, uint64_t *number);

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A row of an access, of a warp or of one lane. */
bool csv_read_access(struct csv_reader *r);
/* Hands on the access whose lanes were gathered. */
bool csv_flush(struct csv_reader *r);
/* The block, which is a number or coordinates. */
bool csv_read_block(struct csv_reader *r, uint64_t *block);

#endif
