/* draw_memory.c - the picture of the memory that a warp touches.
 *
 * A row is a piece of memory, cut into 32-byte sectors by bars; a cell is a word and shows its
 * lane. Below a row lie the transactions that move it, as arrows over the bytes they cover;
 * transactions of the same bytes share an arrow. With many rows the arrows give way to names at the
 * end of the row, and rows that no lane uses are not drawn. So at most 32 rows are drawn, one a
 * lane.
 */
#include "explain/explained.h"

#include <inttypes.h>
#include <string.h>

enum {
    ROW_CHARS = 64,   /* the cells of a row together */
    ROWS_MOST = 128,  /* 32 transactions of 128 bytes in rows of 32 bytes */
    ROWS_ARROWS = 12, /* above, the picture would not fit on a screen with arrows */
    LABEL_CHARS = 40
};

struct layout {
    uint32_t row_bytes, cell_bytes, cell_chars;
};

/* By log2 of the width. Single bytes would need too wide a row: a cell is then four of them. */
static const struct layout layouts[] = {
    {32, 4, 8}, {32, 2, 4}, {64, 4, 4}, {128, 8, 4}, {128, 16, 8},
};

struct picture {
    const struct explained *x;
    struct layout layout;
    unsigned left; /* column of a row's first bar */
    uint32_t rows;
    uint64_t row[ROWS_MOST]; /* addresses, rising */
    bool has_arrows;
    char line[PAGE_COLUMNS + 1];
};

/* An arrow: the transactions that move the same bytes. */
struct arrow {
    uint64_t addr;
    uint32_t bytes;
    uint32_t members; /* bit i: transaction i of the list */
};

/* Column of a byte of a row; for a row's end, the column after its last bar. */
static unsigned column_of(const struct picture *p, uint32_t offset)
{
    return p->left + 1 + offset * ROW_CHARS / p->layout.row_bytes + offset / SECTOR_BYTES;
}

static void line_clear(struct picture *p)
{
    memset(p->line, ' ', PAGE_COLUMNS);
    p->line[PAGE_COLUMNS] = '\0';
}

static void line_put(struct picture *p, unsigned column, const char *s)
{
    memcpy(p->line + column, s, strlen(s));
}

static void line_put_centred(struct picture *p, unsigned column, unsigned chars, const char *s)
{
    line_put(p, column + (chars - (unsigned)strlen(s) + 1) / 2, s);
}

static void line_print(struct picture *p, FILE *out)
{
    size_t length = PAGE_COLUMNS;
    while (length != 0 && p->line[length - 1] == ' ')
        length--;
    fprintf(out, "%.*s\n", (int)length, p->line);
    line_clear(p);
}

/* The active lanes whose words begin in a piece of memory. */
static uint32_t lanes_in(const struct explained *x, uint64_t addr, uint32_t bytes)
{
    uint32_t lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (access_lane_active(x->access, lane) && access_addr(x->access, lane) - addr < bytes)
            lanes |= UINT32_C(1) << lane;
    }
    return lanes;
}

static bool is_moved(const struct explained *x, uint64_t addr)
{
    for (uint32_t i = 0; i < x->moved.transactions; i++) {
        if (addr - x->moved.list[i].addr < x->moved.list[i].bytes)
            return true;
    }
    return false;
}

/* Enters a row in its place. */
static void add_row(struct picture *p, uint64_t addr)
{
    uint32_t at = p->rows;
    for (uint32_t i = 0; i < p->rows; i++) {
        if (p->row[i] == addr)
            return;
    }
    for (; at != 0 && p->row[at - 1] > addr; at--)
        p->row[at] = p->row[at - 1];
    p->row[at] = addr;
    p->rows++;
}

static void collect_rows(struct picture *p)
{
    const struct coalesced *moved = &p->x->moved;
    const uint64_t row_bytes = p->layout.row_bytes;
    for (uint32_t i = 0; i < moved->transactions; i++) {
        uint64_t end = moved->list[i].addr + moved->list[i].bytes;
        uint64_t row = moved->list[i].addr / row_bytes * row_bytes;
        for (; row < end; row += row_bytes)
            add_row(p, row);
    }
}

