/* line_table.c - the rows of all line number programs, kept by sequence.
 *
 * Decisions:
 * - A row without a line (line 0: code the compiler made up) extends the row before it in its
 *   sequence, and so does a row that repeats its file and line. Neither takes memory.
 * - Of several rows at one address the last one that has a line counts, the others cover nothing.
 * - A sequence at address 0 is a function that the linker dropped; one whose addresses go backwards
 *   is damaged. Both are left out, as is one that covers nothing.
 * - Where two sequences start at one address, the first one given counts: the linker kept that copy
 *   of an inline function. Other overlaps do not occur in a sound file; the later start wins.
 * - Rows over the limit are left out with their sequence, so a huge file costs at most 1 GiB.
 */
#include "machine_code/line_table.h"

#include <stdlib.h>

enum { ROW_LIMIT = 50 * 1000 * 1000, FIRST_CAPACITY = 256 };

/* Makes room for one more item. NULL when there is no memory; the old array is still there then. */
static void *line_table_grow(struct line_table *table, void *items, size_t count, size_t *capacity,
                             size_t item_bytes)
{
    if (count < *capacity)
        return items;
    size_t wanted = *capacity > 0 ? 2 * *capacity : FIRST_CAPACITY;
    void *grown = wanted <= SIZE_MAX / item_bytes ? realloc(items, wanted * item_bytes) : NULL;
    if (grown == NULL)
        table->out_of_memory = true;
    else
        *capacity = wanted;
    return grown;
}

void line_table_init(struct line_table *table)
{
    *table = (struct line_table){0};
    line_table_add_file(table, NULL);
}

void line_table_free(struct line_table *table)
{
    free(table->rows);
    free(table->sequences);
    free(table->files);
    *table = (struct line_table){0};
}

void line_table_add_file(struct line_table *table, const char *name)
{
    const char **files = line_table_grow(table, table->files, table->file_count,
                                         &table->file_capacity, sizeof *files);
    if (files == NULL)
        return;
    table->files = files;
    files[table->file_count++] = name;
}

static void line_table_push_row(struct line_table *table, struct line_table_row row)
{
    struct line_table_row *rows =
        line_table_grow(table, table->rows, table->row_count, &table->row_capacity, sizeof *rows);
    if (rows == NULL)
        return;
    table->rows = rows;
    rows[table->row_count++] = row;
}

static void line_table_push_sequence(struct line_table *table, struct line_table_sequence sequence)
{
    struct line_table_sequence *sequences =
        line_table_grow(table, table->sequences, table->sequence_count, &table->sequence_capacity,
                        sizeof *sequences);
    if (sequences == NULL)
        return;
    table->sequences = sequences;
    sequences[table->sequence_count++] = sequence;
}

void line_table_add_row(struct line_table *table, struct line_table_row row)
{
    bool is_first = table->row_count == table->open_row;
    if ((!is_first && row.address < table->last_address) || table->row_count >= ROW_LIMIT)
        table->broken = true;
    table->last_address = row.address;
    if (table->broken)
        return;
    struct line_table_row *last = is_first ? NULL : &table->rows[table->row_count - 1];
    if (last != NULL && (row.line == 0 || (row.line == last->line && row.file == last->file)))
        return;
    if (last != NULL && row.address == last->address)
        *last = row;
    else
        line_table_push_row(table, row);
}

void line_table_drop_sequence(struct line_table *table)
{
    table->row_count = table->open_row;
    table->broken = false;
}

void line_table_end_sequence(struct line_table *table, uint64_t high)
{
    struct line_table_sequence sequence = {.high = high,
                                           .first_row = table->open_row,
                                           .row_count = table->row_count - table->open_row};
    if (sequence.row_count > 0)
        sequence.low = table->rows[sequence.first_row].address;
    if (table->broken || sequence.low == 0 || sequence.low >= high || table->last_address > high) {
        line_table_drop_sequence(table);
        return;
    }
    line_table_push_sequence(table, sequence);
    table->open_row = table->row_count;
}

static int line_table_compare(const void *left, const void *right)
{
    const struct line_table_sequence *a = left;
    const struct line_table_sequence *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->first_row > b->first_row ? -1 : 1; /* the search takes the last of equals */
}

void line_table_sort(struct line_table *table)
{
    if (table->sequence_count > 1)
        qsort(table->sequences, table->sequence_count, sizeof *table->sequences,
              line_table_compare);
}

static const struct line_table_sequence *line_table_find_sequence(const struct line_table *table,
                                                                  uint64_t address)
{
    size_t low = 0;
    size_t high = table->sequence_count;
    while (low < high) { /* until `low` is the first sequence that starts after the address */
        size_t middle = low + (high - low) / 2;
        if (table->sequences[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && address < table->sequences[low - 1].high ? &table->sequences[low - 1] : NULL;
}

const struct line_table_row *line_table_find(const struct line_table *table, uint64_t address)
{
    const struct line_table_sequence *sequence = line_table_find_sequence(table, address);
    if (sequence == NULL)
        return NULL;
    const struct line_table_row *rows = &table->rows[sequence->first_row];
    size_t low = 1; /* the first row starts where the sequence does, so it is a match already */
    size_t high = sequence->row_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return &rows[low - 1];
}
