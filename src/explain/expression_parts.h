/* expression_parts.h - what the files of the expression parser share. Internal to expression. */
#ifndef WARPLENS_EXPLAIN_EXPRESSION_PARTS_H
#define WARPLENS_EXPLAIN_EXPRESSION_PARTS_H

#include "explain/expression.h"

/* A piece of the text. */
struct word {
    const char *s;
    size_t length;
};

struct parser {
    const char *text;
    char *error;
    size_t error_bytes;

    /* What the first word says. */
    enum mem_op op;
    enum mem_space space;
    uint8_t width, flags;

    /* What the other words say. `at` pointers show where, for messages; NULL: not given. */
    uint64_t base;
    int64_t stride;
    uint32_t mask;
    uint32_t swap; /* perm=xor:swap */
    uint32_t listed;
    uint64_t list[WARP_LANES];
    uint64_t fixed[WARP_LANES]; /* lane=I:ADDRESS */
    const char *base_at, *stride_at, *mask_at, *swap_at, *list_at[WARP_LANES],
        *fixed_at[WARP_LANES];
};

/* Writes the error message, with the column of `at`. Always false. */
bool parser_fail(struct parser *p, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a word that is not in a list: names the nearest ones and all that are allowed. */
bool parser_fail_unknown(struct parser *p, struct word word, const char *what,
                         const char *const *allowed, size_t count);

bool word_is(struct word word, const char *s);

/* The index of a word in a list; `count` when it is not there. */
size_t word_find(struct word word, const char *const *list, size_t count);

/* Up to the first of the characters `ends`; `rest` becomes what follows that character, or an empty
 * word with s = NULL when there is none. */
struct word word_cut(struct word word, char end, struct word *rest);

/* A number from 0 to `most`. */
bool word_read_number(struct parser *p, struct word word, uint64_t most, uint64_t *value);

/* The first word: operation.space.type. */
bool parser_read_head(struct parser *p, struct word head);

#endif
