/* access_cases.c - random warp accesses for the tests.
 *
 * Decisions: uniform addresses alone would almost never merge, pair up or form a strict sequence,
 * so most patterns are built close to a rule's edge. Half of the cases stay below 64 KB, as shared
 * and constant addresses do. Inactive lanes hold noise in the listed form, and in the affine form
 * they may fall on addresses that no lane could use (below zero, misaligned), because no rule may
 * look at them.
 */
#include "access_cases.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t random_next(struct random_bits *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random->state;
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint64_t random_below(struct random_bits *random, uint64_t below)
{
    return random_next(random) % below;
}

struct random_bits random_start(uint64_t seed, uint64_t number)
{
    struct random_bits outer = {seed};
    struct random_bits inner = {random_next(&outer) ^ number * UINT64_C(0xd1342543de82ef95)};
    return (struct random_bits){random_next(&inner)};
}

static bool chance(struct random_bits *random, unsigned percent)
{
    return random_below(random, 100) < percent;
}

static uint32_t draw_mask(struct random_bits *random)
{
    uint32_t some = (uint32_t)random_next(random);
    unsigned lane = (unsigned)random_below(random, WARP_LANES);
    switch (random_below(random, 12)) {
    case 0:
        return (uint32_t)1 << lane;
    case 1:
        return some != 0 ? some : 1;
    case 2:
        return UINT32_C(0xffff) << 16 * (lane % 2);
    case 3:
        return UINT32_C(0x55555555) << lane % 2;
    case 4:
        return UINT32_MAX >> lane; /* the last warp of a block */
    case 5:
        return ~((uint32_t)1 << lane);
    case 6:
        return UINT32_C(0xff) << lane / 8 * 8;
    case 7:
        return (some & (uint32_t)random_next(random)) | (uint32_t)1 << lane;
    default:
        return UINT32_MAX;
    }
}

/* A base address that is a multiple of the width, and often of a segment, in the case's range. */
static uint64_t draw_base(struct random_bits *random, unsigned width, bool narrow)
{
    static const unsigned align[] = {1, 4, 8, 32, 64, 128, 256, 1024};
    uint64_t range = narrow ? 1 << 15 : chance(random, 50) ? UINT64_C(1) << 28 : UINT64_C(1) << 40;
    uint64_t step = align[random_below(random, sizeof align / sizeof *align)];
    if (step < width)
        step = width;
    if (chance(random, 5))
        return 0;
    return random_below(random, range) / step * step;
}

static uint64_t draw_span(struct random_bits *random, bool narrow)
{
    static const uint64_t span[] = {
        32,
        64,
        128,
        128,
        512,
        UINT64_C(1) << 12,
        UINT64_C(1) << 15,
        1U << 16,
        1U << 20,
        UINT64_C(1) << 30,
        UINT64_C(1) << 40,
    };
    return span[random_below(random, narrow ? 7 : sizeof span / sizeof *span)];
}

static uint64_t draw_word(struct random_bits *random, uint64_t span, unsigned width)
{
    return random_below(random, span / width) * width;
}

/* In words; signed. */
static int64_t draw_stride(struct random_bits *random, bool narrow)
{
    static const int64_t usual[] = {0,  1,  1,  2,  3,  4,  5,   7,   8,   9,   12,  15,
                                    16, 17, 18, 31, 32, 33, 34,  63,  64,  65,  66,  96,
                                    0,  1,  6,  20, 24, 48, 127, 128, 129, 256, 512, 1024};
    static const int64_t large[] = {2048, 2049, 4096, 1 << 20, (1 << 20) + 1, 1 << 26};
    int64_t stride = usual[random_below(random, sizeof usual / sizeof *usual)];
    if (narrow && stride > 34)
        stride = 2;
    if (!narrow && chance(random, 15))
        stride = large[random_below(random, sizeof large / sizeof *large)];
    if (!narrow && chance(random, 5))
        stride = (int64_t)random_below(random, 1 << 22);
    return chance(random, 30) ? -stride : stride;
}

static unsigned lowest_lane(uint32_t lanes)
{
    unsigned lane = 0;
    while ((lanes >> lane & 1U) == 0)
        lane++;
    return lane;
}

