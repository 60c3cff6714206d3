/* expression_parser.h - what the files of the expression parser share. Internal to expression. */
#ifndef WARPLENS_EXPRESSION_EXPRESSION_PARSER_H
#define WARPLENS_EXPRESSION_EXPRESSION_PARSER_H

#include "expression/expression.h"
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

/* An index or a condition, and the warp that it is about. */
struct indexed {
    struct subscript index, condition;
    const char *index_at, *condition_at, *block_at, *grid_at, *block_index_at, *warp_at;
    uint64_t block[3], grid[3], block_index[3], warp;
    uint32_t names;
    struct named_value named[NAMES_MOST];
};

struct parser {
    struct words words;
    const struct expression_setting *setting; /* NULL: an expression by itself */
    struct indexed *indexed;                  /* of such an expression; NULL: a trace's line */
    const char *head;                         /* the first word */

    /* What the first word says. */
    enum mem_op op;
    enum mem_space space;
    uint8_t width, flags;
    uint32_t row_lanes; /* of ldmatrix and stmatrix: those that name rows; 0: of others */

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

/* Says which words are allowed, the nearest first. */
bool parser_fail_word(const struct parser *p, struct word name);

/* The words that only expressions by themselves have, [index] and name=number; what they make of the
 * mask and the list of addresses. */
enum { INDEX_WORDS = 5 };
extern const char *const index_word_names[INDEX_WORDS];
extern bool (*const index_word_readers[INDEX_WORDS])(struct parser *p, struct word value);
void parser_start_index(struct parser *p, struct indexed *indexed);
bool parser_read_index(struct parser *p, struct word word);
bool parser_keep_name(struct parser *p, struct word name, struct word value);
bool parser_finish_index(struct parser *p);

/* The words that only lines of a trace have. */
enum { TRACE_WORDS = 5 };
extern const char *const trace_word_names[TRACE_WORDS];
extern bool (*const trace_word_readers[TRACE_WORDS])(struct parser *p, struct word value);

/* Puts what those words say into an access whose lanes are placed. */
bool parser_finish_traced(struct parser *p, struct expression *out);

#endif
