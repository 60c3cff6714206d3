/* widths.c - neighbouring words of shared memory, accessed one by one -> one access, as nvcc makes them.
 *
 * What nvcc 13 and its ptxas do (machine code for sm_90; tests/cu/widths.cu has a kernel for each):
 *  - of the four 4-byte words of an aligned 16 bytes, three or four that are loaded become one load of 16 bytes; two in an
 *    aligned 8 bytes, one of 8. Two 8-byte words: one of 16. Bytes and half-words stay;
 *  - stores only as far as all bytes are stored: 8 or 16;
 *  - in whatever order they are, and whatever stands between that does not touch shared memory. A store to
 *    shared memory ends what loads may join, a load what stores may, and so do barriers and fences;
 *  - the words lie apart by constants, and their address must be known to be aligned by its computation: rows of
 *    tile[16][18] are multiples of 8, of tile[16][17] of 4. That an address happens to be aligned is not enough;
 *  - over iterations of loops that go round a constant number of times, as they are unrolled.
 *
 * What is known of addresses is found in the code (address_form.h). Lanes run ahead on their own, so their columns of events
 * are joined before they are merged: lanes that go the same way come to the same. What an access joins
 * must be in the same column: of the last words in a column of EVENT_ROWS events some may stay alone. Loops whose bound
 * is not a constant stay as they are.
 *
 * Only in programs: the gallery's kernels are lessons about the accesses that they have in the source. And not where values
 * are wanted, that is for `check`, which looks at what the source accesses.
 */
#include "tracer/widths.h"

#include "tracer/engine.h"
#include "tracer/shared_faults.h"

enum { WORDS_MAX = 4, OPEN_MAX = 16, ALL_OPS = 1U << OP_LOAD | 1U << OP_STORE };

/* Words of one aligned piece of memory, accessed at rows of the column. */
struct piece {
    const struct width_site *site; /* of the first */
    uint64_t at;                   /* its address */
    enum mem_op op;
    uint8_t log2, word_log2; /* bytes of the piece, and of each word */
    uint8_t present;         /* bit i: word i */
    bool by_loop;            /* aligned in an iteration of a loop that would be unrolled */
    unsigned rounds;         /* of the column, where it began */
    uint16_t rows[WORDS_MAX];
};

struct column {
    unsigned number, count;
    struct width_outcome *outcome;
    unsigned gone;     /* events that others have taken in */
    unsigned rounds;   /* ends of iterations so far */
    unsigned open_ops; /* bit i: a piece of operation i may be open */
    struct piece open[OPEN_MAX];
    unsigned open_count;
};

static uint64_t *meta_of(const struct column *column, unsigned row)
{
    return &event_rows.meta[row][column->number];
}

static uint64_t *addr_of(const struct column *column, unsigned row)
{
    return &event_rows.addr[row][column->number];
}

static uint64_t look_at(const struct column *column, unsigned row, bool is_place)
{
    struct width_outcome *to = column->outcome;
    const uint64_t addr = *addr_of(column, row) & EVENT_ADDR_MASK;
    to->rows[to->count] = (uint16_t)row;
    to->is_place[to->count] = is_place;
    to->addr[to->count++] = addr;
    return addr;
}

/* ---- Joining ---------------------------------------------------------------------------------- */

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

/* A load of three words of four takes in the fourth, where that is the array's. */
static bool takes_all(const struct column *column, const struct piece *piece, unsigned all)
{
    uint64_t begin, end;
    if (piece->present == all)
        return true;
    if (piece->op != OP_LOAD || __builtin_popcount(piece->present) != 3)
        return false;
    column->outcome->at_arrays = true;
    spaces_shared_array(piece->at, &begin, &end);
    return piece->at + (1ULL << piece->log2) <= end;
}

static void close_piece(struct column *column, const struct piece *piece)
{
    unsigned words = 1U << (piece->log2 - piece->word_log2), all = (1U << words) - 1;
    /* A loop that stops at a barrier in each iteration is long, and stays a loop (needle of Rodinia). */
    if (piece->by_loop && piece->rounds == column->rounds)
        return;
    if (takes_all(column, piece, all)) {
        join_words(column, piece, piece->present, piece->log2);
        return;
    }
    for (unsigned pair = 3; pair < all; pair <<= 2)
        if ((piece->present & pair) == pair)
            join_words(column, piece, pair, piece->word_log2 + 1U);
}

/* ---- Which accesses may be joined ------------------------------------------------------------- */

/* Closes the pieces of those operations (bits), but for those of one base. */
static void close_others(struct column *column, unsigned ops, const struct width_site *site)
{
    unsigned kept = 0;
    if (!(ops & column->open_ops))
        return;
    for (unsigned i = 0; i < column->open_count; i++) {
        const struct piece *piece = &column->open[i];
        bool stays = site && piece->site->function == site->function &&
                     piece->site->form.base == site->form.base;
        if (!(ops >> piece->op & 1U) || stays)
            column->open[kept++] = *piece;
        else
            close_piece(column, piece);
    }
    column->open_count = kept;
    column->open_ops &= site ? ALL_OPS : ~ops;
}

