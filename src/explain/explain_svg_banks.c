/* explain_svg_banks.c - the picture of an access to shared memory: below the lanes, a column for each
 * bank, with a cell for every pass in which it serves somebody.
 *
 * Decisions: the height of a column is how long its bank is busy, which is what a conflict is; its
 * colour says the same. Half-warps of sm_1x stand side by side, other groups of lanes below one another.
 */
#include "explain/explain_svg_panels.h"

#include <inttypes.h>

enum {
    BANKS_CAPTION = 16,
    SECTION_CAPTION = 16,
    ROWS_ROOMY = 10, /* up to so many passes there is room for higher cells */
    ROWS_MOST = 40,
    LEGEND_HEIGHT = 24,
    PASSES_CAPTION = 18,
};

static struct panels panels_of(const struct explained *x)
{
    return panels_make(x->banks.rule == BANKS_HALF_WARP_16 ? WARP_LANES / 2 : WARP_LANES);
}

static double panels_right(const struct panels *p)
{
    return panels_left(p, p->count - 1) + panels_width(p);
}

/* The group of lanes of a pass belongs to one panel, or to the only one. */
static bool is_in_panel(const struct panels *p, const struct bank_pass *pass, unsigned panel)
{
    return p->count == 1 || pass->group == panel;
}

static bool starts_section(const struct bank_plan *plan, uint32_t i)
{
    const struct bank_pass *pass = &plan->pass[i];
    return i == 0 || pass->group != pass[-1].group || pass->first_part != pass[-1].first_part;
}

static double row_height(const struct explained *x)
{
    return x->banks.passes <= ROWS_ROOMY ? 20 : 13;
}

/* Whether the sections of a panel have captions: what they are about is not the whole of it. */
static bool has_captions(const struct explained *x, const struct panels *p)
{
    const struct bank_plan *plan = &x->banks;
    return (p->count == 1 && plan->group_lanes < WARP_LANES) ||
           plan->pass[0].parts * 4U < x->access->width;
}

/* The colours of a column, by the passes that its bank takes. */
static const char *degree_class(uint32_t passes)
{
    return passes <= 1   ? "hue2"
           : passes <= 2 ? "hue6"
           : passes <= 4 ? "hue1"
           : passes <= 8 ? "waste"
                         : "hue3";
}

/* The passes of the section of pass `i` in which a bank serves somebody. */
static uint32_t passes_of_bank(const struct bank_plan *plan, uint32_t i, uint32_t bank)
{
    uint32_t passes = 0;
    while (!starts_section(plan, i))
        i--;
    do
        passes += plan->pass[i++].lanes[bank] != 0;
    while (i < plan->passes && !starts_section(plan, i));
    return passes;
}

static double panel_height(const struct explained *x, const struct panels *p, unsigned panel)
{
    const struct bank_plan *plan = &x->banks;
    double height = 0;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < plan->passes; i++) {
        if (!is_in_panel(p, &plan->pass[i], panel))
            continue;
        if (++rows > ROWS_MOST)
            return height + SECTION_CAPTION;
        height +=
            (starts_section(plan, i) && has_captions(x, p) ? SECTION_CAPTION : 0) + row_height(x);
    }
    return height;
}

static double highest_panel(const struct explained *x, const struct panels *p)
{
    double most = 0;
    for (unsigned panel = 0; panel < p->count; panel++) {
        double height = panel_height(x, p, panel);
        most = height > most ? height : most;
    }
    return most;
}

static double bank_width(const struct explained *x, const struct panels *p)
{
    return panels_width(p) / x->banks.banks;
}

static void put_banks(struct svg *svg, const struct explained *x, const struct panels *p,
                      unsigned panel, double y)
{
    const double width = bank_width(x, p), left = panels_left(p, panel);
    for (uint32_t bank = 0; bank < x->banks.banks; bank++) {
        svg_rect(svg, left + bank * width + 1, y, width - 2, BANKS_CAPTION - 2, "idle");
        svg_text(svg, left + (bank + 0.5) * width, y + 11, SVG_MIDDLE, "soft small", "%" PRIu32,
                 bank);
    }
}

