/* subscript_terms.h - the kinds of terms, which the parser makes and the evaluator reads. Internal to
 * subscript. */
#ifndef WARPLENS_EXPRESSION_SUBSCRIPT_TERMS_H
#define WARPLENS_EXPRESSION_SUBSCRIPT_TERMS_H

#include "expression/subscript.h"

enum term_kind {
    TERM_NUMBER,
    TERM_NAME,
    TERM_CHOICE, /* ?: */
    TERM_LOGICAL_OR,
    TERM_LOGICAL_AND,
    TERM_OR,
    TERM_XOR,
    TERM_AND,
    TERM_EQUAL,
    TERM_UNEQUAL,
    TERM_LESS,
    TERM_GREATER,
    TERM_AT_MOST,
    TERM_AT_LEAST,
    TERM_SHIFT_LEFT,
    TERM_SHIFT_RIGHT,
    TERM_ADD,
    TERM_SUBTRACT,
    TERM_MULTIPLY,
    TERM_DIVIDE,
    TERM_REMAINDER,
    TERM_MIN,
    TERM_MAX,
    TERM_NEGATE,
    TERM_INVERT,
    TERM_NOT
};

#endif
