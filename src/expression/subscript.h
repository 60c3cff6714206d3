/* subscript.h - an index or a condition as it stands in a kernel, `(threadIdx.x * stride + off) % n`,
 * worked out for each lane. Internal to expression.
 *
 * C's operators from ?: down to the unary ones, parentheses, min(a, b) and max(a, b), on signed numbers of
 * 64 bits. What does not fit, a division by 0 or a shift by more than 63 bits is an error that names the
 * lane, and nothing wraps: CUDA's threadIdx.x - 1 is 4294967295 in lane 0, here it is -1.
 */
#ifndef WARPLENS_EXPRESSION_SUBSCRIPT_H
#define WARPLENS_EXPRESSION_SUBSCRIPT_H

#include "expression/words.h"

enum { SUBSCRIPT_TERMS = 200 };

struct subscript_term {
    uint8_t kind;     /* enum term_kind of subscript.c */
    uint8_t slot;     /* of a name: which value; set by the caller */
    uint16_t part[3]; /* operands, by index */
    const char *at;   /* where in the text, for messages */
    struct word name; /* of a name; s is NULL for all other terms */
    int64_t number;   /* of a number */
};

struct subscript {
    uint32_t count; /* 0: not given. The last term is the whole */
    struct subscript_term term[SUBSCRIPT_TERMS];
};

/* False, with a message, when the text is no expression. Names may be any. */
bool subscript_parse(const struct words *words, struct word text, struct subscript *out);

/* The value for a lane, whose names have values[slot]. False with a message. */
bool subscript_value(const struct words *words, const struct subscript *subscript,
                     const int64_t *values, unsigned lane, int64_t *value);

#endif