static unsigned highest_lane(uint32_t lanes)
{
    unsigned lane = WARP_LANES - 1;
    while ((lanes >> lane & 1U) == 0)
        lane--;
    return lane;
}

/* The lowest address is that of an active lane, so an inactive one may lie below zero. */
static void draw_affine(struct random_bits *random, struct access_case *c, bool narrow)
{
    int64_t stride = draw_stride(random, narrow) * (int64_t)c->width;
    uint32_t odd_or_even = c->active & UINT32_C(0x55555555);
    if (c->width > 1 && (odd_or_even == 0 || odd_or_even == c->active) && chance(random, 30))
        stride = stride / 2; /* the active lanes are two apart and stay aligned */
    if ((c->active & (c->active - 1)) == 0 && chance(random, 30))
        stride = (int64_t)(random_next(random) >> 1); /* one lane alone: any stride will do */
    unsigned anchor = stride >= 0 ? lowest_lane(c->active) : highest_lane(c->active);
    uint64_t base = draw_base(random, c->width, narrow) - (uint64_t)stride * anchor;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->addr[lane] = base + (uint64_t)stride * lane;
    c->access.base = base;
    c->access.stride = stride;
    c->affine = chance(random, 70);
}

static void swap_lanes(struct access_case *c, unsigned a, unsigned b)
{
    uint64_t kept = c->addr[a];
    c->addr[a] = c->addr[b];
    c->addr[b] = kept;
}

/* A sequence, shuffled over groups of lanes, or with a few lanes swapped. */
static void draw_permuted(struct random_bits *random, struct access_case *c, bool narrow)
{
    unsigned group = 4U << random_below(random, 4);
    uint64_t base = draw_base(random, c->width, narrow);
    uint64_t stride = c->width * (1 + random_below(random, 2));
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->addr[lane] = base + stride * lane;
    if (chance(random, 30)) {
        swap_lanes(c, (unsigned)random_below(random, 32), (unsigned)random_below(random, 32));
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned first = lane / group * group;
        swap_lanes(c, lane, first + (unsigned)random_below(random, group));
    }
}

static void draw_scattered(struct random_bits *random, struct access_case *c, bool narrow)
{
    uint64_t base = draw_base(random, c->width, narrow);
    uint64_t span = draw_span(random, narrow);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->addr[lane] = base + draw_word(random, span, c->width);
}

static void draw_few_words(struct random_bits *random, struct access_case *c, bool narrow)
{
    uint64_t base = draw_base(random, c->width, narrow);
    uint64_t span = draw_span(random, narrow);
    unsigned words = 1 + (unsigned)random_below(random, 5);
    uint64_t word[5];
    for (unsigned i = 0; i < words; i++)
        word[i] = base + draw_word(random, span, c->width);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->addr[lane] = word[random_below(random, words)];
}

/* Lanes t and t ^ x on one word, for x = 1 or 2 and sometimes another; then sometimes one lane of
 * one pair elsewhere. */
static void draw_pairs(struct random_bits *random, struct access_case *c, bool narrow)
{
    static const unsigned partner[] = {1, 1, 1, 2, 2, 2, 3, 4, 16};
    unsigned x = partner[random_below(random, sizeof partner / sizeof *partner)];
    if (chance(random, 50))
        draw_permuted(random, c, narrow);
    else
        draw_scattered(random, c, narrow);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((lane ^ x) < lane)
            c->addr[lane] = c->addr[lane ^ x];
    }
    if (chance(random, 25))
        c->addr[random_below(random, WARP_LANES)] ^= (uint64_t)c->width << random_below(random, 6);
}

/* A block of rows x columns of a padded tile, walked down its columns. */
static void draw_column_walk(struct random_bits *random, struct access_case *c, bool narrow)
{
    uint64_t rows = UINT64_C(4) << random_below(random, 4);
    uint64_t row_words = (UINT64_C(8) << random_below(random, 3)) + random_below(random, 4);
    uint64_t base = draw_base(random, c->width, narrow);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->addr[lane] = base + (lane % rows * row_words + lane / rows) * c->width;
}

