/* expression_trace.c - what a line of a trace has besides an expression's words: addresses as sums of
 * numbers and names, and words for the other fields of an access.
 *
 * Decision: a sum may be negative and of 64 bits, since lane 0 of an affine access need not be
 * active; what active lanes get is checked like any address.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "expression/expression_parser.h"

const char *const access_flag_names[ACCESS_FLAG_WORDS] = {
    "nc",        "host",  "managed", "volatile", "unrolled", "flattened",
    "increment", "float", "matrix",  "cluster",  "async",    "none"};
static const uint8_t shared_flags[] = {ACCESS_MATRIX, ACCESS_CLUSTER, ACCESS_CLUSTER_ASYNC};
enum { SHARED_FLAGS = sizeof shared_flags };

bool access_flag_read(struct word word, uint8_t *flags)
{
    const size_t found = word_find(word, access_flag_names, ACCESS_FLAG_WORDS);
    if (found < ACCESS_FLAGS)
        *flags |= (uint8_t)(1U << found);
    else if (found < ACCESS_FLAGS + SHARED_FLAGS)
        *flags |= shared_flags[found - ACCESS_FLAGS];
    return found < ACCESS_FLAG_WORDS;
}

const char *access_flag_word(const struct warp_access *a, unsigned bit)
{
    for (unsigned i = 0; i < SHARED_FLAGS; i++)
        if (1U << bit == shared_flags[i] && (i == 0 ? a->op != OP_ATOMIC : access_is_remote(a)))
            return access_flag_names[ACCESS_FLAGS + i];
    return access_flag_names[bit];
}

static bool fail_too_large(struct parser *p, struct word word)
{
    return words_fail(&p->words, word.s,
                      "the value does not fit 64 bits; allowed: sums of numbers below 2^63");
}

static bool read_factor(struct parser *p, struct word factor, uint64_t *value)
{
    char message[EXPRESSION_NAME_BYTES];
    int64_t of_name = 0;
    if (factor.length == 0 || isdigit((unsigned char)factor.s[0]))
        return words_number(&p->words, factor, UINT64_MAX, value);
    if (!p->setting->value(p->setting->context, p->space, factor, &of_name, message))
        return words_fail(&p->words, factor.s, "%s", message);
    *value = (uint64_t)of_name; /* arrays and indices: never negative */
    return true;
}

/* 4*32*block, with its sign. */
static bool read_product(struct parser *p, struct word term, bool is_negative, int64_t *value)
{
    struct word rest = term;
    uint64_t product = 1, factor = 0;
    while (rest.s != NULL) {
        struct word part = word_cut(rest, '*', &rest);
        if (!read_factor(p, part, &factor))
            return false;
        if (__builtin_mul_overflow(product, factor, &product))
            return fail_too_large(p, term);
    }
    if (product > (uint64_t)INT64_MAX + is_negative)
        return fail_too_large(p, term);
    *value = (int64_t)(is_negative ? 0 - product : product);
    return true;
}

static size_t term_length(const char *s, size_t length)
{
    size_t i = 0;
    while (i < length && s[i] != '+' && s[i] != '-')
        i++;
    return i;
}

static bool read_sum(struct parser *p, struct word sum, int64_t *value)
{
    const char *s = sum.s, *end = sum.s + sum.length;
    bool is_negative = false;
    int64_t term = 0;
    *value = 0;
    if (s < end && (*s == '-' || *s == '+'))
        is_negative = *s++ == '-';
    while (true) {
        struct word word = {s, term_length(s, (size_t)(end - s))};
        if (!read_product(p, word, is_negative, &term))
            return false;
        if (__builtin_add_overflow(*value, term, value))
            return fail_too_large(p, sum);
        s += word.length;
        if (s == end)
            return true;
        is_negative = *s++ == '-';
    }
}

bool parser_read_address(struct parser *p, struct word value, uint64_t most, int64_t *number)
{
    uint64_t plain;
    if (p->setting)
        return read_sum(p, value, number);
    if (!words_number(&p->words, value, most, &plain))
        return false;
    *number = (int64_t)plain;
    return true;
}

static bool read_resident(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->resident_at, "resident") &&
           parser_read_lanes(p, value, p->setting->lanes, &p->resident);
}

static bool read_work(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->work_at, "work") &&
           words_number(&p->words, value, UINT16_MAX, &p->work);
}

static bool read_lag(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->lag_at, "lag") &&
           words_number(&p->words, value, UINT16_MAX, &p->lag);
}

static bool read_needs(struct parser *p, struct word value)
{
    return parser_read_once(p, value, &p->needs_at, "needs") &&
           words_number(&p->words, value, NEEDS_NO_LOAD, &p->needs);
}

static bool read_flags(struct parser *p, struct word value)
{
    struct word rest = value;
    if (!parser_read_once(p, value, &p->flags_at, "flags"))
        return false;
    while (rest.s != NULL) {
        struct word name = word_cut(rest, ',', &rest);
        if (!access_flag_read(name, &p->listed_flags))
            return words_fail_unknown(&p->words, name, "flag", access_flag_names,
                                      ACCESS_FLAG_WORDS);
    }
    return true;
}

static bool read_array(struct parser *p, struct word value)
{
    p->array = value;
    return parser_read_once(p, value, &p->array_at, "array");
}

const char *const trace_word_names[TRACE_WORDS] = {"resident", "work",  "lag",
                                                   "needs",    "flags", "array"};
bool (*const trace_word_readers[TRACE_WORDS])(struct parser *p, struct word value) = {
    read_resident, read_work, read_lag, read_needs, read_flags, read_array};

bool parser_finish_traced(struct parser *p, struct expression *out)
{
    struct warp_access *access = &out->access;
    if (p->base_at == NULL && p->listed == 0)
        return words_fail(&p->words, p->head,
                          "the access has no address; allowed: base=... or addr=...");
    if (p->listed == 0 && p->swap_at == NULL && !p->has_lane) {
        access->addr = NULL;
        access->base = (uint64_t)p->base;
        access->stride = p->stride;
    }
    access->resident = p->resident_at ? p->resident : p->setting->lanes;
    if (access->active & ~access->resident)
        return words_fail(&p->words, p->resident_at,
                          "lanes take part that are not resident; allowed: all of 0x%" PRIx32
                          " and more",
                          access->active);
    access->work = (uint16_t)(p->work_at ? p->work : 1);
    access->lag = (uint16_t)p->lag;
    access->loads_left = (uint8_t)(p->needs_at ? p->needs : NEEDS_NO_LOAD);
    access->flags |= p->listed_flags;
    out->has_flags = p->flags_at != NULL;
    out->array = p->array;
    return true;
}
