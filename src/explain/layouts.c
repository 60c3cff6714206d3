/* layouts.c - tries swizzles and paddings.
 *
 * Decisions. The fewest conflicts win; of equals those that take the least memory, then change the fewest bits, then read
 * the nearest ones: the order in which they are tried. For a copy, conflict-free is what it would take to a destination
 * that lies as its source does. Where nobody has said how long rows are, it is the distance between neighbouring lanes, if
 * that is one and the same.
 */
#include "explain/layouts.h"

#include <stdlib.h>
#include <string.h>

enum { BITS_MOST = 5, PAD_MOST = 128, WORD = 4, ADDRESS_BITS = 18 };

/* A part whose words can be put elsewhere. */
struct piece {
    struct warp_access access;
    struct async_copy copy;
    struct tile tile;
    uint64_t addr[WARP_LANES];
};

struct search {
    const struct rule_set *rules;
    struct piece piece[EXPLAIN_PARTS_MOST];
    size_t pieces;
    uint32_t width_log2; /* of the widest access, and of the unit */
    unsigned used_bits;  /* of offsets */
    struct layouts *out;
};

static bool is_shared(const struct explain_part *part)
{
    return part->access->space == SPACE_SHARED || part->access->copy;
}

/* The distance between neighbouring active lanes, when it is the same for all. */
static uint64_t find_distance(const struct piece *piece)
{
    uint64_t distance = 0;
    for (unsigned lane = 1; lane < WARP_LANES; lane++) {
        const int64_t apart = (int64_t)(piece->tile.offset[lane] - piece->tile.offset[lane - 1]);
        if ((piece->access.active >> (lane - 1) & 3U) != 3)
            continue;
        if (distance != 0 && (uint64_t)llabs(apart) != distance)
            return 0;
        distance = (uint64_t)llabs(apart);
    }
    return distance;
}

static uint64_t shared_addr(const struct warp_access *a, unsigned lane)
{
    return a->copy ? a->copy->to[lane] : access_addr(a, lane);
}

static void add_piece(struct search *s, const struct explain_part *part)
{
    struct piece *piece = &s->piece[s->pieces++];
    piece->access = *part->access;
    piece->tile = part->tile ? *part->tile : (struct tile){.unit_bytes = 1};
    for (unsigned lane = 0; lane < WARP_LANES && part->tile == NULL; lane++)
        piece->tile.offset[lane] =
            access_lane_active(part->access, lane) ? shared_addr(part->access, lane) : 0;
    if (part->access->copy) {
        piece->copy = *part->access->copy;
        piece->access.copy = &piece->copy;
    } else {
        piece->access.copy = NULL;
        piece->access.addr = piece->addr;
    }
    const uint64_t distance = find_distance(piece);
    s->out->has_rows = s->out->has_rows || piece->tile.pitches != 0;
    if (piece->tile.pitches == 0 && distance > part->access->width && distance <= UINT32_MAX &&
        distance % WORD == 0)
        piece->tile.pitch_bytes[piece->tile.pitches++] = (uint32_t)distance;
}

/* ---- One trial -------------------------------------------------------------------------------------- */

static uint64_t place(const struct piece *piece, const struct layout_trial *trial, unsigned row,
                      unsigned lane)
{
    const uint64_t offset = piece->tile.offset[lane];
    const uint32_t pitch = piece->tile.pitches ? piece->tile.pitch_bytes[row] : 0;
    if (trial->pad_bytes == 0)
        return piece->tile.base + swizzle_apply(trial->swizzle, offset);
    return piece->tile.base + offset + (pitch ? offset / pitch * trial->pad_bytes : 0);
}

/* A copy to a destination that lies as its source. */
static uint32_t copy_ideal(const struct piece *piece)
{
    struct async_copy copy = piece->copy;
    struct async_copy_pieces asked;
    struct warp_access access = piece->access;
    access.copy = &copy;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        copy.to[lane] = access_addr(&access, lane);
    return async_copy_count(&access, &asked).passes;
}

static void count(const struct search *s, struct piece *piece, struct layout_trial *trial)
{
    uint32_t passes, ideal;
    if (piece->access.copy) {
        struct async_copy_pieces asked;
        passes = async_copy_count(&piece->access, &asked).passes;
        ideal = copy_ideal(piece);
    } else {
        const struct bank_passes counted = banks_count_shared(s->rules, &piece->access);
        passes = counted.passes;
        ideal = counted.ideal;
    }
    trial->passes += passes;
    trial->conflicts += passes > ideal ? passes - ideal : 0;
}

/* Puts all pieces where a trial has them, and counts. */
static void try_layout(struct search *s, struct layout_trial *trial, unsigned row)
{
    trial->passes = trial->conflicts = 0;
    for (size_t i = 0; i < s->pieces; i++) {
        struct piece *piece = &s->piece[i];
        uint64_t *to = piece->access.copy ? piece->copy.to : piece->addr;
        const unsigned own_row = row < piece->tile.pitches ? row : 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            to[lane] =
                access_lane_active(&piece->access, lane) ? place(piece, trial, own_row, lane) : 0;
        count(s, piece, trial);
    }
}

