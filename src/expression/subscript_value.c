/* subscript_value.c - the value of an index or a condition for a lane.
 *
 * Decision: overflow is an error and does not wrap, since a wrapped index would be some access, but not
 * the one that was meant. && || ?: work out only what they need, as in C.
 */
#include "expression/subscript_terms.h"

struct worker {
    const struct words *words;
    const struct subscript *subscript;
    const int64_t *values;
    unsigned lane;
};

static bool fail_overflow(const struct worker *w, const struct subscript_term *term)
{
    return words_fail(w->words, term->at,
                      "the value of lane %u does not fit 64 bits; allowed: -2^63 to 2^63-1",
                      w->lane);
}

/* As in C: towards 0, and the remainder has the sign of the dividend. */
static bool divide(const struct worker *w, const struct subscript_term *term, int64_t a, int64_t b,
                   int64_t *value)
{
    if (b == 0)
        return words_fail(w->words, term->at, "lane %u divides by 0; allowed: any other number",
                          w->lane);
    if (a == INT64_MIN && b == -1) {
        *value = 0; /* the remainder */
        return term->kind == TERM_REMAINDER || fail_overflow(w, term);
    }
    *value = term->kind == TERM_REMAINDER ? a % b : a / b;
    return true;
}

static bool shift(const struct worker *w, const struct subscript_term *term, int64_t a, int64_t b,
                  int64_t *value)
{
    if (b < 0 || b > 63)
        return words_fail(w->words, term->at, "lane %u shifts by %lld bits; allowed: 0 to 63",
                          w->lane, (long long)b);
    if (term->kind == TERM_SHIFT_RIGHT)
        *value = a < 0 ? ~(~a >> b) : a >> b;
    else if (b == 63 ? a != 0 && a != -1 : __builtin_mul_overflow(a, INT64_C(1) << b, value))
        return fail_overflow(w, term);
    else if (b == 63)
        *value = a == 0 ? 0 : INT64_MIN;
    return true;
}

static bool arithmetic(const struct worker *w, const struct subscript_term *term, int64_t a,
                       int64_t b, int64_t *value)
{
    bool overflows = false;
    switch (term->kind) {
    case TERM_ADD:
        overflows = __builtin_add_overflow(a, b, value);
        break;
    case TERM_SUBTRACT:
        overflows = __builtin_sub_overflow(a, b, value);
        break;
    case TERM_MULTIPLY:
        overflows = __builtin_mul_overflow(a, b, value);
        break;
    case TERM_DIVIDE:
    case TERM_REMAINDER:
        return divide(w, term, a, b, value);
    default:
        return shift(w, term, a, b, value);
    }
    return !overflows || fail_overflow(w, term);
}

/* Operations on two numbers that always have a value. */
static int64_t combine(enum term_kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case TERM_OR:
        return a | b;
    case TERM_XOR:
        return a ^ b;
    case TERM_AND:
        return a & b;
    case TERM_EQUAL:
        return a == b;
    case TERM_UNEQUAL:
        return a != b;
    case TERM_LESS:
        return a < b;
    case TERM_GREATER:
        return a > b;
    case TERM_AT_MOST:
        return a <= b;
    case TERM_AT_LEAST:
        return a >= b;
    case TERM_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

static bool work_out(const struct worker *w, uint16_t index, int64_t *value);

/* ?: && ||: the first operand says whether the others matter. */
static bool choose(const struct worker *w, const struct subscript_term *term, int64_t *value)
{
    int64_t first;
    if (!work_out(w, term->part[0], &first))
        return false;
    if (term->kind == TERM_CHOICE)
        return work_out(w, term->part[first ? 1 : 2], value);
    *value = first != 0;
    if ((term->kind == TERM_LOGICAL_OR) == (first != 0))
        return true;
    if (!work_out(w, term->part[1], value))
        return false;
    *value = *value != 0;
    return true;
}

static bool apply_mark(const struct worker *w, const struct subscript_term *term, int64_t *value)
{
    int64_t operand;
    if (!work_out(w, term->part[0], &operand))
        return false;
    if (term->kind == TERM_NEGATE)
        return !__builtin_sub_overflow(0, operand, value) || fail_overflow(w, term);
    *value = term->kind == TERM_NOT ? !operand : ~operand;
    return true;
}

static bool work_out(const struct worker *w, uint16_t index, int64_t *value)
{
    const struct subscript_term *term = &w->subscript->term[index];
    int64_t a, b;
    if (term->kind == TERM_NUMBER || term->kind == TERM_NAME) {
        *value = term->kind == TERM_NUMBER ? term->number : w->values[term->slot];
        return true;
    }
    if (term->kind >= TERM_NEGATE)
        return apply_mark(w, term, value);
    if (term->kind <= TERM_LOGICAL_AND)
        return choose(w, term, value);
    if (!work_out(w, term->part[0], &a) || !work_out(w, term->part[1], &b))
        return false;
    if (term->kind >= TERM_SHIFT_LEFT && term->kind <= TERM_REMAINDER)
        return arithmetic(w, term, a, b, value);
    *value = combine((enum term_kind)term->kind, a, b);
    return true;
}

bool subscript_value(const struct words *words, const struct subscript *subscript,
                     const int64_t *values, unsigned lane, int64_t *value)
{
    const struct worker w = {words, subscript, values, lane};
    return work_out(&w, (uint16_t)(subscript->count - 1), value);
}
