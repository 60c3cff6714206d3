/* expression_index.c - the words of an expression that has an index or a condition: which warp of which
 * block it is about, the names that the person gives, and what each lane gets.
 *
 * Decisions: names stand in words of their own, name=value, in any order with the others; one that is
 * not used is an error, since it may be a word written wrong. With an index `stride` is such a name.
 * Lanes beyond the block are off, as in its last warp.
 */
#include <string.h>

#include "expression/expression_parser.h"

enum { THREADS_MOST = 1024, GRID_MOST = INT32_MAX };

/* Slots of values; the names that a person gives come behind. */
enum {
    SLOT_THREAD,
    SLOT_BLOCK = 3,
    SLOT_BLOCK_SIZE = 6,
    SLOT_GRID_SIZE = 9,
    SLOT_LANE = 12,
    SLOT_WARP,
    SLOT_WARP_SIZE,
    SLOT_GIVEN,
    SLOTS = SLOT_GIVEN + NAMES_MOST
};

static const struct {
    const char *name;
    uint8_t slot;
} built_in[] = {
    {"threadIdx.x", SLOT_THREAD},
    {"threadIdx.y", SLOT_THREAD + 1},
    {"threadIdx.z", SLOT_THREAD + 2},
    {"blockIdx.x", SLOT_BLOCK},
    {"blockIdx.y", SLOT_BLOCK + 1},
    {"blockIdx.z", SLOT_BLOCK + 2},
    {"blockDim.x", SLOT_BLOCK_SIZE},
    {"blockDim.y", SLOT_BLOCK_SIZE + 1},
    {"blockDim.z", SLOT_BLOCK_SIZE + 2},
    {"gridDim.x", SLOT_GRID_SIZE},
    {"gridDim.y", SLOT_GRID_SIZE + 1},
    {"gridDim.z", SLOT_GRID_SIZE + 2},
    {"tx", SLOT_THREAD},
    {"ty", SLOT_THREAD + 1},
    {"tz", SLOT_THREAD + 2},
    {"bx", SLOT_BLOCK},
    {"by", SLOT_BLOCK + 1},
    {"bz", SLOT_BLOCK + 2},
    {"lane", SLOT_LANE},
    {"warp", SLOT_WARP},
    {"warpSize", SLOT_WARP_SIZE},
};
enum { BUILT_IN = sizeof built_in / sizeof built_in[0] };

/* ---- Words --------------------------------------------------------------------------------------- */

static bool read_subscript(struct parser *p, struct word value, struct word text, const char **at,
                           const char *name, struct subscript *subscript)
{
    return parser_read_once(p, value, at, name) && subscript_parse(&p->words, text, subscript);
}

bool parser_read_index(struct parser *p, struct word word)
{
    const struct word text = {word.s + 1, word.length - 2};
    if (p->pattern->index_at)
        return words_fail(&p->words, word.s, "a second index; allowed: one [index]");
    if (word.length < 2 || word.s[word.length - 1] != ']')
        return words_fail(&p->words, word.s + word.length, "']' is missing; allowed: [index]");
    p->pattern->index_at = word.s;
    return subscript_parse(&p->words, text, &p->pattern->index);
}

static bool read_if(struct parser *p, struct word value)
{
    return read_subscript(p, value, value, &p->indexed->condition_at, "if", &p->indexed->condition);
}

/* 32, 32x8 or 8x8x4; with commas as in a trace. */
static bool read_sizes(struct parser *p, struct word value, const char **at, const char *name,
                       uint64_t least, uint64_t sizes[3])
{
    struct word rest = value;
    if (!parser_read_once(p, value, at, name))
        return false;
    for (unsigned i = 0; i < 3 && rest.s != NULL; i++) {
        struct word by_comma = rest, part = word_cut(rest, 'x', &rest);
        if (rest.s == NULL)
            part = word_cut(by_comma, ',', &rest);
        if (!words_number(&p->words, part, GRID_MOST, &sizes[i]))
            return false;
        if (sizes[i] < least)
            return words_fail(&p->words, part.s, "%s= has a 0; allowed: 1 or more, as in 32x8",
                              name);
    }
    return rest.s == NULL ||
           words_fail(&p->words, rest.s, "%s= has a fourth part; allowed: 32x8x1", name);
}

