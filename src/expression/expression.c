/* expression.c - a warp access written by hand: the words after the first, and the access they
 * make.
 *
 * Decisions: perm works on base and stride or on the list, and the addresses of single lanes come
 * last. A lane that is given an address by itself but is masked off is an error, not silence, and
 * so is a list together with base or stride. Global addresses have 48 bits; constant memory has 64
 * KB; no GPU has more than 256 KB of shared memory an SM.
 */
#include "expression/expression.h"

#include <inttypes.h>
#include <string.h>

#include "expression/expression_parser.h"

bool parser_read_once(struct parser *p, struct word value, const char **at, const char *name)
{
    if (*at != NULL)
        return words_fail(&p->words, value.s, "%s= is given twice; allowed: once", name);
    *at = value.s;
    return true;
}

static bool read_base(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->base_at, "base") &&
           parser_read_address(p, value, ADDRESS_END - 1, &p->base);
}

static bool read_stride(struct parser *p, struct word value)
{
    const bool is_negative = p->setting == NULL && value.length != 0 && value.s[0] == '-';
    if (!parser_read_once(p, value, &p->stride_at, "stride"))
        return false;
    if (is_negative)
        value = (struct word){value.s + 1, value.length - 1};
    if (!parser_read_address(p, value, ADDRESS_END - 1, &p->stride))
        return false;
    p->stride = is_negative ? -p->stride : p->stride;
    return true;
}

bool parser_read_lanes(struct parser *p, struct word value, uint32_t all, uint32_t *lanes)
{
    uint64_t mask;
    if (!words_number(&p->words, value, UINT32_MAX, &mask))
        return false;
    if (mask == 0)
        return words_fail(&p->words, value.s,
                          "the mask turns every lane off; allowed: 1 to 0x%" PRIx32, all);
    if (mask & ~(uint64_t)all)
        return words_fail(&p->words, value.s,
                          "lanes that the block does not have; allowed: lanes of 0x%" PRIx32, all);
    *lanes = (uint32_t)mask;
    return true;
}

static uint32_t present_lanes(const struct parser *p)
{
    const uint32_t lanes = p->setting ? p->setting->lanes : UINT32_MAX;
    return p->row_lanes ? lanes & p->row_lanes : lanes;
}

static bool read_mask(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->mask_at, "mask") &&
           parser_read_lanes(p, value, present_lanes(p), &p->mask);
}

static bool read_list_item(struct parser *p, struct word item)
{
    if (p->listed == WARP_LANES)
        return words_fail(&p->words, item.s, "more than 32 addresses; allowed: 1 to 32");
    if (word_is(item, "-"))
        p->dashes |= UINT32_C(1) << p->listed;
    else if ((present_lanes(p) >> p->listed & 1U) == 0)
        return words_fail(&p->words, item.s,
                          "lane %u is beyond the block; allowed: lanes of 0x%" PRIx32, p->listed,
                          present_lanes(p));
    else if (!parser_read_address(p, item, ADDRESS_END - 1, &p->list[p->listed]))
        return false;
    p->list_at[p->listed++] = item.s;
    return true;
}

static bool read_list(struct parser *p, struct word value)
{
    struct word rest = value;
    if (p->listed != 0)
        return words_fail(&p->words, value.s, "addr= is given twice; allowed: once");
    while (rest.s != NULL) {
        struct word item = word_cut(rest, ',', &rest);
        if (!read_list_item(p, item))
            return false;
    }
    return true;
}

static bool read_perm(struct parser *p, struct word value)
{
    static const char *const kinds[] = {"xor"};
    struct word number;
    uint64_t swap;
    if (!parser_read_once(p, value, &p->swap_at, "perm"))
        return false;
    const struct word kind = word_cut(value, ':', &number);
    if (!word_is(kind, kinds[0]))
        return words_fail_unknown(&p->words, kind, "permutation", kinds, 1);
    if (number.s == NULL)
        return words_fail(&p->words, value.s + value.length,
                          "the lane distance is missing; allowed: "
                          "xor:0 to xor:31");
    if (!words_number(&p->words, number, WARP_LANES - 1, &swap))
        return false;
    p->swap = (uint32_t)swap;
    return true;
}

static bool read_lane(struct parser *p, struct word value)
{
    struct word address;
    uint64_t lane;
    const struct word number = word_cut(value, ':', &address);
    if (!words_number(&p->words, number, WARP_LANES - 1, &lane))
        return false;
    if (address.s == NULL)
        return words_fail(&p->words, value.s + value.length,
                          "the address is missing; allowed: lane=3:0x80");
    p->has_lane = true;
    return parser_read_once(p, value, &p->fixed_at[lane], "the same lane") &&
           parser_read_address(p, address, ADDRESS_END - 1, &p->fixed[lane]);
}

