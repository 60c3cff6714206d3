/* explain_svg_lanes.c - the row of lanes at the top of a picture, and entries of legends. */
#include "explain/explain_svg_panels.h"

#include <string.h>

enum { SWATCH = 10 };

struct panels panels_make(unsigned lanes)
{
    const unsigned count = WARP_LANES / lanes;
    const double gap = count == 1 ? 0 : count == 2 ? 24 : count == 4 ? 16 : count == 8 ? 12 : 8;
    return (struct panels){.count = count,
                           .lanes = lanes,
                           .gap = gap,
                           .pitch = (FIGURE_CONTENT - gap * (count - 1)) / WARP_LANES};
}

double panels_width(const struct panels *p)
{
    return p->pitch * p->lanes;
}

double panels_left(const struct panels *p, unsigned panel)
{
    return FIGURE_MARGIN + panel * (panels_width(p) + p->gap);
}

uint32_t panels_lanes(const struct panels *p, unsigned panel)
{
    return UINT32_MAX >> (WARP_LANES - p->lanes) << panel * p->lanes;
}

double panels_lane(const struct panels *p, unsigned lane)
{
    return panels_left(p, lane / p->lanes) + (lane % p->lanes + 0.5) * p->pitch;
}

static void put_caption(struct svg *svg, const struct panels *p, unsigned panel, double y)
{
    const unsigned first = panel * p->lanes, last = first + p->lanes - 1;
    const double middle = panels_left(p, panel) + panels_width(p) / 2;
    if (p->lanes == WARP_LANES)
        svg_text(svg, middle, y, SVG_MIDDLE, "soft small", "the warp's lanes");
    else if (p->lanes == WARP_LANES / 2)
        svg_text(svg, middle, y, SVG_MIDDLE, "soft small", "half-warp %u: lanes %u to %u", panel,
                 first, last);
    else
        svg_text(svg, middle, y, SVG_MIDDLE, "soft small",
                 p->lanes == 8 ? "lanes %u to %u" : "%u\xe2\x80\x93%u", first, last);
}

static void put_lane(struct svg *svg, const struct explained *x, const struct panels *p,
                     unsigned lane, double y, const char *class)
{
    const bool is_active = access_lane_active(x->access, lane);
    const double left = panels_lane(p, lane) - p->pitch / 2;
    if (is_active)
        svg_rect_titled(svg, left + 1, y, p->pitch - 2, LANE_HEIGHT, class, "lane %u: 0x%llx", lane,
                        (unsigned long long)access_addr(x->access, lane));
    else
        svg_rect_titled(svg, left + 1, y, p->pitch - 2, LANE_HEIGHT, "off", "lane %u is off", lane);
    svg_text(svg, left + p->pitch / 2, y + 14, SVG_MIDDLE, is_active ? "ink small" : "soft small",
             is_active ? "%u" : "\xe2\x80\x93", lane);
}

void lanes_put(struct svg *svg, const struct explained *x, const struct panels *p, double y,
               const char *const class[WARP_LANES])
{
    for (unsigned panel = 0; panel < p->count; panel++)
        put_caption(svg, p, panel, y + LANES_CAPTION - 5);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        put_lane(svg, x, p, lane, y + LANES_CAPTION, class[lane]);
}

double legend_put(struct svg *svg, double x, double y, const char *class, const char *text)
{
    svg_rect(svg, x, y - SWATCH + 1, SWATCH, SWATCH, class);
    svg_text(svg, x + SWATCH + 4, y, SVG_START, "soft small", "%s", text);
    return x + SWATCH + 4 + (double)strlen(text) * SMALL_CHAR + 10;
}
