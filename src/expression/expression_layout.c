/* expression_layout.c - layout=, swizzle= and an element's type: addresses in shared memory as CuTe writes them.
 *
 * Decisions. A layout counts elements of the type that a word of its own names (f16), or else of the access's own type; for
 * ldmatrix and stmatrix b16, for a copy bytes. A swizzle works on the number that the words give, as CuTe's
 * composition(Swizzle<B,M,S>{}, layout) does: the index of an element where there is a layout, an [INDEX] or a type of its
 * own, the byte where there are only base=, stride= and addr=; so swizzle=3,3,3 of halves is swizzle=3,4,3 of bytes. base=
 * comes behind it: it is where the tile begins.
 *
 * The coordinate that a lane takes is its number, but for the rows of ldmatrix and stmatrix, which go down the rows of the
 * layout and then to the next 16 bytes, as the operands of mma want them.
 */
#include <inttypes.h>
#include <string.h>

#include "expression/expression_parser.h"

enum { SWIZZLE_BITS_MOST = 16, ROW_BYTES = 16 };

bool parser_read_layout(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->pattern->layout_at, "layout") &&
           layout_parse(&p->words, value, &p->pattern->layout);
}

bool parser_read_element(struct parser *p, struct word word)
{
    if (p->pattern->element_at)
        return words_fail(&p->words, word.s, "a second type; allowed: one, of an element");
    p->pattern->element_at = word.s;
    p->pattern->element_bytes = parser_type_bytes(word);
    return true;
}

bool parser_read_swizzle(struct parser *p, struct word value)
{
    struct word rest = value;
    uint64_t part[3];
    bool is_negative = false;
    if (!parser_read_once(p, value, &p->pattern->swizzle_at, "swizzle"))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        if (rest.s == NULL)
            return words_fail(&p->words, value.s + value.length,
                              "the swizzle has three numbers; allowed: swizzle=B,M,S as CuTe's "
                              "Swizzle<B,M,S>, such as 3,3,3");
        struct word number = word_cut(rest, ',', &rest);
        is_negative = i == 2 && number.length != 0 && number.s[0] == '-';
        if (is_negative)
            number = (struct word){number.s + 1, number.length - 1};
        if (!words_number(&p->words, number, SWIZZLE_BITS_MOST, &part[i]))
            return false;
    }
    if (rest.s != NULL)
        return words_fail(&p->words, rest.s, "the swizzle has three numbers; allowed: B,M,S");
    if (part[2] < part[0])
        return words_fail(
            &p->words, value.s,
            "swizzle=%" PRIu64 ",%" PRIu64 ",%s%" PRIu64
            " would change the bits that it reads; allowed: an S of at least B, %" PRIu64
            ", or of at most -B",
            part[0], part[1], is_negative ? "-" : "", part[2], part[0]);
    p->pattern->swizzle = (struct swizzle){(uint8_t)part[0], (uint8_t)part[1],
                                           (int8_t)(is_negative ? -(int)part[2] : (int)part[2])};
    return true;
}

/* What a swizzle counts, in bytes. */
static uint32_t unit_of(const struct parser *p)
{
    const struct pattern *x = p->pattern;
    if (x->element_at)
        return x->element_bytes;
    return x->layout_at ? p->type_bytes : x->index_at ? p->width : 1;
}

/* Which coordinate of the layout a lane takes. */
static uint64_t coordinate_of(const struct parser *p, unsigned lane)
{
    const struct layout *layout = &p->pattern->layout;
    const uint64_t rows = layout->part[0].top_size, unit = unit_of(p);
    if (p->row_lanes == 0 || layout->parts != 1 || layout->part[0].is_flat)
        return lane;
    return lane % rows + lane / rows * rows * (ROW_BYTES / unit);
}

/* Bytes from the base on, before the swizzle. */
static bool find_offset(struct parser *p, unsigned lane, int64_t *offset)
{
    const struct pattern *x = p->pattern;
    uint64_t element;
    int64_t index;
    if (x->layout_at) {
        if (!layout_find(&p->words, &x->layout, x->layout_at, lane, coordinate_of(p, lane),
                         &element))
            return false;
        *offset = (int64_t)(element * unit_of(p));
        return true;
    }
    if (x->index_at) {
        if (!parser_find_element(p, lane, &index))
            return false;
        return !__builtin_mul_overflow(
                   index, (int64_t)(x->element_at ? x->element_bytes : p->width), offset) ||
               words_fail(&p->words, x->index_at,
                          "the address of lane %u does not fit 64 bits; allowed: below 2^48", lane);
    }
    if (p->listed != 0)
        *offset = p->list[lane];
    else
        *offset = (int64_t)((p->stride_at ? (uint64_t)p->stride : p->width) * lane);
    return true;
}