static bool read_block(struct parser *p, struct word value)
{
    struct indexed *x = p->indexed;
    if (!read_sizes(p, value, &x->block_at, "block", 1, x->block))
        return false;
    if (x->block[0] > THREADS_MOST || x->block[1] > THREADS_MOST || x->block[2] > 64 ||
        x->block[0] * x->block[1] * x->block[2] > THREADS_MOST)
        return words_fail(&p->words, value.s,
                          "a block of that many threads; allowed: %d in all, 64 in z",
                          THREADS_MOST);
    return true;
}

static bool read_grid(struct parser *p, struct word value)
{
    return read_sizes(p, value, &p->indexed->grid_at, "grid", 1, p->indexed->grid);
}

static bool read_block_index(struct parser *p, struct word value)
{
    return read_sizes(p, value, &p->indexed->block_index_at, "blockIdx", 0,
                      p->indexed->block_index);
}

static bool read_warp(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->indexed->warp_at, "warp") &&
           words_number(&p->words, value, THREADS_MOST / WARP_LANES - 1, &p->indexed->warp);
}

const char *const index_word_names[INDEX_WORDS] = {"layout", "swizzle",  "if",  "block",
                                                   "grid",   "blockIdx", "warp"};
bool (*const index_word_readers[INDEX_WORDS])(struct parser *p, struct word value) = {
    parser_read_layout, parser_read_swizzle, read_if,  read_block,
    read_grid,          read_block_index,    read_warp};

bool parser_keep_name(struct parser *p, struct word name, struct word value)
{
    struct indexed *x = p->indexed;
    for (uint32_t i = 0; i < x->names; i++) {
        if (x->named[i].name.length == name.length &&
            memcmp(x->named[i].name.s, name.s, name.length) == 0)
            return words_fail(&p->words, name.s, "this name is given twice; allowed: once");
    }
    if (x->names == NAMES_MOST)
        return words_fail(&p->words, name.s, "more than %d names; allowed: %d", NAMES_MOST,
                          NAMES_MOST);
    x->named[x->names++] = (struct named_value){.name = name, .text = value};
    return true;
}

/* ---- Names --------------------------------------------------------------------------------------- */

static bool read_given(struct parser *p, struct named_value *named)
{
    struct word digits = named->text;
    const bool is_negative = digits.length != 0 && digits.s[0] == '-';
    uint64_t size;
    if (is_negative)
        digits = (struct word){digits.s + 1, digits.length - 1};
    if (!words_number(&p->words, digits, INT64_MAX, &size))
        return false;
    named->number = is_negative ? -(int64_t)size : (int64_t)size;
    named->is_used = true;
    return true;
}

static bool fail_name(const struct parser *p, struct word name)
{
    const char *names[BUILT_IN];
    for (size_t i = 0; i < BUILT_IN; i++)
        names[i] = built_in[i].name;
    return words_fail_near(
        &p->words, name, "name", names, BUILT_IN,
        "threadIdx, blockIdx, blockDim and gridDim with .x .y .z, tx ty tz bx by "
        "bz, lane, warp, warpSize, and what a word name=number gives");
}

static bool resolve_name(struct parser *p, struct subscript_term *term)
{
    struct indexed *x = p->indexed;
    for (size_t i = 0; i < BUILT_IN; i++) {
        if (word_is(term->name, built_in[i].name)) {
            term->slot = built_in[i].slot;
            if (term->slot / 3 == SLOT_GRID_SIZE / 3 && x->grid_at == NULL)
                return words_fail(
                    &p->words, term->at,
                    "the grid's size is not given; allowed: with grid=64 or grid=32x8");
            return true;
        }
    }
    for (uint32_t i = 0; i < x->names; i++) {
        struct named_value *named = &x->named[i];
        if (named->name.length != term->name.length ||
            memcmp(named->name.s, term->name.s, term->name.length) != 0)
            continue;
        term->slot = (uint8_t)(SLOT_GIVEN + i);
        return named->is_used || read_given(p, named);
    }
    return fail_name(p, term->name);
}

static bool resolve_names(struct parser *p, struct subscript *subscript)
{
    for (uint32_t i = 0; i < subscript->count; i++) {
        if (subscript->term[i].name.s != NULL && !resolve_name(p, &subscript->term[i]))
            return false;
    }
    return true;
}

/* With an index, `stride` is a name, which stands in front of 'to'. */
static bool check_stride(struct parser *p)
{
    const struct parser *to = p->to;
    return to == NULL || to->pattern->index_at == NULL || to->stride_at == NULL ||
           words_fail(&p->words, to->stride_at,
                      "stride= behind 'to' does not go with an index there; allowed: another "
                      "name, or stride= in front of 'to'");
}