static void put_section_caption(struct svg *svg, const struct explained *x, const struct panels *p,
                                const struct bank_pass *pass, double left, double y)
{
    const unsigned first = pass->group * x->banks.group_lanes;
    struct text t;
    text_start(&t);
    if (access_is_matrix(x->access) && x->banks.group_lanes == 8)
        text_add(&t, "matrix %u, ", first / 8);
    if (p->count == 1 && x->banks.group_lanes < WARP_LANES)
        text_add(&t, "lanes %u to %u", first, first + x->banks.group_lanes - 1);
    if (pass->parts * 4U < x->access->width)
        text_add(&t, "%s4-byte part %u of %u", t.length ? ", " : "", pass->first_part + 1U,
                 x->access->width / 4U);
    svg_text(svg, left, y + 12, SVG_START, "soft small", "%s", t.s);
}

static void put_cell(struct svg *svg, const struct explained *x, const struct panels *p, uint32_t i,
                     uint32_t bank, double left, double y)
{
    const uint32_t lanes = x->banks.pass[i].lanes[bank];
    const double width = bank_width(x, p), height = row_height(x);
    uint64_t words[WARP_LANES];
    struct text t;
    text_start(&t);
    text_add_lanes(&t, lanes);
    for (uint32_t count = bank_plan_words(&x->banks, x->access, &x->banks.pass[i], bank, words),
                  k = 0;
         k < count && k < 4; k++)
        text_add(&t, "%s0x%" PRIx64, k == 0 ? ", word " : ", ", words[k]);
    svg_rect_titled(svg, left + bank * width + 1, y + 0.5, width - 2, height - 1,
                    degree_class(passes_of_bank(&x->banks, i, bank)),
                    "pass %" PRIu32 ", bank %" PRIu32 ": %s", i + 1, bank, t.s);
    svg_text(svg, left + (bank + 0.5) * width, y + height / 2 + 3.5, SVG_MIDDLE, "ink small",
             lanes & (lanes - 1) ? "\xc3\x97%d" : "%d",
             lanes & (lanes - 1) ? __builtin_popcount(lanes) : __builtin_ctz(lanes));
}

static void put_pass(struct svg *svg, const struct explained *x, const struct panels *p, uint32_t i,
                     double left, double y)
{
    const struct bank_pass *pass = &x->banks.pass[i];
    const double height = row_height(x);
    svg_line(svg, left, y + height, left + panels_width(p), y + height, "grid");
    svg_text(svg, left - 2, y + height / 2 + 3.5, SVG_END, "soft small", "%" PRIu32, i + 1);
    if (pass->is_overhead)
        svg_text(svg, left + 4, y + height / 2 + 3.5, SVG_START, "soft small",
                 "the additional pass of 16-byte words");
    for (uint32_t bank = 0; bank < x->banks.banks; bank++) {
        if (pass->lanes[bank] != 0)
            put_cell(svg, x, p, i, bank, left, y);
    }
}

static void put_panel(struct svg *svg, const struct explained *x, const struct panels *p,
                      unsigned panel, double y)
{
    const struct bank_plan *plan = &x->banks;
    const double left = panels_left(p, panel);
    uint32_t rows = 0, left_out = 0;
    for (uint32_t i = 0; i < plan->passes; i++) {
        if (!is_in_panel(p, &plan->pass[i], panel))
            continue;
        if (rows++ >= ROWS_MOST) {
            left_out++;
            continue;
        }
        if (starts_section(plan, i) && has_captions(x, p)) {
            put_section_caption(svg, x, p, &plan->pass[i], left, y);
            y += SECTION_CAPTION;
        }
        put_pass(svg, x, p, i, left, y);
        y += row_height(x);
    }
    if (left_out != 0)
        svg_text(svg, left, y + 12, SVG_START, "soft small",
                 "and %" PRIu32 " more passes of the same kind", left_out);
}

