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

enum { OWN_WORDS = 6, WORDS_MOST = OWN_WORDS + INDEX_WORDS };
_Static_assert((int)INDEX_WORDS >= (int)TRACE_WORDS, "room for both");

/* The words that a line may have; returns how many. */
static size_t list_words(const struct parser *p, const char *names[WORDS_MOST])
{
    static const char *const own[OWN_WORDS] = {"base", "stride", "mask", "addr", "perm", "lane"};
    memcpy(names, own, sizeof own);
    if (p->indexed)
        memcpy(names + OWN_WORDS, index_word_names, sizeof index_word_names);
    else
        memcpy(names + OWN_WORDS, trace_word_names, sizeof trace_word_names);
    return OWN_WORDS + (size_t)(p->indexed ? INDEX_WORDS : TRACE_WORDS);
}

bool parser_fail_word(const struct parser *p, struct word name)
{
    const char *names[WORDS_MOST];
    const size_t count = list_words(p, names);
    return words_fail_unknown(&p->words, name, "word", names, count);
}

/* Which lanes copy is said once. */
static bool check_side(const struct parser *p, struct word name)
{
    static const char *const whole[] = {"mask", "if", "block", "grid", "blockIdx", "warp"};
    enum { WHOLE = sizeof whole / sizeof whole[0] };
    const size_t found = word_find(name, whole, WHOLE);
    return !p->is_to || found == WHOLE ||
           words_fail(&p->words, name.s,
                      "%s= is about both sides of the copy; allowed: in front of 'to'",
                      whole[found]);
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
    const char *names[WORDS_MOST];
    struct word value;
    if (p->indexed && word.s[0] == '[')
        return parser_read_index(p, word);
    const struct word name = word_cut(word, '=', &value);
    const size_t count = list_words(p, names), found = word_find(name, names, count);
    if (found == count && p->indexed && value.s != NULL && name.length != 0)
        return parser_keep_name(p, name, value);
    if (found == count && p->indexed && parser_type_bytes(word) != 0)
        return parser_read_element(p, word);
    if (found == count)
        return parser_fail_word(p, name);
    if (value.s == NULL)
        return words_fail(&p->words, word.s + word.length, "'%s' has no value; allowed: %s=...",
                          names[found], names[found]);
    return check_side(p, name) && read_value(p, found, value) &&
           (!p->indexed || p->is_to || !word_is(name, "stride") ||
            parser_keep_name(p, name, value));
}

/* The end of a word from `s` on: at a blank or a ';' outside of parentheses. */
static size_t word_length(const char *s)
{
    int depth = 0;
    size_t length = 0;
    for (; s[length] != '\0'; length++) {
        const char c = s[length];
        depth += (c == '(') - (c == ')');
        if (depth <= 0 && strchr(" \t\n;", c))
            break;
    }
    return length;
}

/* A layout goes on behind an 'o' that stands alone. */
static void take_composition(struct word *word)
{
    static const char name[] = "layout=";
    if (word->length < sizeof name || memcmp(word->s, name, sizeof name - 1) != 0)
        return;
    while (true) {
        const struct word sign = word_next(word->s + word->length);
        if (!word_is(sign, "o"))
            return;
        const char *more = word_next(sign.s + sign.length).s;
        word->length = (size_t)(more - word->s) + word_length(more);
    }
}

/* The next word. Where there may be an index, [...] is one, and blanks within parentheses belong to it; a ';' ends
 * all words. */
static struct word next_word(const struct parser *p, struct word last)
{
    struct word word = word_next(last.s + last.length);
    if (!p->indexed)
        return word;
    if (word.s[0] == '[') {
        word.length = strcspn(word.s, "]");
        word.length += word.s[word.length] == ']';
        return word;
    }
    word.length = word_length(word.s);
    take_composition(&word);
    return word;
}

/* Words behind `to` are about the destination of a copy. */
static bool turn(struct parser *p, struct parser **now, struct word word)
{
    if (*now == p->to)
        return words_fail(&p->words, word.s, "a second 'to'; allowed: one");
    *now = p->to;
    (*now)->head = word.s;
    (*now)->width = p->width;
    (*now)->type_bytes = p->type_bytes;
    return true;
}

/* The access from `at` on; `end` becomes what is behind it. */
static bool parse(struct parser *p, const char *at, struct expression *out, const char **end)
{
    struct word word = next_word(p, (struct word){at, 0});
    struct parser *now = p;
    p->head = word.s;
    if (!parser_read_head(p, word))
        return false;
    p->mask = present_lanes(p);
    for (word = next_word(p, word); word.length != 0; word = next_word(p, word)) {
        const bool turns = p->is_copy && word_is(word, "to");
        if (turns ? !turn(p, &now, word) : !read_word(now, word))
            return false;
    }
    *end = word.s;
    return parser_make_access(p, out);
}

/* An expression by itself, or one of several. */
static bool parse_own(const struct words *words, const char *at, struct expression *out,
                      const char **end)
{
    struct indexed indexed = {.block = {256, 1, 1}, .grid = {1, 1, 1}};
    struct pattern patterns[2];
    struct parser to = {.words = *words,
                        .indexed = &indexed,
                        .pattern = &patterns[1],
                        .is_to = true,
                        .op = OP_STORE,
                        .space = SPACE_SHARED};
    struct parser p = {.words = *words, .indexed = &indexed, .pattern = &patterns[0], .to = &to};
    memset(patterns, 0, sizeof patterns);
    return parse(&p, at, out, end);
}

bool expression_parse(const char *text, struct expression *out, char *error, size_t error_bytes)
{
    const struct words words = {text, error, error_bytes};
    const char *end;
    return parse_own(&words, text, out, &end) &&
           (*end == '\0' || words_fail(&words, end, "a second access; allowed: one"));
}

/* From the first character to the last that are not blank. */
static struct word trimmed(const char *from, const char *end)
{
    from = word_next(from).s;
    while (end > from && strchr(" \t\n", end[-1]))
        end--;
    return (struct word){from, (size_t)(end - from)};
}

bool expressions_parse(const char *text, struct expressions *out, char *error, size_t error_bytes)
{
    const struct words words = {text, error, error_bytes};
    const char *at = text;
    for (out->count = 0; out->count < EXPRESSIONS_MOST; at++) {
        const char *end;
        if (!parse_own(&words, at, &out->item[out->count], &end))
            return false;
        out->text[out->count++] = trimmed(at, end);
        at = end;
        if (*at == '\0')
            return true;
    }
    return words_fail(&words, at - 1, "more than %d accesses; allowed: %d", EXPRESSIONS_MOST,
                      EXPRESSIONS_MOST);
}

bool expression_parse_traced(const struct words *words, const char *at,
                             const struct expression_setting *setting, struct expression *out)
{
    struct parser p = {.words = *words, .setting = setting};
    const char *end;
    return parse(&p, at, out, &end);
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
