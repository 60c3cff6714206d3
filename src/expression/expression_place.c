/* expression_place.c - from words to the addresses of lanes, and the access that they make.
 *
 * Decision: an address that words give a single lane is where it lies, whatever swizzle the others go through.
 */
#include <inttypes.h>
#include <string.h>

#include "expression/expression_parser.h"

/* Addresses of the lanes that take part; those of others are 0. */
struct placed {
    uint64_t addr[WARP_LANES];
    uint32_t active;
};

/* With ACCESS_CLUSTER a cluster's blocks, of which there are 16 at most. */
uint64_t expression_space_end(enum mem_space space, uint8_t flags)
{
    if (space == SPACE_SHARED)
        return (flags & ACCESS_CLUSTER ? 16 : 1) * CLUSTER_BLOCK_BYTES;
    return space == SPACE_CONSTANT ? 64 * 1024 : ADDRESS_END;
}

static const char *first_given(const char *a, const char *b, const char *c)
{
    return a != NULL ? a : b != NULL ? b : c;
}

/* Checks the address of an active lane and stores it. */
static bool place_lane(const struct parser *p, unsigned lane, int64_t addr, const char *at,
                       struct placed *out)
{
    const uint64_t last = expression_space_end(p->space, p->listed_flags) - p->width;
    const uint64_t size = addr < 0 ? -(uint64_t)addr : (uint64_t)addr;
    if (addr < 0 || size > last)
        return words_fail(&p->words, at, "lane %u is at %s0x%" PRIx64 "; allowed: 0 to 0x%" PRIx64,
                          lane, addr < 0 ? "-" : "", size, last);
    if (size % p->width != 0)
        return words_fail(&p->words, at,
                          "lane %u is at 0x%" PRIx64 ", which is misaligned; allowed: multiples "
                          "of %u, the bytes a lane takes",
                          lane, size, p->width);
    out->addr[lane] = size;
    out->active |= UINT32_C(1) << lane;
    return true;
}

/* Finds the address that the words give a lane: false when they give none. */
static bool find_address(const struct parser *p, unsigned lane, int64_t *addr, const char **at)
{
    const unsigned source = lane ^ p->swap;
    if (p->fixed_at[lane] != NULL) {
        *addr = p->fixed[lane];
        *at = p->fixed_at[lane];
    } else if (p->listed != 0) {
        *addr = p->list[source];
        *at = p->list_at[source];
        return source < p->listed && (p->dashes >> source & 1U) == 0;
    } else {
        *addr = (int64_t)((uint64_t)p->base + (uint64_t)p->stride * source);
        *at = first_given(p->base_at, p->stride_at, p->head);
    }
    return true;
}

static bool place_lanes(const struct parser *p, struct placed *out)
{
    *out = (struct placed){0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const bool is_masked = (p->mask >> lane & 1U) == 0;
        const char *at;
        int64_t addr;
        if (is_masked && p->fixed_at[lane] != NULL)
            return words_fail(&p->words, p->fixed_at[lane],
                              "lane %u has an address but is masked off; allowed: lanes in the "
                              "mask, 0x%" PRIx32,
                              lane, p->mask);
        if (is_masked || !find_address(p, lane, &addr, &at))
            continue;
        if (!place_lane(p, lane, addr, at, out))
            return false;
    }
    if (out->active == 0)
        return words_fail(&p->words, first_given(p->mask_at, p->swap_at, p->head),
                          "no lane is left; allowed: at least one lane in the mask that has an "
                          "address");
    return true;
}

/* base= and stride= are no list, and a list has neither. */
static bool check_forms(const struct parser *p)
{
    const char *other = first_given(p->base_at, p->stride_at, NULL);
    return p->listed == 0 || other == NULL ||
           words_fail(&p->words, other,
                      "base= and stride= do not go with addr=; allowed: one or the "
                      "other");
}

static bool prepare(struct parser *p)
{
    if (p->pattern && !parser_finish_pattern(p))
        return false;
    if (!check_forms(p))
        return false;
    if (p->stride_at == NULL)
        p->stride = p->width;
    return true;
}

/* What words give a lane in shared memory, before the swizzle. */
static void find_offsets(const struct parser *p, const struct placed *placed, struct tile *tile)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const bool is_own = p->pattern->is_listed && p->fixed_at[lane] == NULL;
        tile->offset[lane] = (placed->active >> lane & 1U) == 0 ? 0
                             : is_own                           ? p->pattern->offset[lane ^ p->swap]
                                                                : placed->addr[lane] - tile->base;
    }
}

/* The other side of a copy. */
static bool place_destination(struct parser *p, const struct placed *from, struct expression *out)
{
    struct parser *to = p->to;
    struct placed placed;
    if (to->head == NULL)
        return words_fail(&p->words, p->head,
                          "where the copy goes is missing; allowed: 'to' and words for addresses "
                          "in shared memory, as in to stride=16");
    to->mask = from->active;
    if (!prepare(to) || !place_lanes(to, &placed))
        return false;
    if (placed.active != from->active)
        return words_fail(&p->words, to->head,
                          "lane %d copies to nowhere; allowed: an address behind 'to' for each "
                          "lane that copies",
                          __builtin_ctz(from->active & ~placed.active));
    out->copy.past_l1 = p->is_past_l1;
    memcpy(out->copy.to, placed.addr, sizeof placed.addr);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        out->copy.bytes[lane] = from->active >> lane & 1U ? p->width : 0;
    out->access.copy = &out->copy;
    parser_describe_tile(to, &out->tile);
    find_offsets(to, &placed, &out->tile);
    return true;
}

bool parser_make_access(struct parser *p, struct expression *out)
{
    struct placed placed;
    if ((p->indexed && !parser_finish_index(p)) || !prepare(p) || !place_lanes(p, &placed))
        return false;
    memset(out, 0, sizeof *out);
    memcpy(out->addr, placed.addr, sizeof placed.addr);
    out->access = (struct warp_access){.addr = out->addr,
                                       .active = placed.active,
                                       .resident = placed.active,
                                       .width = p->width,
                                       .op = (uint8_t)p->op,
                                       .space = (uint8_t)p->space,
                                       .flags = p->flags};
    if (p->is_copy)
        return place_destination(p, &placed, out);
    if (p->pattern && p->space == SPACE_SHARED) {
        parser_describe_tile(p, &out->tile);
        find_offsets(p, &placed, &out->tile);
    }
    return p->setting == NULL || parser_finish_traced(p, out);
}
