/* layouts.h - which swizzle, and which padding, would leave an access to shared memory without a bank conflict: found by
 * trying them all. Internal to explain.
 *
 * What is tried: CuTe's Swizzle<B,M,S> with 1 to 5 bits B, which keep what a lane takes in one piece (M), exchange words
 * within a row alone where the rows' length is known and a power of two, and read bits of addresses that are in use
 * (S >= B); and rows that are longer by up to 128 bytes. All parts (explain.h) are tried together.
 */
#ifndef WARPLENS_EXPLAIN_LAYOUTS_H
#define WARPLENS_EXPLAIN_LAYOUTS_H

#include "explain/explained.h"

/* One layout and what it costs. */
struct layout_trial {
    struct swizzle swizzle;     /* of bytes; bits == 0: rows are padded */
    uint32_t pitch_bytes;       /* padding: length of a row before it */
    uint32_t pad_bytes;         /* 0: a swizzle */
    uint32_t passes, conflicts; /* over all parts; of the passes, those beyond the ideal */
};

enum { SWIZZLES_KEPT = 2, PADDINGS_KEPT = 1 };

struct layouts {
    size_t parts;               /* in shared memory */
    uint32_t passes, conflicts; /* as it is */
    uint32_t unit_log2;         /* of the unit that swizzles are told in */
    uint32_t swizzles_tried, paddings_tried;
    uint32_t swizzles, paddings;                                        /* that are kept */
    struct layout_trial swizzle[SWIZZLES_KEPT], padding[PADDINGS_KEPT]; /* best first */
    bool is_swizzled;                                                   /* as it is */
    bool has_rows; /* somebody has said how long rows are; else it is the stride between lanes */
    /* Swizzles move words within so many bytes; 0: within rows, so that a tile takes no more memory. */
    uint32_t block_bytes;
};

/* False when there is nothing to ask: no bank conflict, or no part in shared memory. */
bool layouts_find(const struct explained *x, struct layouts *out);

/* As text behind an explanation of the last part; as ,"layouts":{...} of a JSON object; nothing when there is nothing to
 * ask. */
void layouts_print(const struct explained *x, FILE *out);
void layouts_put_json(const struct explained *x, FILE *out);

/* The answer in a sentence, behind the last part; false when there is nothing to ask. */
bool layouts_answer(const struct explained *x, struct text *t);

#endif