/* From each lane to the bank, or the middle of the banks, of its word. */
static void put_links(struct svg *svg, const struct explained *x, const struct panels *p, double y)
{
    const double width = bank_width(x, p);
    const double banks =
        x->access->width > x->banks.bank_bytes ? (double)x->access->width / x->banks.bank_bytes : 1;
    for (uint32_t rest = x->access->active; rest != 0; rest &= rest - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint32_t bank = banks_bank_of(x->banks.rule, access_addr(x->access, lane));
        svg_link(svg, panels_lane(p, lane), y,
                 panels_left(p, lane / p->lanes) + (bank + banks / 2) * width, y + LINKS_HEIGHT,
                 "flow");
    }
}

/* The most passes that one of the banks of a lane's word takes. */
static void lane_classes(const struct explained *x, const char *class[WARP_LANES])
{
    uint32_t most[WARP_LANES] = {0};
    for (uint32_t i = 0; i < x->banks.passes; i++) {
        for (uint32_t bank = 0; bank < x->banks.banks; bank++) {
            const uint32_t passes = passes_of_bank(&x->banks, i, bank);
            for (uint32_t rest = x->banks.pass[i].lanes[bank]; rest != 0; rest &= rest - 1) {
                const unsigned lane = (unsigned)__builtin_ctz(rest);
                most[lane] = passes > most[lane] ? passes : most[lane];
            }
        }
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        class[lane] = degree_class(most[lane]);
}

/* Rows of shared memory come between the lanes and the passes. */
static double rows_above(const struct explained *x)
{
    return explained_has_rows(x) ? rows_height(x) + PASSES_CAPTION : 0;
}

static double banks_height(const struct explained *x)
{
    const struct panels p = panels_of(x);
    return LANES_CAPTION + LANE_HEIGHT + LINKS_HEIGHT + rows_above(x) + BANKS_CAPTION +
           highest_panel(x, &p) + LEGEND_HEIGHT;
}

static void put_legend(struct svg *svg, const struct explained *x, double y)
{
    double left = legend_put(svg, FIGURE_MARGIN, y, "hue2", "1 pass");
    left = legend_put(svg, left, y, "hue6", "2");
    left = legend_put(svg, left, y, "hue1", "3-4");
    left = legend_put(svg, left, y, "waste", "5-8");
    left = legend_put(svg, left, y, "hue3", "more");
    svg_text(svg, left, y, SVG_START, "soft small",
             "a column is one of %" PRIu32 " banks of %" PRIu32 " bytes, a row a pass; \xc3\x97"
             "8: to 8 lanes at once",
             x->banks.banks, x->banks.bank_bytes);
}

static void banks_draw(struct svg *svg, const struct explained *x, double y)
{
    const struct panels p = panels_of(x);
    const char *class[WARP_LANES];
    lane_classes(x, class);
    lanes_put(svg, x, &p, y, class);
    y += LANES_CAPTION + LANE_HEIGHT;
    put_links(svg, x, &p, y);
    y += LINKS_HEIGHT;
    if (explained_has_rows(x)) {
        rows_put(svg, x, panels_left(&p, 0), panels_right(&p) - panels_left(&p, 0), y);
        y += rows_above(x);
        svg_text(svg, panels_left(&p, 0), y - 5, SVG_START, "ink small bold",
                 "Passes: whom a bank serves in which");
    }
    for (unsigned panel = 0; panel < p.count; panel++) {
        put_banks(svg, x, &p, panel, y);
        put_panel(svg, x, &p, panel, y + BANKS_CAPTION);
    }
    put_legend(svg, x, y + BANKS_CAPTION + highest_panel(x, &p) + 16);
}

const struct figure_body figure_banks = {banks_height, banks_draw};
