/* layout.h - CuTe's layouts: from a coordinate to the index of an element. Internal to expression.
 *
 *     (16,64):(64,1)              a shape and its strides: 16 rows of 64 elements
 *     ((2,4),8):((1,16),2)        nested; the strides have the form of the shape
 *     (8,4)                       without strides: side by side, the first mode fastest
 *     16x64+8                     16 rows of 64 elements, 8 unused ones behind each: (16,64):(72,1)
 *     (64,64):(64,1)o(32,2):(1,512)   composition: the right one gives the coordinate that the left one takes
 *
 * A coordinate is one number, counted along the first mode first (colexicographically), as CuTe takes a number for a
 * coordinate of several modes. Each number may be a sum, 64+8, and may begin with CuTe's '_'.
 *
 * Source: CUTLASS, media/docs/cpp/cute/01_layout.md and 02_layout_algebra.md.
 */
#ifndef WARPLENS_EXPRESSION_LAYOUT_H
#define WARPLENS_EXPRESSION_LAYOUT_H

#include "expression/words.h"

enum { LAYOUT_MODES = 16, LAYOUT_PARTS = 4, LAYOUT_NUMBER_MOST = 1 << 20 };

/* One mode behind all parentheses. */
struct layout_mode {
    uint32_t shape, stride; /* shape: 1 or more */
};

struct layout_part {
    uint32_t modes; /* 1 or more */
    struct layout_mode mode[LAYOUT_MODES];
    uint64_t size;     /* coordinates: the product of the shapes */
    uint64_t top_size; /* those of the first mode, with all that is nested in it */
    bool is_flat;      /* it has no parentheses: one mode */
};

/* A composition: the last part takes the coordinate. */
struct layout {
    uint32_t parts; /* 0: not given */
    struct layout_part part[LAYOUT_PARTS];
};

/* False, with a message, when the text is no layout. */
bool layout_parse(const struct words *words, struct word text, struct layout *out);

/* The element at a coordinate; `at` and `lane` are for the message when a part has no such coordinate. */
bool layout_find(const struct words *words, const struct layout *layout, const char *at,
                 unsigned lane, uint64_t coordinate, uint64_t *element);

#endif
