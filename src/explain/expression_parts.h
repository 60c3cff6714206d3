/* expression_parts.h - what the files of the expression parser share. Internal to expression. */
#ifndef WARPLENS_EXPLAIN_EXPRESSION_PARTS_H
#define WARPLENS_EXPLAIN_EXPRESSION_PARTS_H

#include "explain/expression.h"
#include "explain/words.h"

#define ADDRESS_END (UINT64_C(1) << 48)

struct parser {
    struct words words;
    const struct expression_setting *setting; /* NULL: an expression by itself */
    const char *head;                         /* the first word */

    /* What the first word says. */
    enum mem_op op;
    enum mem_space space;
    uint8_t width, flags;

    /* What the other words say. `at` pointers show where, for messages; NULL: not given. */
    int64_t base;
    int64_t stride;
    uint32_t mask;
    uint32_t swap; /* perm=xor:swap */
    uint32_t listed;
    uint32_t dashes; /* bit i: the list has '-' for lane i */
    int64_t list[WARP_LANES];
    int64_t fixed[WARP_LANES]; /* lane=I:ADDRESS */
    const char *base_at, *stride_at, *mask_at, *swap_at, *list_at[WARP_LANES],
        *fixed_at[WARP_LANES];

    /* Of a line of a trace. */
    uint32_t resident;
    uint64_t work, needs;
    uint8_t listed_flags;
    bool has_lane; /* lane= was given */
    struct word array;
    const char *resident_at, *work_at, *needs_at, *flags_at, *array_at;
};

/* The first word: operation.space.type. */
bool parser_read_head(struct parser *p, struct word head);

/* Remembers where a word was given; false, with a message, when it was given before. */
bool parser_read_once(struct parser *p, struct word value, const char **at, const char *name);

/* A set of lanes, not empty. `all`: what is allowed at most. */
bool parser_read_lanes(struct parser *p, struct word value, uint32_t all, uint32_t *lanes);

/* A number up to `most`; in a trace a sum of numbers and names, as 4*32*block+in-8. */
bool parser_read_address(struct parser *p, struct word value, uint64_t most, int64_t *number);

/* The words that only lines of a trace have. */
enum { TRACE_WORDS = 5 };
extern const char *const trace_word_names[TRACE_WORDS];
extern bool (*const trace_word_readers[TRACE_WORDS])(struct parser *p, struct word value);

/* Puts what those words say into an access whose lanes are placed. */
bool parser_finish_traced(struct parser *p, struct expression *out);

#endif