/* Keeps the rows that a lane uses; returns how many go. */
static uint32_t drop_unused_rows(struct picture *p)
{
    uint32_t kept = 0, all = p->rows;
    for (uint32_t i = 0; i < all; i++) {
        if (lanes_in(p->x, p->row[i], p->layout.row_bytes) != 0)
            p->row[kept++] = p->row[i];
    }
    p->rows = kept;
    return all - kept;
}

static bool is_run(uint32_t lanes)
{
    return (lanes & (lanes + (lanes & -lanes))) == 0;
}

static void cell_text(const struct picture *p, uint64_t addr, struct text *t)
{
    const uint32_t lanes = lanes_in(p->x, addr, p->layout.cell_bytes);
    const bool is_wide = p->layout.cell_chars > 4; /* has room for "16-31" */
    text_start(t);
    if (lanes == 0)
        text_add(t, "%s", is_moved(p->x, addr) ? ".." : "");
    else if ((lanes & (lanes - 1)) == 0 || (is_wide && is_run(lanes)))
        text_add_set(t, lanes);
    else
        text_add(t, "**");
}

static void put_row(struct picture *p, uint64_t row)
{
    struct text t;
    text_start(&t);
    text_add(&t, "0x%0*" PRIx64, (int)p->left - 3, row);
    line_put(p, 0, t.s);
    for (uint32_t offset = 0; offset < p->layout.row_bytes; offset += p->layout.cell_bytes) {
        if (offset % SECTOR_BYTES == 0)
            line_put(p, column_of(p, offset) - 1, "|");
        cell_text(p, row + offset, &t);
        line_put_centred(p, column_of(p, offset), p->layout.cell_chars, t.s);
    }
    line_put(p, column_of(p, p->layout.row_bytes) - 1, "|");
}

/* The fullest label that fits: names and sizes, names alone, number and size. */
static void arrow_label(const struct arrow *arrow, unsigned room, struct text *t)
{
    const unsigned times = (unsigned)__builtin_popcount(arrow->members);
    text_start(t);
    text_add(t, " ");
    text_add_transactions(t, arrow->members);
    size_t names = t->length;
    if (times == 1)
        text_add(t, ": %u B ", (unsigned)arrow->bytes);
    else
        text_add(t, ": %u x %u B ", times, (unsigned)arrow->bytes);
    if (t->length > room && names < room) {
        t->length = names;
        text_add(t, " ");
    } else if (t->length > room) {
        text_start(t);
        text_add(t, " %u x %u B ", times, (unsigned)arrow->bytes);
    }
}

static uint64_t arrow_end(const struct arrow *arrow)
{
    return arrow->addr + arrow->bytes;
}

/* Draws the part of an arrow that lies in a row; false when something lies there already. */
static bool put_arrow(struct picture *p, uint64_t row, const struct arrow *arrow)
{
    const uint64_t row_end = row + p->layout.row_bytes;
    const bool begins = arrow->addr >= row, ends = arrow_end(arrow) <= row_end;
    const unsigned from = column_of(p, begins ? (uint32_t)(arrow->addr - row) : 0);
    const uint64_t last = ends ? arrow_end(arrow) : row_end;
    const unsigned to = column_of(p, (uint32_t)(last - row)) - 1;
    struct text label;
    if (p->line[from] != ' ')
        return false;
    for (unsigned column = from; column < to; column++) {
        if (p->line[column] != ' ')
            return false;
    }
    memset(p->line + from, '-', to - from);
    if (begins)
        p->line[from] = '<';
    if (ends)
        p->line[to - 1] = '>';
    arrow_label(arrow, to - from - 2, &label);
    line_put_centred(p, from, to - from, label.s);
    return true;
}

