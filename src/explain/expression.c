/* expression.c - a warp access written by hand: the words after the first, and the access they
 * make.
 *
 * Decisions: perm works on base and stride or on the list, and the addresses of single lanes come
 * last. A lane that is given an address by itself but is masked off is an error, not silence, and
 * so is a list together with base or stride. Global addresses have 48 bits; constant memory has 64
 * KB; no GPU has more than 256 KB of shared memory an SM.
 */
#include "explain/expression.h"

#include <inttypes.h>
#include <string.h>

#include "explain/expression_parts.h"

#define ADDRESS_END (UINT64_C(1) << 48)

static bool read_once(struct parser *p, struct word value, const char **at, const char *name)
{
    if (*at != NULL)
        return parser_fail(p, value.s, "%s= is given twice; allowed: once", name);
    *at = value.s;
    return true;
}

static bool read_base(struct parser *p, struct word value)
{
    return read_once(p, value, &p->base_at, "base") &&
           word_read_number(p, value, ADDRESS_END - 1, &p->base);
}

static bool read_stride(struct parser *p, struct word value)
{
    const bool is_negative = value.length != 0 && value.s[0] == '-';
    uint64_t size;
    if (!read_once(p, value, &p->stride_at, "stride"))
        return false;
    if (is_negative)
        value = (struct word){value.s + 1, value.length - 1};
    if (!word_read_number(p, value, ADDRESS_END - 1, &size))
        return false;
    p->stride = is_negative ? -(int64_t)size : (int64_t)size;
    return true;
}

static bool read_mask(struct parser *p, struct word value)
{
    uint64_t mask;
    if (!read_once(p, value, &p->mask_at, "mask") || !word_read_number(p, value, UINT32_MAX, &mask))
        return false;
    if (mask == 0)
        return parser_fail(p, value.s, "the mask turns every lane off; allowed: 1 to 0xffffffff");
    p->mask = (uint32_t)mask;
    return true;
}

static bool read_list(struct parser *p, struct word value)
{
    struct word rest = value;
    if (p->listed != 0)
        return parser_fail(p, value.s, "addr= is given twice; allowed: once");
    while (rest.s != NULL) {
        struct word item = word_cut(rest, ',', &rest);
        if (p->listed == WARP_LANES)
            return parser_fail(p, item.s, "more than 32 addresses; allowed: 1 to 32");
        if (!word_read_number(p, item, ADDRESS_END - 1, &p->list[p->listed]))
            return false;
        p->list_at[p->listed++] = item.s;
    }
    return true;
}

static bool read_perm(struct parser *p, struct word value)
{
    static const char *const kinds[] = {"xor"};
    struct word number;
    uint64_t swap;
    if (!read_once(p, value, &p->swap_at, "perm"))
        return false;
    const struct word kind = word_cut(value, ':', &number);
    if (!word_is(kind, kinds[0]))
        return parser_fail_unknown(p, kind, "permutation", kinds, 1);
    if (number.s == NULL)
        return parser_fail(p, value.s + value.length,
                           "the lane distance is missing; allowed: "
                           "xor:0 to xor:31");
    if (!word_read_number(p, number, WARP_LANES - 1, &swap))
        return false;
    p->swap = (uint32_t)swap;
    return true;
}

static bool read_lane(struct parser *p, struct word value)
{
    struct word address;
    uint64_t lane;
    const struct word number = word_cut(value, ':', &address);
    if (!word_read_number(p, number, WARP_LANES - 1, &lane))
        return false;
    if (address.s == NULL)
        return parser_fail(p, value.s + value.length,
                           "the address is missing; allowed: lane=3:0x80");
    return read_once(p, value, &p->fixed_at[lane], "the same lane") &&
           word_read_number(p, address, ADDRESS_END - 1, &p->fixed[lane]);
}

static bool read_word(struct parser *p, struct word word)
{
    static bool (*const readers[])(struct parser *, struct word) = {
        read_base, read_stride, read_mask, read_list, read_perm, read_lane};
    static const char *const names[] = {"base", "stride", "mask", "addr", "perm", "lane"};
    struct word value;
    const struct word name = word_cut(word, '=', &value);
    const size_t found = word_find(name, names, sizeof names / sizeof *names);
    if (found == sizeof names / sizeof *names)
        return parser_fail_unknown(p, name, "word", names, found);
    if (value.s == NULL)
        return parser_fail(p, word.s + word.length, "'%s' has no value; allowed: %s=...",
                           names[found], names[found]);
    return readers[found](p, value);
}