static bool place_element(struct parser *p, unsigned lane)
{
    struct pattern *x = p->pattern;
    const char *at = x->layout_at ? x->layout_at : x->index_at ? x->index_at : x->swizzle_at;
    int64_t offset;
    p->list_at[lane] = p->list_at[lane] ? p->list_at[lane] : at;
    if (!find_offset(p, lane, &offset))
        return false;
    if (x->swizzle_at && offset < 0)
        return words_fail(&p->words, at,
                          "the swizzle of lane %u would be of %" PRId64
                          "; allowed: from 0 on, with base= for where the tile begins",
                          lane, offset);
    x->offset[lane] = (uint64_t)offset;
    if (x->swizzle_at)
        offset = (int64_t)tile_swizzled(x->swizzle, unit_of(p), (uint64_t)offset);
    return !__builtin_add_overflow(offset, p->base, &p->list[lane]) ||
           words_fail(&p->words, at,
                      "the address of lane %u does not fit 64 bits; allowed: below 2^48", lane);
}

/* One way to say where lanes are. */
static bool check_ways(const struct parser *p)
{
    const struct pattern *x = p->pattern;
    const char *addresses = p->listed != 0 ? p->list_at[0] : NULL;
    if (x->layout_at && x->index_at)
        return words_fail(&p->words, x->index_at,
                          "an index does not go with layout=; allowed: one or the other");
    if (x->layout_at && (addresses || p->stride_at))
        return words_fail(&p->words, addresses ? addresses : p->stride_at,
                          "%s= does not go with layout=; allowed: base=, perm= and lane= do",
                          addresses ? "addr" : "stride");
    if (x->index_at && addresses)
        return words_fail(&p->words, addresses,
                          "addr= does not go with an index; allowed: one or the other");
    if (x->swizzle_at && addresses && p->base_at)
        return words_fail(&p->words, p->base_at,
                          "base= and stride= do not go with addr=; allowed: one or the other");
    if (x->element_at && !x->layout_at && !x->index_at && !x->swizzle_at)
        return words_fail(&p->words, x->element_at,
                          "the type of an element goes with layout=, swizzle= or an index; "
                          "allowed: without it, as addresses are bytes");
    return true;
}

bool parser_finish_pattern(struct parser *p)
{
    struct pattern *x = p->pattern;
    const bool has_list = p->listed != 0;
    x->base = (uint64_t)p->base;
    if (!check_ways(p))
        return false;
    if (!x->layout_at && !x->index_at && !x->swizzle_at)
        return true;
    if (ROW_BYTES % unit_of(p) != 0)
        return words_fail(&p->words, x->element_at,
                          "elements of that size; allowed: 1 to 16 bytes");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const unsigned taker = lane ^ p->swap;
        const bool is_given = !has_list || (lane < p->listed && (p->dashes >> lane & 1U) == 0);
        if (is_given && (p->mask >> taker & 1U) != 0 && p->fixed_at[taker] == NULL &&
            !place_element(p, lane))
            return false;
    }
    if (!has_list)
        p->listed = WARP_LANES;
    x->is_listed = true;
    p->base_at = p->stride_at = NULL; /* they are part of the list */
    return true;
}

static void add_pitch(struct tile *tile, uint64_t bytes)
{
    uint32_t i = tile->pitches;
    for (uint32_t k = 0; k < tile->pitches; k++)
        if (tile->pitch_bytes[k] == bytes)
            return;
    if (tile->pitches == TILE_PITCHES || bytes > UINT32_MAX)
        return;
    for (; i != 0 && tile->pitch_bytes[i - 1] > bytes; i--)
        tile->pitch_bytes[i] = tile->pitch_bytes[i - 1];
    tile->pitch_bytes[i] = (uint32_t)bytes;
    tile->pitches++;
}

void parser_describe_tile(const struct parser *p, struct tile *tile)
{
    const struct pattern *x = p->pattern;
    *tile = (struct tile){.base = x->base,
                          .unit_bytes = unit_of(p),
                          .swizzle = x->swizzle,
                          .is_laid_out = x->layout_at || x->swizzle_at};
    for (uint32_t i = 0; x->layout_at && i < x->layout.part[0].modes; i++) {
        const struct layout_mode *mode = &x->layout.part[0].mode[i];
        const uint64_t bytes = (uint64_t)mode->stride * unit_of(p);
        if (mode->shape > 1 && bytes > p->width)
            add_pitch(tile, bytes);
    }
}
