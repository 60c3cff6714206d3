/* explain_svg_rows.c - shared memory in rows of 128 bytes: a column is a bank, a cell what a lane has there, in the colour of
 * its phase, the lanes that go through the banks together. Two cells of one colour in one column are a conflict.
 *
 * An asynchronous copy is drawn as a load of its source, with the rows of its destination below.
 */
#include "explain/explain_svg_panels.h"

#include <inttypes.h>

enum {
    CAPTION = 18,
    ROW = 15,
    BANKS_HEIGHT = 16,
    FOOT = 24,
    WORD_BYTES = 4,
    ROW_WORDS = LINE_BYTES / WORD_BYTES,
};

/* Waste's orange is left to conflicts. */
static const char *phase_hue(const struct explained *x, uint32_t lanes)
{
    static const uint8_t hues[] = {0, 2, 4, 1};
    return svg_hue(hues[(uint32_t)__builtin_ctz(lanes) / explained_group_lanes(x) % 4]);
}

double rows_height(const struct explained *x)
{
    uint64_t lines[ROWS_LINES_MOST];
    return CAPTION + BANKS_HEIGHT + (double)rows_find(x, lines) * ROW + FOOT;
}

static bool is_one(uint32_t lanes)
{
    return (lanes & (lanes - 1)) == 0;
}

static void put_row(struct svg *svg, const struct explained *x, uint64_t line, double left,
                    double width, double y)
{
    const uint32_t words = x->access->width > WORD_BYTES ? x->access->width / 4U : 1;
    const double pitch = width / ROW_WORDS;
    if (line < 100) /* what there is room for */
        svg_text(svg, left - 2, y + 11, SVG_END, "soft small", "%" PRIu64, line);
    for (uint32_t word = 0; word < ROW_WORDS; word += words) {
        const uint64_t addr = line * LINE_BYTES + (uint64_t)word * WORD_BYTES;
        const uint32_t lanes = rows_lanes(x, addr);
        struct text t;
        if (lanes == 0) {
            svg_rect(svg, left + word * pitch, y, words * pitch, ROW, "cell");
            continue;
        }
        text_start(&t);
        text_add_lanes(&t, lanes);
        svg_rect_titled(svg, left + word * pitch, y, words * pitch, ROW, phase_hue(x, lanes),
                        "0x%" PRIx64 ", bank %" PRIu32 ": %s", addr, word, t.s);
        svg_text(svg, left + (word + words / 2.0) * pitch, y + 11, SVG_MIDDLE, "ink small",
                 is_one(lanes) ? "%d" : "\xc3\x97%d",
                 is_one(lanes) ? __builtin_ctz(lanes) : __builtin_popcount(lanes));
    }
}

static void put_legend(struct svg *svg, const struct explained *x, double left, double y)
{
    const uint32_t size = explained_group_lanes(x);
    for (uint32_t first = 0; first < WARP_LANES && size < WARP_LANES; first += size) {
        struct text t;
        const uint32_t lanes = (UINT32_MAX >> (WARP_LANES - size)) << first;
        text_start(&t);
        if ((x->access->active & lanes) == 0)
            continue;
        if (access_is_matrix(x->access))
            text_add(&t, "matrix %" PRIu32 ", ", first / size);
        text_add_lanes(&t, lanes);
        left = legend_put(svg, left, y, phase_hue(x, lanes), t.s);
    }
}

void rows_put(struct svg *svg, const struct explained *x, double left, double width, double y)
{
    uint64_t lines[ROWS_LINES_MOST];
    const uint32_t count = rows_find(x, lines);
    svg_text(svg, left, y + 12, SVG_START, "ink small bold",
             "Shared memory: row r is the 128 bytes from 128 r on, a column a bank%s",
             x->path == PATH_BANKS ? "; the same colour twice in a column is a conflict" : "");
    y += CAPTION;
    for (uint32_t bank = 0; bank < ROW_WORDS; bank++)
        svg_text(svg, left + (bank + 0.5) * width / ROW_WORDS, y + 11, SVG_MIDDLE, "soft small",
                 "%" PRIu32, bank);
    y += BANKS_HEIGHT;
    for (uint32_t i = 0; i < count; i++, y += ROW)
        put_row(svg, x, lines[i], left, width, y);
    put_legend(svg, x, left, y + 14);
}

static double copy_height(const struct explained *x)
{
    return figure_memory.height(x) + rows_height(x);
}

static void copy_draw(struct svg *svg, const struct explained *x, double y)
{
    figure_memory.draw(svg, x, y);
    rows_put(svg, x, FIGURE_MARGIN, FIGURE_CONTENT, y + figure_memory.height(x));
}

const struct figure_body figure_copy = {copy_height, copy_draw};