/* Keeps the best, those first that were tried first. */
static void keep(struct layout_trial *list, uint32_t *kept, uint32_t most,
                 const struct layout_trial *trial)
{
    uint32_t at = *kept;
    while (at != 0 && (list[at - 1].conflicts > trial->conflicts ||
                       (list[at - 1].conflicts == trial->conflicts &&
                        list[at - 1].pad_bytes > trial->pad_bytes)))
        at--;
    if (at == most)
        return;
    *kept += *kept < most;
    for (uint32_t i = *kept - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *trial;
}

/* ---- All of them ------------------------------------------------------------------------------------ */

/* Rows as all pieces have them; 0: not known. */
static uint32_t row_of(const struct search *s, unsigned row)
{
    uint32_t shortest = 0;
    for (size_t i = 0; i < s->pieces; i++) {
        const struct tile *tile = &s->piece[i].tile;
        if (tile->pitches == 0)
            return 0;
        const uint32_t pitch = tile->pitch_bytes[row < tile->pitches ? row : 0];
        shortest = shortest == 0 || pitch < shortest ? pitch : shortest;
    }
    return shortest;
}

/* The bit above those that a swizzle may change. */
static unsigned end_of_row(struct search *s)
{
    const uint32_t row = row_of(s, 0);
    const bool is_power = row != 0 && (row & (row - 1)) == 0;
    const unsigned of_banks = s->rules->banks == BANKS_KEPLER_8 ? 8 : 7; /* 256 or 128 bytes */
    s->out->block_bytes = is_power ? 0 : 1U << of_banks;
    const unsigned bits = is_power ? (unsigned)__builtin_ctz(row) : of_banks;
    return bits < of_banks ? bits : of_banks;
}

static void try_swizzles(struct search *s)
{
    struct layouts *out = s->out;
    const unsigned end = end_of_row(s);
    for (unsigned bits = 1; bits <= BITS_MOST; bits++)
        for (unsigned shift = bits; shift < ADDRESS_BITS; shift++)
            for (unsigned base = s->width_log2; base + bits <= end; base++) {
                struct layout_trial trial = {
                    .swizzle = {(uint8_t)bits, (uint8_t)base, (int8_t)shift}};
                if (base + shift >= s->used_bits)
                    continue;
                try_layout(s, &trial, 0);
                out->swizzles_tried++;
                keep(out->swizzle, &out->swizzles, SWIZZLES_KEPT, &trial);
            }
}

static void try_paddings(struct search *s)
{
    struct layouts *out = s->out;
    const uint32_t step = 1U << s->width_log2;
    for (unsigned row = 0; row < TILE_PITCHES; row++) {
        const uint32_t pitch = row_of(s, row);
        if (pitch == 0 || (row != 0 && pitch == row_of(s, 0)))
            return;
        for (uint32_t pad = step; pad <= PAD_MOST; pad += step) {
            struct layout_trial trial = {.pitch_bytes = pitch, .pad_bytes = pad};
            try_layout(s, &trial, row);
            out->paddings_tried++;
            keep(out->padding, &out->paddings, PADDINGS_KEPT, &trial);
        }
    }
}

static void measure_offsets(struct search *s)
{
    for (size_t i = 0; i < s->pieces; i++) {
        const struct piece *piece = &s->piece[i];
        const unsigned width = (unsigned)__builtin_ctz(piece->access.width),
                       unit = (unsigned)__builtin_ctz(piece->tile.unit_bytes);
        s->width_log2 = width > s->width_log2 ? width : s->width_log2;
        s->width_log2 = unit > s->width_log2 ? unit : s->width_log2;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            while (s->used_bits < ADDRESS_BITS && piece->tile.offset[lane] >> s->used_bits != 0)
                s->used_bits++;
    }
}

/* Only what is better than things are. */
static void drop_useless(const struct layouts *out, const struct layout_trial *list, uint32_t *kept)
{
    uint32_t good = 0;
    while (good < *kept && list[good].conflicts < out->conflicts &&
           list[good].conflicts == list[0].conflicts)
        good++;
    *kept = good;
}

static void count_now(struct search *s, const struct explain_part *parts, size_t part_count)
{
    struct layout_trial now = {0};
    for (size_t i = 0, at = 0; i < part_count; i++) {
        if (!is_shared(&parts[i]))
            continue;
        struct piece *piece = &s->piece[at++];
        uint64_t *to = piece->access.copy ? piece->copy.to : piece->addr;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            to[lane] = shared_addr(parts[i].access, lane);
        count(s, piece, &now);
    }
    s->out->passes = now.passes;
    s->out->conflicts = now.conflicts;
}

bool layouts_find(const struct explained *x, struct layouts *out)
{
    const struct explain_part alone = {x->access, x->subject->tile};
    const struct explain_part *parts = x->subject->parts ? x->subject->parts : &alone;
    const size_t count = x->subject->parts ? x->subject->part_count : 1;
    struct search s = {.rules = &x->rules, .out = out};
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count && s.pieces < EXPLAIN_PARTS_MOST; i++)
        if (is_shared(&parts[i]))
            add_piece(&s, &parts[i]);
    if (s.pieces == 0)
        return false;
    out->parts = s.pieces;
    out->is_swizzled = s.piece[0].tile.swizzle.bits != 0;
    out->unit_log2 = (uint32_t)__builtin_ctz(s.piece[0].tile.unit_bytes);
    count_now(&s, parts, count);
    if (out->conflicts == 0)
        return false;
    measure_offsets(&s);
    try_swizzles(&s);
    try_paddings(&s);
    drop_useless(out, out->swizzle, &out->swizzles);
    drop_useless(out, out->padding, &out->paddings);
    return out->swizzles_tried + out->paddings_tried != 0;
}