/* Lane k on word k of a segment of its own for every half- or quarter-warp; sometimes a lane or a
 * segment is off by a little. */
static void draw_segments(struct random_bits *random, struct access_case *c, bool narrow)
{
    unsigned group = chance(random, 50) ? 16 : 8;
    uint64_t base = draw_base(random, c->width, narrow) / 128 * 128;
    uint64_t segment = base;
    bool apart = chance(random, 50);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (apart && lane % group == 0)
            segment = base + random_below(random, 64) * 64;
        c->addr[lane] = segment + (uint64_t)(apart ? lane % group : lane) * c->width;
    }
    if (chance(random, 30))
        c->addr[random_below(random, WARP_LANES)] ^= (uint64_t)c->width << random_below(random, 8);
    uint64_t shift = chance(random, 10) ? c->width : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->addr[lane] += shift;
}

void access_case_list(struct random_bits *random, struct access_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool is_active = (c->active >> lane & 1U) != 0;
        c->listed[lane] = is_active ? c->addr[lane] : random_next(random);
    }
    c->access.active = c->active;
    c->access.width = (uint8_t)c->width;
    c->access.addr = c->listed;
    c->affine = false;
}

void access_case_draw(struct random_bits *random, struct access_case *c)
{
    static const struct {
        const char *name;
        void (*draw)(struct random_bits *random, struct access_case *c, bool narrow);
    } patterns[] = {
        {"affine", draw_affine},           {"affine", draw_affine},
        {"permuted", draw_permuted},       {"scattered", draw_scattered},
        {"scattered", draw_scattered},     {"few distinct words", draw_few_words},
        {"pairs on one word", draw_pairs}, {"column walk", draw_column_walk},
        {"segments", draw_segments},
    };
    size_t which = random_below(random, sizeof patterns / sizeof *patterns);
    *c = (struct access_case){.pattern = patterns[which].name};
    c->width = 1U << random_below(random, 5);
    c->active = draw_mask(random);
    patterns[which].draw(random, c, chance(random, 50));
    if (c->affine) {
        c->access.active = c->active;
        c->access.width = (uint8_t)c->width;
    } else {
        access_case_list(random, c);
    }
    c->access.resident = c->active | (uint32_t)random_next(random);
    c->access.op = chance(random, 60) ? OP_LOAD : OP_STORE;
    c->access.space = SPACE_GLOBAL;
}

void access_case_take_lanes(struct random_bits *random, const struct access_case *from,
                            const unsigned source[WARP_LANES], struct access_case *to)
{
    *to = *from;
    to->active = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        to->addr[lane] = from->addr[source[lane]];
        to->active |= (from->active >> source[lane] & 1U) << lane;
    }
    access_case_list(random, to);
    to->access.resident = UINT32_MAX;
}

void access_case_permute(struct random_bits *random, const struct access_case *from, unsigned group,
                         struct access_case *to)
{
    unsigned source[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        source[lane] = lane;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned other = lane / group * group + (unsigned)random_below(random, group);
        unsigned kept = source[lane];
        source[lane] = source[other];
        source[other] = kept;
    }
    access_case_take_lanes(random, from, source, to);
}

void access_case_translate(struct random_bits *random, const struct access_case *from,
                           uint64_t bytes, struct access_case *to)
{
    *to = *from;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        to->addr[lane] += bytes;
    if (from->affine)
        to->access.base += bytes;
    else
        access_case_list(random, to);
}

void access_case_print(const struct access_case *c, const char *title)
{
    fprintf(stderr, "%s\n  %s, %s form, width %u, active 0x%08" PRIx32 ", op %u\n", title,
            c->pattern, c->affine ? "affine" : "listed", c->width, c->active,
            (unsigned)c->access.op);
    if (c->affine)
        fprintf(stderr, "  base 0x%" PRIx64 " stride %" PRId64 "\n", c->access.base,
                c->access.stride);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((c->active >> lane & 1U) != 0)
            fprintf(stderr, "  lane %2u 0x%" PRIx64 "\n", lane, c->addr[lane]);
    }
}