/* A name that nothing uses may be a word written wrong. */
static bool check_used(struct parser *p)
{
    for (uint32_t i = 0; i < p->indexed->names; i++) {
        const struct named_value *named = &p->indexed->named[i];
        for (size_t k = 0; k < BUILT_IN; k++)
            if (word_is(named->name, built_in[k].name))
                return words_fail(
                    &p->words, named->name.s,
                    "%s is worked out; allowed: block=, grid=, blockIdx= and warp= say "
                    "which warp it is",
                    built_in[k].name);
        if (!named->is_used && !word_is(named->name, "stride"))
            return parser_fail_word(p, named->name);
    }
    for (uint32_t i = 0; p->pattern->index_at && i < p->indexed->names; i++) {
        const struct named_value *named = &p->indexed->named[i];
        if (!named->is_used)
            return words_fail(
                &p->words, named->name.s,
                "the index does not use stride; allowed: without it, or [...*stride]");
    }
    if (p->pattern->index_at)
        p->stride_at = NULL;
    return true;
}

/* ---- Lanes --------------------------------------------------------------------------------------- */

/* The warp lies in the block, and the block in the grid. */
static bool check_warp(const struct parser *p)
{
    const struct indexed *x = p->indexed;
    const uint64_t threads = x->block[0] * x->block[1] * x->block[2];
    if (x->warp * WARP_LANES >= threads)
        return words_fail(&p->words, x->warp_at, "the block has no such warp; allowed: 0 to %llu",
                          (unsigned long long)((threads - 1) / WARP_LANES));
    for (unsigned i = 0; i < 3 && x->grid_at && x->block_index_at; i++) {
        if (x->block_index[i] >= x->grid[i])
            return words_fail(&p->words, x->block_index_at,
                              "the grid has no such block; allowed: below grid=, from 0 on");
    }
    return true;
}

static void fill_values(const struct indexed *x, unsigned lane, int64_t values[SLOTS])
{
    uint64_t thread = x->warp * WARP_LANES + lane;
    for (unsigned i = 0; i < 3; i++) {
        values[SLOT_THREAD + i] = (int64_t)(i == 2 ? thread : thread % x->block[i]);
        thread /= x->block[i];
        values[SLOT_BLOCK + i] = (int64_t)x->block_index[i];
        values[SLOT_BLOCK_SIZE + i] = (int64_t)x->block[i];
        values[SLOT_GRID_SIZE + i] = (int64_t)x->grid[i];
    }
    values[SLOT_LANE] = lane;
    values[SLOT_WARP] = (int64_t)x->warp;
    values[SLOT_WARP_SIZE] = WARP_LANES;
    for (uint32_t i = 0; i < x->names; i++)
        values[SLOT_GIVEN + i] = x->named[i].number;
}

/* Whether a lane exists and the condition holds. */
static bool find_taking_part(struct parser *p, unsigned lane, bool *takes_part)
{
    const struct indexed *x = p->indexed;
    int64_t values[SLOTS], holds = 1;
    *takes_part = false;
    if (x->warp * WARP_LANES + lane >= x->block[0] * x->block[1] * x->block[2])
        return true;
    fill_values(x, lane, values);
    if (x->condition.count != 0 && !subscript_value(&p->words, &x->condition, values, lane, &holds))
        return false;
    *takes_part = holds != 0;
    return true;
}

bool parser_find_element(struct parser *p, unsigned lane, int64_t *index)
{
    int64_t values[SLOTS];
    fill_values(p->indexed, lane, values);
    return subscript_value(&p->words, &p->pattern->index, values, lane, index);
}

bool parser_finish_index(struct parser *p)
{
    struct indexed *x = p->indexed;
    if (!check_stride(p) || !resolve_names(p, &p->pattern->index) ||
        !resolve_names(p, &x->condition) || (p->to && !resolve_names(p, &p->to->pattern->index)) ||
        !check_used(p) || !check_warp(p))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool takes_part;
        if (!find_taking_part(p, lane, &takes_part))
            return false;
        if (!takes_part)
            p->mask &= ~(UINT32_C(1) << lane);
    }
    if (x->condition_at && p->mask_at == NULL)
        p->mask_at = x->condition_at;
    return true;
}
