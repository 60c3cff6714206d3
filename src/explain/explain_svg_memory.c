/* explain_svg_memory.c - the picture of an access to memory: below the lanes that go together, the
 * bytes that they move, as one strip in order of address; below that, a bar for each transaction.
 *
 * Decisions: only what moves is drawn, and what lies between is left out, so that far apart and near
 * together take the same room: no more transactions than lanes. A word is at most as wide as its lane:
 * a perfect access is a strip of straight lines. Each transaction has a bar of its own, so that the
 * height of a stack of bars shows how often the same bytes are moved.
 */
#include "explain/explain_svg_panels.h"

#include <inttypes.h>

enum {
    STRIP_HEIGHT = 26,
    ADDRESS_HEIGHT = 14,
    BAR_HEIGHT = 6,
    BAR_PITCH = 8,
    NAMES_HEIGHT = 16,
    LEGEND_HEIGHT = 18,
    NARROW = 5,    /* words below would hardly show in a pale colour */
    LABELLED = 14, /* there is room for two digits */
};

/* Bytes that one transaction moves, or several transactions again and again. */
struct segment {
    uint64_t addr;
    uint32_t bytes, lanes;
    uint32_t members;  /* bit i: transaction i of the list */
    const char *class; /* neighbours differ */
    double left;
};

/* What a panel moves, by address. */
struct strip {
    uint32_t count;
    struct segment segment[WARP_LANES];
    double scale; /* units a byte */
    double gap;
};

static void add_segment(struct strip *strip, const struct transaction *sent, uint32_t index)
{
    uint32_t at = 0;
    while (at < strip->count && strip->segment[at].addr < sent->addr)
        at++;
    if (at == strip->count || strip->segment[at].addr != sent->addr) {
        for (uint32_t i = strip->count++; i > at; i--)
            strip->segment[i] = strip->segment[i - 1];
        strip->segment[at] = (struct segment){.addr = sent->addr, .bytes = sent->bytes};
    }
    strip->segment[at].lanes |= sent->lanes;
    strip->segment[at].members |= UINT32_C(1) << index;
}

static bool follows(const struct strip *strip, uint32_t i)
{
    const struct segment *last = &strip->segment[i - 1];
    return strip->segment[i].addr == last->addr + last->bytes;
}

/* Places the segments in the middle of `width` units from `left` on. */
static void place_segments(struct strip *strip, double left, double width, double scale_most)
{
    uint32_t bytes = 0, gaps = 0;
    for (uint32_t i = 0; i < strip->count; i++) {
        bytes += strip->segment[i].bytes;
        gaps += i != 0 && !follows(strip, i);
    }
    strip->gap = gaps == 0 ? 0 : 0.2 * width / gaps > 14 ? 14 : 0.2 * width / gaps;
    strip->scale = (width - gaps * strip->gap) / bytes;
    if (strip->scale > scale_most)
        strip->scale = scale_most;
    left += (width - gaps * strip->gap - bytes * strip->scale) / 2;
    for (uint32_t i = 0; i < strip->count; i++) {
        left += i != 0 && !follows(strip, i) ? strip->gap : 0;
        strip->segment[i].left = left;
        left += strip->segment[i].bytes * strip->scale;
    }
}

/* The lanes that send their transactions together. */
static unsigned lanes_together(const struct explained *x)
{
    switch (x->rule) {
    case COALESCE_HALF_WARP_STRICT:
    case COALESCE_HALF_WARP_SEGMENT:
    case COALESCE_LANE:
        return WARP_LANES / 2;
    case COALESCE_SECTOR_SPLIT_REQUESTS:
        return WARP_LANES; /* of which the sectors are those of all */
    default:
        return steps_request_lanes(x->rule, x->access->width);
    }
}

/* Colours that can be told from each other and from what is not used: without the amber one. */
static const char *segment_hue(unsigned index)
{
    static const uint8_t hues[] = {0, 2, 4, 5, 3, 6, 7};
    return svg_hue(hues[index % (sizeof hues / sizeof hues[0])]);
}

static void strip_make(const struct explained *x, const struct panels *p, unsigned panel,
                       struct strip *strip)
{
    const uint32_t lanes = panels_lanes(p, panel);
    strip->count = 0;
    for (uint32_t i = 0; i < x->moved.transactions; i++) {
        if (x->moved.list[i].lanes & lanes)
            add_segment(strip, &x->moved.list[i], i);
    }
    for (uint32_t i = 0; i < strip->count; i++)
        strip->segment[i].class = segment_hue(panel + i);
    if (strip->count != 0)
        place_segments(strip, panels_left(p, panel), panels_width(p), p->pitch / x->access->width);
}