static uint64_t space_end(enum mem_space space)
{
    if (space == SPACE_SHARED)
        return 256 * 1024;
    return space == SPACE_CONSTANT ? 64 * 1024 : ADDRESS_END;
}

static const char *first_given(const char *a, const char *b, const char *c)
{
    return a != NULL ? a : b != NULL ? b : c;
}

/* Checks the address of an active lane and stores it. */
static bool place_lane(struct parser *p, unsigned lane, int64_t addr, const char *at,
                       struct expression *out)
{
    const uint64_t last = space_end(p->space) - p->width;
    const uint64_t size = addr < 0 ? -(uint64_t)addr : (uint64_t)addr;
    if (addr < 0 || size > last)
        return parser_fail(p, at, "lane %u is at %s0x%" PRIx64 "; allowed: 0 to 0x%" PRIx64, lane,
                           addr < 0 ? "-" : "", size, last);
    if (size % p->width != 0)
        return parser_fail(p, at,
                           "lane %u is at 0x%" PRIx64 ", which is misaligned; allowed: multiples "
                           "of %u, the bytes a lane takes",
                           lane, size, p->width);
    out->addr[lane] = size;
    out->access.active |= UINT32_C(1) << lane;
    return true;
}

/* Finds the address that the words give a lane: false when they give none. */
static bool find_address(const struct parser *p, unsigned lane, int64_t *addr, const char **at)
{
    const unsigned source = lane ^ p->swap;
    if (p->fixed_at[lane] != NULL) {
        *addr = (int64_t)p->fixed[lane];
        *at = p->fixed_at[lane];
    } else if (p->listed != 0) {
        *addr = (int64_t)p->list[source];
        *at = p->list_at[source];
        return source < p->listed;
    } else {
        *addr = (int64_t)p->base + p->stride * (int64_t)source;
        *at = first_given(p->base_at, p->stride_at, p->text);
    }
    return true;
}

static bool place_lanes(struct parser *p, struct expression *out)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const bool is_masked = (p->mask >> lane & 1U) == 0;
        const char *at;
        int64_t addr;
        if (is_masked && p->fixed_at[lane] != NULL)
            return parser_fail(p, p->fixed_at[lane],
                               "lane %u has an address but is masked off; allowed: lanes in the "
                               "mask, 0x%" PRIx32,
                               lane, p->mask);
        if (is_masked || !find_address(p, lane, &addr, &at))
            continue;
        if (!place_lane(p, lane, addr, at, out))
            return false;
    }
    if (out->access.active == 0)
        return parser_fail(p, first_given(p->mask_at, p->swap_at, p->text),
                           "no lane is left; allowed: at least one lane in the mask that has an "
                           "address");
    return true;
}

static bool make_access(struct parser *p, struct expression *out)
{
    const char *other = first_given(p->base_at, p->stride_at, NULL);
    if (p->listed != 0 && other != NULL)
        return parser_fail(p, other,
                           "base= and stride= do not go with addr=; allowed: one or the "
                           "other");
    if (p->stride_at == NULL)
        p->stride = p->width;
    memset(out, 0, sizeof *out);
    out->access = (struct warp_access){.addr = out->addr,
                                       .width = p->width,
                                       .op = (uint8_t)p->op,
                                       .space = (uint8_t)p->space,
                                       .flags = p->flags};
    if (!place_lanes(p, out))
        return false;
    out->access.resident = out->access.active;
    return true;
}

/* The next run of characters that are not blank; of length 0 at the end. */
static struct word next_word(const char *s)
{
    s += strspn(s, " \t\n");
    return (struct word){s, strcspn(s, " \t\n")};
}

bool expression_parse(const char *text, struct expression *out, char *error, size_t error_bytes)
{
    struct parser p = {
        .text = text, .error = error, .error_bytes = error_bytes, .mask = UINT32_MAX};
    struct word word = next_word(text);
    if (!parser_read_head(&p, word))
        return false;
    for (word = next_word(word.s + word.length); word.length != 0;
         word = next_word(word.s + word.length)) {
        if (!read_word(&p, word))
            return false;
    }
    return make_access(&p, out);
}