enum { OWN_WORDS = 6, WORDS = OWN_WORDS + TRACE_WORDS };
_Static_assert((int)INDEX_WORDS == (int)TRACE_WORDS, "the same room");

/* The words that a line may have. */
static void list_words(const struct parser *p, const char *names[WORDS])
{
    static const char *const own[OWN_WORDS] = {"base", "stride", "mask", "addr", "perm", "lane"};
    memcpy(names, own, sizeof own);
    memcpy(names + OWN_WORDS, p->indexed ? index_word_names : trace_word_names,
           sizeof trace_word_names);
}

bool parser_fail_word(const struct parser *p, struct word name)
{
    const char *names[WORDS];
    list_words(p, names);
    return words_fail_unknown(&p->words, name, "word", names, WORDS);
}

static bool read_value(struct parser *p, size_t found, struct word value)
{
    static bool (*const readers[OWN_WORDS])(struct parser *, struct word) = {
        read_base, read_stride, read_mask, read_list, read_perm, read_lane};
    bool (*const *others)(struct parser *, struct word) =
        p->indexed ? index_word_readers : trace_word_readers;
    return found < OWN_WORDS ? readers[found](p, value) : others[found - OWN_WORDS](p, value);
}

static bool read_word(struct parser *p, struct word word)
{
    const char *names[WORDS];
    struct word value;
    if (p->indexed && word.s[0] == '[')
        return parser_read_index(p, word);
    const struct word name = word_cut(word, '=', &value);
    list_words(p, names);
    const size_t found = word_find(name, names, WORDS);
    if (found == WORDS && p->indexed && value.s != NULL && name.length != 0)
        return parser_keep_name(p, name, value);
    if (found == WORDS)
        return parser_fail_word(p, name);
    if (value.s == NULL)
        return words_fail(&p->words, word.s + word.length, "'%s' has no value; allowed: %s=...",
                          names[found], names[found]);
    return read_value(p, found, value) &&
           (!p->indexed || !word_is(name, "stride") || parser_keep_name(p, name, value));
}

uint64_t expression_space_end(enum mem_space space)
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
    const uint64_t last = expression_space_end(p->space) - p->width;
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
    out->access.active |= UINT32_C(1) << lane;
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

static bool place_lanes(struct parser *p, struct expression *out)
{
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
    if (out->access.active == 0)
        return words_fail(&p->words, first_given(p->mask_at, p->swap_at, p->head),
                          "no lane is left; allowed: at least one lane in the mask that has an "
                          "address");
    return true;
}

static bool make_access(struct parser *p, struct expression *out)
{
    if (p->indexed && !parser_finish_index(p))
        return false;
    const char *other = first_given(p->base_at, p->stride_at, NULL);
    if (p->listed != 0 && other != NULL)
        return words_fail(&p->words, other,
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
    return p->setting == NULL || parser_finish_traced(p, out);
}

/* The next word. Where there may be an index, [...] is one, and blanks within parentheses belong to it. */
static struct word next_word(const struct parser *p, struct word last)
{
    struct word word = word_next(last.s + last.length);
    int depth = 0;
    if (!p->indexed)
        return word;
    if (word.s[0] == '[') {
        word.length = strcspn(word.s, "]");
        word.length += word.s[word.length] == ']';
        return word;
    }
    for (word.length = 0; word.s[word.length] != '\0'; word.length++) {
        const char c = word.s[word.length];
        depth += (c == '(') - (c == ')');
        if (depth <= 0 && strchr(" \t\n", c))
            break;
    }
    return word;
}

static bool parse(struct parser *p, const char *at, struct expression *out)
{
    struct word word = word_next(at);
    p->head = word.s;
    if (!parser_read_head(p, word))
        return false;
    p->mask = present_lanes(p);
    for (word = next_word(p, word); word.length != 0; word = next_word(p, word)) {
        if (!read_word(p, word))
            return false;
    }
    return make_access(p, out);
}

bool expression_parse(const char *text, struct expression *out, char *error, size_t error_bytes)
{
    struct parser p = {.words = {text, error, error_bytes}};
    struct indexed indexed;
    parser_start_index(&p, &indexed);
    return parse(&p, text, out);
}

bool expression_parse_traced(const struct words *words, const char *at,
                             const struct expression_setting *setting, struct expression *out)
{
    struct parser p = {.words = *words, .setting = setting};
    return parse(&p, at, out);
}

bool expression_parse_head(const struct words *words, struct word head, struct warp_access *out)
{
    struct parser p = {.words = *words};
    if (!parser_read_head(&p, head))
        return false;
    *out = (struct warp_access){.width = p.width,
                                .op = (uint8_t)p.op,
                                .space = (uint8_t)p.space,
                                .flags = p.flags,
                                .active = 1};
    return true;
}