static uint32_t highest_stack(const struct explained *x, const struct panels *p)
{
    uint32_t most = 0;
    for (unsigned panel = 0; panel < p->count; panel++) {
        struct strip strip;
        strip_make(x, p, panel, &strip);
        for (uint32_t i = 0; i < strip.count; i++) {
            uint32_t bars = (uint32_t)__builtin_popcount(strip.segment[i].members);
            most = bars > most ? bars : most;
        }
    }
    return most;
}

/* The lanes of a segment that want the word of one lane. */
static uint32_t lanes_of_word(const struct explained *x, uint32_t lanes, unsigned lane)
{
    uint32_t same = 0;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        if ((lanes >> other & 1U) && access_addr(x->access, other) == access_addr(x->access, lane))
            same |= UINT32_C(1) << other;
    }
    return same;
}

static double word_left(const struct strip *strip, const struct segment *segment, uint64_t addr)
{
    return segment->left + (double)(addr - segment->addr) * strip->scale;
}

static void put_word(struct svg *svg, const struct explained *x, const struct strip *strip,
                     const struct segment *segment, unsigned lane, double y)
{
    const uint64_t addr = access_addr(x->access, lane);
    const uint32_t lanes = lanes_of_word(x, segment->lanes, lane);
    const double width = strip->scale * x->access->width, shown = width < 2.5 ? 2.5 : width;
    const double left = word_left(strip, segment, addr);
    struct text t;
    if (lanes & ((UINT32_C(1) << lane) - 1))
        return; /* a lower lane has drawn it */
    text_start(&t);
    text_add_lanes(&t, lanes);
    svg_rect_titled(svg, left, y, shown, STRIP_HEIGHT, width < NARROW ? "actual" : segment->class,
                    "0x%" PRIx64 ", %u byte%s for %s", addr, x->access->width,
                    x->access->width == 1 ? "" : "s", t.s);
    text_start(&t);
    if (lanes & (lanes - 1))
        text_add(&t, "\xc3\x97%d", __builtin_popcount(lanes));
    else
        text_add(&t, "%u", lane);
    if (width >= LABELLED)
        svg_text(svg, left + width / 2, y + 17, SVG_MIDDLE, "ink small", "%s", t.s);
}

/* Ends of sectors, longer at ends of lines. */
static void put_ticks(struct svg *svg, const struct strip *strip, const struct segment *segment,
                      double y)
{
    for (uint64_t addr = segment->addr; addr <= segment->addr + segment->bytes;
         addr += SECTOR_BYTES) {
        const double x = word_left(strip, segment, addr), more = addr % LINE_BYTES == 0 ? 5 : 0;
        svg_line(svg, x, y - more, x, y + STRIP_HEIGHT + more, more > 0 ? "axis" : "thin");
    }
}

static void put_segment(struct svg *svg, const struct explained *x, const struct strip *strip,
                        const struct segment *segment, double y)
{
    svg_rect_titled(svg, segment->left, y, segment->bytes * strip->scale, STRIP_HEIGHT, "waste",
                    "moved, not used: %" PRIu32 " of %" PRIu32 " bytes from 0x%" PRIx64,
                    segment->bytes - explained_used_bytes(x->access, segment->lanes),
                    segment->bytes, segment->addr);
    for (uint32_t rest = segment->lanes; rest != 0; rest &= rest - 1)
        put_word(svg, x, strip, segment, (unsigned)__builtin_ctz(rest), y);
    put_ticks(svg, strip, segment, y);
}

/* Where a line or a run of neighbours begins, if there is room up to the next address. */
static void put_addresses(struct svg *svg, const struct strip *strip, double y)
{
    double free_from = 0;
    for (uint32_t i = 0; i < strip->count; i++) {
        const struct segment *segment = &strip->segment[i];
        const bool begins = i == 0 || !follows(strip, i) || segment->addr % LINE_BYTES == 0;
        struct text t;
        text_start(&t);
        text_add(&t, "0x%" PRIx64, segment->addr);
        const double end = segment->left + (double)t.length * (SMALL_CHAR + 0.5);
        if (!begins || segment->left < free_from || end > FIGURE_WIDTH)
            continue;
        svg_text(svg, segment->left + 1, y + 12, SVG_START, "soft small mono", "%s", t.s);
        free_from = end + SMALL_CHAR;
    }
}

