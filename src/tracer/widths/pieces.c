/* pieces.c - which words of an aligned piece become one access. Decisions: widths.c. */
#include "tracer/widths/pieces.h"

#include "tracer/shared_faults.h"

/* Words `words` of the piece become one access of that width. Loads are made with the first of them, stores with the last. */
static void join_words(struct column *column, const struct piece *piece, unsigned words,
                       unsigned log2)
{
    unsigned row = piece->rows[__builtin_ctz(words)];
    for (unsigned i = 0; i < WORDS_MAX; i++)
        if (words >> i & 1U && (piece->op == OP_LOAD ? piece->rows[i] < row : piece->rows[i] > row))
            row = piece->rows[i];
    for (unsigned i = 0; i < WORDS_MAX; i++)
        if (words >> i & 1U && piece->rows[i] != row)
            *meta_of(column, piece->rows[i]) = WIDTHS_GONE;
    column->gone += (unsigned)__builtin_popcount(words) - 1;
    uint64_t *meta = meta_of(column, row), *addr = addr_of(column, row);
    *meta = (*meta & ~((uint64_t)EVENT_WIDTH_MASK << EVENT_WIDTH_SHIFT)) | (uint64_t)log2
                                                                               << EVENT_WIDTH_SHIFT;
    uint64_t begin =
        (piece->at + ((uint64_t)__builtin_ctz(words) << piece->word_log2)) >> log2 << log2;
    *addr = (*addr & ~EVENT_ADDR_MASK) | begin;
}

/* By the words of four that are loaded, bit i of the index word i: whether all four are. In global memory ptxas takes
 * loads apart again of which only two 4-byte words are used. */
static const bool shared_loads[16] = {[7] = true, [11] = true, [13] = true, [14] = true};
static const bool global_loads[16] = {[7] = true, [11] = true, [13] = true};
static const bool global_small_loads[16] = {
    [5] = true, [7] = true, [9] = true, [11] = true, [13] = true};

/* A load of some words of four takes in the others, where those are the array's. */
static bool takes_all(const struct column *column, const struct piece *piece, unsigned all)
{
    uint64_t begin, end;
    if (piece->present == all)
        return true;
    if (piece->op != OP_LOAD || all != 15)
        return false;
    if (piece->space == SPACE_GLOBAL)
        return (piece->word_log2 < 2 ? global_small_loads : global_loads)[piece->present];
    column->outcome->at_arrays = true;
    spaces_shared_array(piece->at, &begin, &end);
    return shared_loads[piece->present] && piece->at + (1ULL << piece->log2) <= end;
}

/* Words 1, 2 and 3 are stored one by one in global memory. */
static bool stays_apart(const struct piece *piece)
{
    return piece->space == SPACE_GLOBAL && piece->op == OP_STORE && piece->present == 14;
}

void piece_close(struct column *column, const struct piece *piece)
{
    unsigned words = 1U << (piece->log2 - piece->word_log2), all = (1U << words) - 1;
    /* A loop that stops at a barrier in each iteration is long, and stays a loop (needle of Rodinia). */
    if (stays_apart(piece) || (piece->by_loop && piece->rounds == column->rounds))
        return;
    if (takes_all(column, piece, all)) {
        join_words(column, piece, piece->present, piece->log2);
        return;
    }
    for (unsigned pair = 3; pair < all; pair <<= 2)
        if ((piece->present & pair) == pair)
            join_words(column, piece, pair, piece->word_log2 + 1U);
}

static bool belongs(const struct piece *piece, const struct piece *one)
{
    return piece->at == one->at && piece->op == one->op && piece->log2 == one->log2 &&
           piece->word_log2 == one->word_log2 && piece->site->function == one->site->function &&
           piece->site->form.block == one->site->form.block &&
           piece->site->form.base == one->site->form.base;
}

void piece_add(struct column *column, const struct piece *one)
{
    unsigned i = 0;
    while (i < column->open_count && !belongs(&column->open[i], one))
        i++;
    struct piece *piece = &column->open[i];
    if (i < column->open_count && !((piece->present | piece->blocked) & one->present)) {
        piece->present |= one->present;
        for (unsigned word = 0; word < WORDS_MAX; word++)
            if (one->present >> word & 1U)
                piece->rows[word] = one->rows[word];
        return;
    }
    if (i == OPEN_MAX)
        piece_close(column, piece = &column->open[i = 0]);
    else if (i < column->open_count)
        piece_close(column, piece);
    else
        column->open_count++;
    *piece = *one;
    column->open_ops |= PIECE_OP(one->space, one->op);
}