/* Where the code around a loop does not show how often it goes round, the loop itself may. */
static bool goes_round_constantly(uint32_t head, uint32_t from)
{
    return widths_loop_is_constant(head, from) ||
           (!loops_is_outer(head, from) && loops_step(head).together == LOOP_FLATTENED);
}

/* What the address is known to be a multiple of, but for what is known of where in it it is. `by_loop`: as far as a loop
 * is unrolled. */
static unsigned known_log2(const struct address_form *form, bool *by_loop)
{
    unsigned log2 = form->log2;
    *by_loop = false;
    for (uint32_t i = 0; i < form->counter_count; i++) {
        const uint32_t head = (uint32_t)form->counters[i].head;
        const unsigned step = (unsigned)__builtin_ctzll((uint64_t)form->counters[i].step);
        if (step >= log2)
            continue;
        if (head && (form->counters[i].end || goes_round_constantly(head, head)))
            *by_loop = true;
        else
            log2 = step;
    }
    return log2;
}

static bool belongs(const struct piece *piece, const struct piece *one)
{
    return piece->at == one->at && piece->op == one->op && piece->log2 == one->log2 &&
           piece->word_log2 == one->word_log2 && piece->site->function == one->site->function &&
           piece->site->form.block == one->site->form.block &&
           piece->site->form.base == one->site->form.base;
}

/* Adds a piece of one word to those that are open. A word that is there already begins another. */
static void add_word(struct column *column, const struct piece *one)
{
    unsigned i = 0;
    while (i < column->open_count && !belongs(&column->open[i], one))
        i++;
    struct piece *piece = &column->open[i];
    if (i < column->open_count && !(piece->present & one->present)) {
        piece->present |= one->present;
        for (unsigned word = 0; word < WORDS_MAX; word++)
            if (one->present >> word & 1U)
                piece->rows[word] = one->rows[word];
        return;
    }
    if (i == OPEN_MAX)
        close_piece(column, piece = &column->open[i = 0]);
    else if (i < column->open_count)
        close_piece(column, piece);
    else
        column->open_count++;
    *piece = *one;
    column->open_ops |= 1U << one->op;
}

static void take_access(struct column *column, unsigned row, uint64_t meta, enum mem_op op,
                        const struct width_site *site)
{
    unsigned word_log2 = meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK;
    bool by_loop = false;
    unsigned log2 = site ? known_log2(&site->form, &by_loop) : 0;
    if (word_log2 < 2 || word_log2 >= log2 || meta >> EVENT_PART_SHIFT)
        return;
    const uint64_t addr = look_at(column, row, false);
    column->outcome->at_arrays |= spaces_shared_is_uneven();
    if (!spaces_shared_is_aligned(addr))
        return;
    struct piece one = {.site = site,
                        .at = addr >> log2 << log2,
                        .op = op,
                        .log2 = (uint8_t)log2,
                        .word_log2 = (uint8_t)word_log2,
                        .by_loop = by_loop,
                        .rounds = column->rounds};
    unsigned word = (unsigned)(addr - one.at) >> word_log2;
    one.present = (uint8_t)(1U << word);
    one.rows[word] = (uint16_t)row;
    add_word(column, &one);
}

static void take_event(struct column *column, unsigned row)
{
    uint64_t meta = *meta_of(column, row);
    enum event_kind kind = (enum event_kind)(meta >> EVENT_KIND_SHIFT & 7);
    enum mem_op op = (enum mem_op)(meta >> EVENT_OP_SHIFT & 7);
    if (kind == EVENT_JUMP_BACK &&
        goes_round_constantly((uint32_t)meta, (uint32_t)look_at(column, row, true))) {
        column->rounds++;
        return;
    }
    if (kind != EVENT_ACCESS || meta >> EVENT_SYNC_SHIFT & 1) {
        close_others(column, ALL_OPS, NULL);
        return;
    }
    if ((meta >> EVENT_SPACE_SHIFT & 7) != SPACE_SHARED)
        return;
    const struct width_site *site = widths_site((uint32_t)meta);
    if (op != OP_LOAD)
        close_others(column, ALL_OPS & ~(1U << OP_STORE), NULL);
    close_others(column, 1U << OP_STORE, op == OP_STORE ? site : NULL);
    if (op == OP_LOAD || op == OP_STORE)
        take_access(column, row, meta, op, site);
}

/* ---- Columns ---------------------------------------------------------------------------------- */

bool widths_join_lane(unsigned number, unsigned count, struct width_outcome *outcome)
{
    struct column column = {.number = number, .count = count, .outcome = outcome};
    outcome->at_arrays = false;
    outcome->count = 0;
    for (unsigned row = 0; row < count; row++)
        take_event(&column, row);
    close_others(&column, ALL_OPS, NULL);
    return column.gone > 0;
}
