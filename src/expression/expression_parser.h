/* expression_parser.h - what the files of the expression parser share. Internal to expression. */
#ifndef WARPLENS_EXPRESSION_EXPRESSION_PARSER_H
#define WARPLENS_EXPRESSION_EXPRESSION_PARSER_H

#include "expression/expression.h"
#include "expression/layout.h"
#include "expression/subscript.h"
#include "expression/words.h"

#define ADDRESS_END (UINT64_C(1) << 48)

enum { NAMES_MOST = 16 };

/* What a word name=number gives to an index. */
struct named_value {
    struct word name, text;
    bool is_used;
    int64_t number; /* once it is used */
};

/* The warp that an expression is about, which of its lanes take part, and names. */
struct indexed {
    struct subscript condition;
    const char *condition_at, *block_at, *grid_at, *block_index_at, *warp_at;
    uint64_t block[3], grid[3], block_index[3], warp;
    uint32_t names;
    struct named_value named[NAMES_MOST];
};

/* What an expression by itself may have besides base, stride and addresses. */
struct pattern {
    struct subscript index;
    struct layout layout;
    struct swizzle swizzle;
    uint8_t element_bytes; /* of a word such as f16 */
    const char *index_at, *layout_at, *swizzle_at, *element_at;

    /* What parser_finish_pattern makes of them. */
    bool is_listed; /* the list of addresses is made of them */
    uint64_t
        offset[WARP_LANES]; /* by place of the list: bytes from the base on, before the swizzle */
    uint64_t base;
};

struct parser {
    struct words words;
    const struct expression_setting *setting; /* NULL: an expression by itself */
    struct indexed *indexed;                  /* of such an expression; NULL: a trace's line */
    struct pattern *pattern;                  /* the same */
    struct parser *to; /* of such an expression: for the destination of a copy */
    bool is_to;        /* it is that one */
    const char *head;  /* the first word, or "to" */

    /* What the first word says. */
    enum mem_op op;
    enum mem_space space;
    uint8_t width, flags;
    uint8_t type_bytes; /* of an element: of a vector's; 1 for a copy */
    uint32_t row_lanes; /* of ldmatrix and stmatrix: those that name rows; 0: of others */
    bool is_copy, is_past_l1;

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
    uint64_t work, lag, needs;
    uint8_t listed_flags;
    bool has_lane; /* lane= was given */
    struct word array;
    const char *resident_at, *work_at, *lag_at, *needs_at, *flags_at, *array_at;
};

/* The first word: operation.space.type. */
bool parser_read_head(struct parser *p, struct word head);

/* Remembers where a word was given; false, with a message, when it was given before. */
bool parser_read_once(struct parser *p, struct word value, const char **at, const char *name);

/* A set of lanes, not empty. `all`: what is allowed at most. */
bool parser_read_lanes(struct parser *p, struct word value, uint32_t all, uint32_t *lanes);

/* A number up to `most`; in a trace a sum of numbers and names, as 4*32*block+in-8. */
bool parser_read_address(struct parser *p, struct word value, uint64_t most, int64_t *number);

/* Says which words are allowed, the nearest first. */
bool parser_fail_word(const struct parser *p, struct word name);

/* Places the lanes and makes the access; the words are all read. */
bool parser_make_access(struct parser *p, struct expression *out);

/* The words that only expressions by themselves have, [index], name=number and an element's type; what they make of the
 * mask and the list of addresses. */
enum { INDEX_WORDS = 7 };
extern const char *const index_word_names[INDEX_WORDS];
extern bool (*const index_word_readers[INDEX_WORDS])(struct parser *p, struct word value);
bool parser_read_index(struct parser *p, struct word word);
bool parser_keep_name(struct parser *p, struct word name, struct word value);

/* The names and the warp, once for an access and the destination of a copy; then each one's list. */
bool parser_finish_index(struct parser *p);
bool parser_find_element(struct parser *p, unsigned lane, int64_t *index);

/* layout=, swizzle= and f16. */
bool parser_read_layout(struct parser *p, struct word value);
bool parser_read_swizzle(struct parser *p, struct word value);
bool parser_read_element(struct parser *p, struct word word);
bool parser_finish_pattern(struct parser *p);
void parser_describe_tile(const struct parser *p, struct tile *tile);

/* The bytes of a type such as f16; 0 when it is none. */
uint8_t parser_type_bytes(struct word type);

/* The words that only lines of a trace have. */
enum { TRACE_WORDS = 6 };
extern const char *const trace_word_names[TRACE_WORDS];
extern bool (*const trace_word_readers[TRACE_WORDS])(struct parser *p, struct word value);

/* Puts what those words say into an access whose lanes are placed. */
bool parser_finish_traced(struct parser *p, struct expression *out);

#endif
