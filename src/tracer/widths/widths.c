/* widths.c - neighbouring words of shared memory, and of aligned structs in global memory, accessed one by one -> one access,
 * as nvcc makes them.
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
 * In global memory a piece is an element of an array of structs that are aligned to more than their members: float2, uchar4, and
 * what says __align__. There bytes and half-words are joined, too; of four words the first and two others are loaded as all four;
 * a store to one member leaves what other members may join, since a member of a struct is no other member of one.
 *
 * What is known of addresses is found in the code (address_form.h). Lanes run ahead on their own, so their columns of events
 * are joined before they are merged: lanes that go the same way come to the same. What an access joins
 * must be in the same column: of the last words in a column of EVENT_ROWS events some may stay alone. Loops whose bound
 * is not a constant stay as they are.
 *
 * Only in programs: the gallery's kernels are lessons about the accesses that they have in the source. And not where values
 * are wanted, that is for `check`, which looks at what the source accesses.
 */
#include "tracer/widths/widths.h"

#include "tracer/widths/elements.h"
#include "tracer/shared_faults.h"
#include "tracer/widths/pieces.h"

enum {
    SHARED_OPS = PIECE_OP(SPACE_SHARED, OP_LOAD) | PIECE_OP(SPACE_SHARED, OP_STORE),
    GLOBAL_OPS = PIECE_OP(SPACE_GLOBAL, OP_LOAD) | PIECE_OP(SPACE_GLOBAL, OP_STORE),
    ALL_OPS = SHARED_OPS | GLOBAL_OPS,
};

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
        if (!(ops & PIECE_OP(piece->space, piece->op)) || stays)
            column->open[kept++] = *piece;
        else
            piece_close(column, piece);
    }
    column->open_count = kept;
    column->open_ops &= site ? ALL_OPS : ~ops;
}

/* Where the code around a loop does not show how often it goes round, the loop itself may. */
static bool goes_round_constantly(uint32_t head, uint32_t from)
{
    return widths_loop_is_constant(head, from) ||
           (!loops_is_outer(head, from) && loops_shape(head).kind == LOOP_FLATTENED);
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

/* The address at that row, which what is joined depends on. */
static uint64_t look_at(const struct column *column, unsigned row, bool is_place)
{
    struct width_outcome *to = column->outcome;
    const uint64_t addr = *addr_of(column, row) & EVENT_ADDR_MASK;
    to->rows[to->count] = (uint16_t)row;
    to->is_place[to->count] = is_place;
    to->addr[to->count++] = addr;
    return addr;
}

static void add_word(struct column *column, unsigned row, struct piece one)
{
    uint64_t addr = *addr_of(column, row) & EVENT_ADDR_MASK;
    one.at = addr >> one.log2 << one.log2;
    unsigned word = (unsigned)(addr - one.at) >> one.word_log2;
    one.present = (uint8_t)(1U << word);
    one.rounds = column->rounds;
    one.rows[word] = (uint16_t)row;
    piece_add(column, &one);
}

static void take_shared(struct column *column, unsigned row, uint64_t meta, enum mem_op op,
                        const struct width_site *site)
{
    unsigned word_log2 = meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK;
    bool by_loop = false;
    unsigned log2 = site ? known_log2(&site->form, &by_loop) : 0;
    if (op != OP_LOAD)
        close_others(column, SHARED_OPS & ~PIECE_OP(SPACE_SHARED, OP_STORE), NULL);
    close_others(column, PIECE_OP(SPACE_SHARED, OP_STORE), op == OP_STORE ? site : NULL);
    if ((op != OP_LOAD && op != OP_STORE) || word_log2 < 2 || word_log2 >= log2 ||
        meta >> EVENT_PART_SHIFT)
        return;
    const uint64_t addr = look_at(column, row, false);
    column->outcome->at_arrays |= spaces_shared_is_uneven();
    if (!spaces_shared_is_aligned(addr))
        return;
    add_word(column, row,
             (struct piece){.site = site,
                            .op = op,
                            .space = SPACE_SHARED,
                            .log2 = (uint8_t)log2,
                            .word_log2 = (uint8_t)word_log2,
                            .by_loop = by_loop});
}

/* ---- Global memory ---------------------------------------------------------------------------- */

/* The member that an access is of: log2 is 0 where it is of none that joins others. */
static struct piece member_of(const struct column *column, unsigned row, uint64_t meta,
                              enum mem_op op)
{
    unsigned word_log2 = meta >> EVENT_WIDTH_SHIFT & EVENT_WIDTH_MASK;
    unsigned log2 = elements_log2(*addr_of(column, row) & EVENT_ADDR_MASK);
    if (log2 > word_log2 + 2)
        log2 = word_log2 + 2;
    bool joins =
        log2 > word_log2 && !(meta >> EVENT_PART_SHIFT) && !(meta >> EVENT_READ_ONLY_SHIFT & 1);
    return (struct piece){.site = widths_site((uint32_t)meta),
                          .op = op,
                          .space = SPACE_GLOBAL,
                          .log2 = (uint8_t)(joins ? log2 : 0),
                          .word_log2 = (uint8_t)word_log2};
}

/* Whether the access may be to a word of the piece: it is of no other member. Where it is a store, loads that are still to
 * come may not be joined over it. */
static bool meets(struct piece *piece, const struct piece *one, uint8_t word)
{
    if (one->log2 != piece->log2 || one->word_log2 != piece->word_log2)
        return true;
    if (piece->op == OP_LOAD)
        piece->blocked |= word;
    return piece->op == OP_STORE && piece->present & word;
}

/* Loads pass loads, and words of one piece each other. */
static void close_met(struct column *column, const struct piece *one, uint64_t addr)
{
    const uint8_t word =
        (uint8_t)(1U << ((addr >> one->word_log2) & ((1U << (one->log2 - one->word_log2)) - 1)));
    unsigned kept = 0;
    for (unsigned i = 0; i < column->open_count; i++) {
        struct piece *piece = &column->open[i];
        bool passes =
            piece->space != SPACE_GLOBAL || (piece->op == OP_LOAD && one->op == OP_LOAD) ||
            (piece->op == one->op && one->site && piece->site->function == one->site->function &&
             piece->site->form.base == one->site->form.base);
        if (passes || !meets(piece, one, word))
            column->open[kept++] = *piece;
        else
            piece_close(column, piece);
    }
    column->open_count = kept;
}

static void take_global(struct column *column, unsigned row, uint64_t meta, enum mem_op op)
{
    if (op != OP_LOAD && op != OP_STORE) {
        close_others(column, GLOBAL_OPS, NULL);
        return;
    }
    struct piece one = member_of(column, row, meta, op);
    column->outcome->at_arrays = true;
    if (column->open_ops & GLOBAL_OPS)
        close_met(column, &one, *addr_of(column, row) & EVENT_ADDR_MASK);
    if (one.log2 && one.site)
        add_word(column, row, one);
}

/* ---- Columns ---------------------------------------------------------------------------------- */

static void take_event(struct column *column, unsigned row)
{
    uint64_t meta = *meta_of(column, row);
    enum event_kind kind = event_kind(meta);
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
    enum mem_space space = (enum mem_space)(meta >> EVENT_SPACE_SHIFT & 7);
    if (space == SPACE_SHARED)
        take_shared(column, row, meta, op, widths_site((uint32_t)meta));
    else if (space == SPACE_GLOBAL && elements_are_there())
        take_global(column, row, meta, op);
}

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
