/* pieces.h - the inside of widths.c: aligned pieces of memory of which a lane has accessed words one by one, and what
 * becomes of them.
 */
#ifndef WARPLENS_TRACER_WIDTHS_PIECES_H
#define WARPLENS_TRACER_WIDTHS_PIECES_H

#include "tracer/engine.h"
#include "tracer/widths/widths.h"

enum { WORDS_MAX = 4, OPEN_MAX = 16 };

/* Words of one aligned piece of memory, accessed at rows of the column. */
struct piece {
    const struct width_site *site; /* of the first */
    uint64_t at;                   /* its address */
    enum mem_op op;
    enum mem_space space;
    uint8_t log2, word_log2; /* bytes of the piece, and of each word */
    uint8_t present;         /* bit i: word i */
    uint8_t blocked;         /* what would join word i is behind a store that may be to it */
    bool by_loop;            /* aligned in an iteration of a loop that would be unrolled */
    unsigned rounds;         /* of the column, where it began */
    uint16_t rows[WORDS_MAX];
};

struct column {
    unsigned number, count;
    struct width_outcome *outcome;
    unsigned gone;     /* events that others have taken in */
    unsigned rounds;   /* ends of iterations so far */
    unsigned open_ops; /* PIECE_OP bits: such a piece may be open */
    struct piece open[OPEN_MAX];
    unsigned open_count;
};

#define PIECE_OP(space, op) (1U << ((op) + ((space) == SPACE_GLOBAL ? 8U : 0U)))

static inline uint64_t *meta_of(const struct column *column, unsigned row)
{
    return &event_rows.meta[row][column->number];
}

static inline uint64_t *addr_of(const struct column *column, unsigned row)
{
    return &event_rows.addr[row][column->number];
}

/* Adds a piece of one word to those that are open. A word that is there already begins another. */
void piece_add(struct column *column, const struct piece *one);
/* What has been gathered is joined as nvcc joins it. */
void piece_close(struct column *column, const struct piece *piece);

#endif