/* The fullest label that fits: names and size, names alone, how many. */
static void put_name(struct svg *svg, const struct segment *segment, double width, double y)
{
    const unsigned times = (unsigned)__builtin_popcount(segment->members);
    const size_t room = (size_t)(width / SMALL_CHAR);
    struct text t;
    text_start(&t);
    text_add_transactions(&t, segment->members);
    const size_t names = t.length;
    if (times == 1)
        text_add(&t, ": %" PRIu32 " B", segment->bytes);
    else
        text_add(&t, ": %u x %" PRIu32 " B", times, segment->bytes);
    if (t.length > room) {
        t.length = names;
        t.s[names] = '\0';
    }
    if (t.length > room) {
        text_start(&t);
        text_add(&t, "%ux", times);
    }
    if (t.length <= room || times > 1)
        svg_text(svg, segment->left + width / 2, y, SVG_MIDDLE, "ink small", "%s", t.s);
}

static void put_bars(struct svg *svg, const struct explained *x, const struct strip *strip,
                     const struct segment *segment, double y)
{
    const double width = segment->bytes * strip->scale;
    for (uint32_t rest = segment->members; rest != 0; rest &= rest - 1) {
        const unsigned i = (unsigned)__builtin_ctz(rest);
        struct text t;
        text_start(&t);
        text_add_lanes(&t, x->moved.list[i].lanes);
        svg_rect_titled(svg, segment->left + 0.5, y, width - 1, BAR_HEIGHT, segment->class,
                        "T%u: %" PRIu32 " bytes for %s", i + 1, segment->bytes, t.s);
        y += BAR_PITCH;
    }
    put_name(svg, segment, width + strip->gap, y + 9);
}

static void put_strip(struct svg *svg, const struct explained *x, const struct strip *strip,
                      double y)
{
    for (uint32_t i = 0; i < strip->count; i++)
        put_segment(svg, x, strip, &strip->segment[i], y);
    put_addresses(svg, strip, y + STRIP_HEIGHT + 4);
    for (uint32_t i = 0; i < strip->count; i++)
        put_bars(svg, x, strip, &strip->segment[i], y + STRIP_HEIGHT + 4 + ADDRESS_HEIGHT + 4);
}

/* From each lane to its word. */
static void put_links(struct svg *svg, const struct explained *x, const struct panels *p,
                      const struct strip *strip, double y)
{
    for (uint32_t i = 0; i < strip->count; i++) {
        for (uint32_t rest = strip->segment[i].lanes; rest != 0; rest &= rest - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(rest);
            const double word = word_left(strip, &strip->segment[i], access_addr(x->access, lane));
            svg_link(svg, panels_lane(p, lane), y, word + strip->scale * x->access->width / 2,
                     y + LINKS_HEIGHT, "flow");
        }
    }
}

static void lane_classes(const struct explained *x, const struct panels *p,
                         const char *class[WARP_LANES])
{
    for (unsigned panel = 0; panel < p->count; panel++) {
        struct strip strip;
        strip_make(x, p, panel, &strip);
        for (uint32_t i = 0; i < strip.count; i++)
            for (uint32_t rest = strip.segment[i].lanes; rest != 0; rest &= rest - 1)
                class[__builtin_ctz(rest)] = strip.segment[i].class;
    }
}

static double below_lanes(const struct explained *x, const struct panels *p)
{
    return LINKS_HEIGHT + STRIP_HEIGHT + 4 + ADDRESS_HEIGHT + 4 + highest_stack(x, p) * BAR_PITCH +
           NAMES_HEIGHT;
}

static double memory_height(const struct explained *x)
{
    const struct panels p = panels_make(lanes_together(x));
    return LANES_CAPTION + LANE_HEIGHT + below_lanes(x, &p) + LEGEND_HEIGHT;
}

static void put_legend(struct svg *svg, double y)
{
    double x = legend_put(svg, FIGURE_MARGIN, y, "hue0", "words, with their lanes");
    x = legend_put(svg, x, y, "waste", "moved, not used");
    svg_text(svg, x, y, SVG_START, "soft small",
             "a tick ends 32 bytes, a long one 128; T1, T2: transactions");
}

static void memory_draw(struct svg *svg, const struct explained *x, double y)
{
    const struct panels p = panels_make(lanes_together(x));
    const char *class[WARP_LANES] = {NULL};
    lane_classes(x, &p, class);
    lanes_put(svg, x, &p, y, class);
    y += LANES_CAPTION + LANE_HEIGHT;
    for (unsigned panel = 0; panel < p.count; panel++) {
        struct strip strip;
        strip_make(x, &p, panel, &strip);
        put_links(svg, x, &p, &strip, y);
        put_strip(svg, x, &strip, y + LINKS_HEIGHT);
    }
    put_legend(svg, y + below_lanes(x, &p) + 10);
}

const struct figure_body figure_memory = {memory_height, memory_draw};