/* The arrows over a row, by their first transaction. */
static uint32_t collect_arrows(const struct picture *p, uint64_t row, struct arrow *arrows)
{
    const struct coalesced *moved = &p->x->moved;
    uint32_t count = 0, i, k;
    for (i = 0; i < moved->transactions; i++) {
        const struct transaction *sent = &moved->list[i];
        if (sent->addr >= row + p->layout.row_bytes || sent->addr + sent->bytes <= row)
            continue;
        for (k = 0; k < count; k++) {
            if (arrows[k].addr == sent->addr && arrows[k].bytes == sent->bytes)
                break;
        }
        if (k == count)
            arrows[count++] = (struct arrow){sent->addr, sent->bytes, 0};
        arrows[k].members |= UINT32_C(1) << i;
    }
    return count;
}

/* Lines of arrows, as many as it takes to have none on top of another. */
static void print_arrows(struct picture *p, uint64_t row, FILE *out)
{
    struct arrow arrows[WARP_LANES];
    uint32_t left = collect_arrows(p, row, arrows);
    while (left != 0) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < left; i++) {
            if (!put_arrow(p, row, &arrows[i]))
                arrows[kept++] = arrows[i];
        }
        line_print(p, out);
        left = kept;
    }
}

/* At the end of a row: the transactions that move it. */
static void put_names(struct picture *p, uint64_t row)
{
    struct arrow arrows[WARP_LANES];
    const uint32_t count = collect_arrows(p, row, arrows);
    const unsigned column = column_of(p, p->layout.row_bytes) + 1;
    uint32_t members = 0;
    struct text t;
    for (uint32_t i = 0; i < count; i++)
        members |= arrows[i].members;
    text_start(&t);
    text_add_transactions(&t, members);
    if (column + t.length > PAGE_COLUMNS) {
        text_start(&t);
        text_add(&t, "%d in all", __builtin_popcount(members));
    }
    line_put(p, column, t.s);
}

static void print_offsets(struct picture *p, FILE *out)
{
    struct text t;
    for (uint32_t offset = 0; offset < p->layout.row_bytes; offset += SECTOR_BYTES) {
        text_start(&t);
        text_add(&t, "+0x%02" PRIx32, offset);
        line_put(p, column_of(p, offset), t.s);
    }
    line_print(p, out);
}

static void print_legend(const struct picture *p, FILE *out)
{
    struct text t;
    text_start(&t);
    text_add(&t,
             "a cell is %u byte%s and shows its lane%s; ** several lanes, .. moved but not used, "
             "blank not moved; a bar every 32 bytes",
             (unsigned)p->layout.cell_bytes, p->layout.cell_bytes == 1 ? "" : "s",
             p->layout.cell_bytes > p->x->access->width ? "s" : "");
    if (p->has_arrows)
        text_add(&t, "; <-T1-> is transaction 1");
    else
        text_add(&t, "; at the end of a row, the transactions that move it");
    text_print_wrapped(out, "Memory: ", 8, t.s);
}

static unsigned hex_digits(uint64_t value)
{
    unsigned digits = 1;
    while ((value >>= 4) != 0)
        digits++;
    return digits;
}

static void print_row(struct picture *p, uint32_t i, FILE *out)
{
    bool is_after_gap = i != 0 && p->row[i] != p->row[i - 1] + p->layout.row_bytes;
    if (p->has_arrows && is_after_gap)
        fputs("  :\n", out);
    put_row(p, p->row[i]);
    if (!p->has_arrows)
        put_names(p, p->row[i]);
    line_print(p, out);
    if (p->has_arrows)
        print_arrows(p, p->row[i], out);
}

void draw_memory(const struct explained *x, FILE *out)
{
    struct picture p = {.x = x, .layout = layouts[__builtin_ctz(x->access->width)]};
    uint32_t dropped = 0;
    collect_rows(&p);
    p.has_arrows = p.rows <= ROWS_ARROWS;
    if (!p.has_arrows)
        dropped = drop_unused_rows(&p);
    unsigned digits = hex_digits(p.row[p.rows - 1]);
    p.left = 3 + (digits < 4 ? 4 : digits);
    line_clear(&p);
    print_legend(&p, out);
    print_offsets(&p, out);
    for (uint32_t i = 0; i < p.rows; i++)
        print_row(&p, i, out);
    if (dropped != 0)
        fprintf(out, "%u more rows are moved without being used and are not drawn.\n",
                (unsigned)dropped);
}
