/* explain_svg_constant.c - the picture of an access to constant memory: below the lanes, a box for each
 * pass, which reads one address for all lanes that want it.
 */
#include "explain/explain_svg_panels.h"

#include <inttypes.h>

enum { BOX_HEIGHT = 34, BOX_WIDTH_MOST = 96, LEGEND_HEIGHT = 22 };

static struct panels panels_of(const struct explained *x)
{
    return panels_make(x->rules.constant_half_warp ? WARP_LANES / 2 : WARP_LANES);
}

/* The passes of a panel: from `first` on, their number is returned. */
static uint32_t passes_of(const struct explained *x, uint32_t lanes, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < x->constant.passes; i++) {
        if ((x->constant.lanes[i] & lanes) == 0)
            continue;
        *first = count++ == 0 ? i : *first;
    }
    return count;
}

static void put_pass(struct svg *svg, const struct explained *x, uint32_t i, double left,
                     double width, double y)
{
    struct text lanes, addr;
    text_start(&lanes);
    text_add_lanes(&lanes, x->constant.lanes[i]);
    text_start(&addr);
    text_add(&addr, "0x%" PRIx64, x->constant.addr[i]);
    svg_rect_titled(svg, left + 1, y, width - 2, BOX_HEIGHT, svg_hue(i),
                    "pass %" PRIu32 ": 0x%" PRIx64 " for %s", i + 1, x->constant.addr[i], lanes.s);
    svg_text(svg, left + width / 2, y + 14, SVG_MIDDLE, "ink small",
             width > 7 * SMALL_CHAR ? "pass %" PRIu32 : "%" PRIu32, i + 1);
    if (width > (double)(addr.length + 1) * SMALL_CHAR)
        svg_text(svg, left + width / 2, y + 27, SVG_MIDDLE, "ink small mono", "%s", addr.s);
}

static void put_panel(struct svg *svg, const struct explained *x, const struct panels *p,
                      unsigned panel, double y)
{
    uint32_t first = 0;
    const uint32_t count = passes_of(x, panels_lanes(p, panel), &first);
    const double room = panels_width(p) / count;
    const double width = room < BOX_WIDTH_MOST ? room : BOX_WIDTH_MOST;
    const double left = panels_left(p, panel) + (panels_width(p) - width * count) / 2;
    for (uint32_t i = first; i < first + count; i++) {
        const double box = left + (i - first) * width;
        for (uint32_t rest = x->constant.lanes[i]; rest != 0; rest &= rest - 1)
            svg_link(svg, panels_lane(p, (unsigned)__builtin_ctz(rest)), y, box + width / 2,
                     y + LINKS_HEIGHT, "flow");
        put_pass(svg, x, i, box, width, y + LINKS_HEIGHT);
    }
}

static double constant_height(const struct explained *x)
{
    (void)x;
    return LANES_CAPTION + LANE_HEIGHT + LINKS_HEIGHT + BOX_HEIGHT + LEGEND_HEIGHT;
}

static void constant_draw(struct svg *svg, const struct explained *x, double y)
{
    const struct panels p = panels_of(x);
    const char *class[WARP_LANES] = {NULL};
    for (uint32_t i = 0; i < x->constant.passes; i++) {
        for (uint32_t rest = x->constant.lanes[i]; rest != 0; rest &= rest - 1)
            class[__builtin_ctz(rest)] = svg_hue(i);
    }
    lanes_put(svg, x, &p, y, class);
    y += LANES_CAPTION + LANE_HEIGHT;
    for (unsigned panel = 0; panel < p.count; panel++)
        put_panel(svg, x, &p, panel, y);
    svg_text(svg, FIGURE_MARGIN, y + LINKS_HEIGHT + BOX_HEIGHT + 16, SVG_START, "soft small",
             "a pass reads one address and gives it to every lane that wants it");
}

const struct figure_body figure_constant = {constant_height, constant_draw};
