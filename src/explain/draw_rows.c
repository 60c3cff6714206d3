/* draw_rows.c - shared memory in rows of 128 bytes, which is once through all 32 banks of 4 bytes: whose word lies where.
 * Two words in one column lie in the same bank, so that lanes of one phase there are a conflict.
 *
 * Cells stand in the columns that the picture of the passes has (draw_banks.c).
 */
#include "explain/explained.h"

#include <inttypes.h>

enum { CELL_CHARS = 3, WORD_BYTES = 4, ROW_WORDS = LINE_BYTES / WORD_BYTES };

uint32_t rows_find(const struct explained *x, uint64_t lines[ROWS_LINES_MOST])
{
    uint32_t count = 0;
    for (uint32_t left = x->access->active; left != 0; left &= left - 1) {
        const uint64_t line = explained_shared_addr(x, (unsigned)__builtin_ctz(left)) / LINE_BYTES;
        uint32_t at = count, known = 0;
        while (known < count && lines[known] != line)
            known++;
        if (known < count)
            continue;
        for (; at != 0 && lines[at - 1] > line; at--)
            lines[at] = lines[at - 1];
        lines[at] = line;
        count++;
    }
    return count;
}

uint32_t rows_lanes(const struct explained *x, uint64_t word_addr)
{
    uint32_t lanes = 0;
    for (uint32_t left = x->access->active; left != 0; left &= left - 1) {
        const uint64_t addr = explained_shared_addr(x, (unsigned)__builtin_ctz(left));
        if (addr < word_addr + WORD_BYTES && addr + x->access->width > word_addr)
            lanes |= left & -left;
    }
    return lanes;
}

/* Words of a cell: as wide as what a lane has there. */
static uint32_t cell_words(const struct explained *x)
{
    return x->access->width > WORD_BYTES ? x->access->width / (uint32_t)WORD_BYTES : 1;
}

static void print_row(const struct explained *x, uint64_t line, FILE *out)
{
    const uint32_t words = cell_words(x);
    fprintf(out, "%3" PRIu64, line);
    for (uint32_t word = 0; word < ROW_WORDS; word += words) {
        const uint32_t lanes = rows_lanes(x, line * LINE_BYTES + word * WORD_BYTES);
        const int room = (int)(CELL_CHARS * words);
        if (lanes == 0)
            fprintf(out, "%*s", room, ".");
        else if (lanes & (lanes - 1))
            fprintf(out, "%*s", room, "**");
        else
            fprintf(out, "%*d", room, __builtin_ctz(lanes));
    }
    fputc('\n', out);
}

static void print_banks(const struct explained *x, FILE *out)
{
    const uint32_t words = cell_words(x);
    fputs("   ", out);
    for (uint32_t word = 0; word < ROW_WORDS; word += words) {
        struct text t;
        text_start(&t);
        text_add(&t, words == 1 ? "%" PRIu32 : "%" PRIu32 "-%" PRIu32, word, word + words - 1);
        fprintf(out, "%*s", (int)(CELL_CHARS * words), t.s);
    }
    fputc('\n', out);
}

static void print_legend(const struct explained *x, FILE *out)
{
    const uint32_t group = explained_group_lanes(x);
    struct text t;
    text_start(&t);
    text_add(&t,
             "row r is the 128 bytes of shared memory from address 128 r on, a column the same "
             "bank%s in every row; a cell shows the lane whose word lies there, ** several, . "
             "nobody's",
             cell_words(x) == 1 ? "" : "s");
    if (group < WARP_LANES)
        text_add(&t, "; lanes %s go together: 0-%" PRIu32 ", %" PRIu32 "-%" PRIu32 ", ...",
                 access_is_matrix(x->access) ? "of one matrix" : "of one phase", group - 1, group,
                 2 * group - 1);
    text_print_wrapped(out, "Rows: ", 6, t.s);
}

void draw_rows(const struct explained *x, FILE *out)
{
    uint64_t lines[ROWS_LINES_MOST];
    const uint32_t count = rows_find(x, lines);
    print_legend(x, out);
    print_banks(x, out);
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0 && lines[i] != lines[i - 1] + 1)
            fputs("  :\n", out);
        print_row(x, lines[i], out);
    }
}
