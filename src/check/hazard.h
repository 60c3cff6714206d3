/* hazard.h - what `warplens check` finds: the kinds, the GPUs that they hold on, and the table of findings.
 *
 * A finding is a pair of lines of the source whose accesses meet at words of one array, with the first
 * example: how often they met and at how many words is counted.
 */
#ifndef WARPLENS_CHECK_HAZARD_H
#define WARPLENS_CHECK_HAZARD_H

#include "sim/rules/access.h"

enum hazard_kind {
    HAZARD_SHARED_WRITE_WRITE,
    HAZARD_SHARED_READ_WRITE,
    HAZARD_GLOBAL_WRITE_WRITE,
    HAZARD_GLOBAL_READ_WRITE,
    HAZARD_LOST_UPDATE,
    HAZARD_WARP_MASK,
    HAZARD_ASYNC_COPY,
    HAZARD_KINDS
};

struct hazard_words {
    const char *name;    /* as in JSON */
    const char *title;   /* what it is */
    const char *danger;  /* what may happen */
    const char *what_to; /* what to do */
};
extern const struct hazard_words hazard_words[HAZARD_KINDS];

/* How lanes of a warp run, as bits. */
enum {
    LANES_IN_STEP = 1, /* before sm_70: two instructions of one warp are ordered */
    LANES_APART = 2,   /* from sm_70 on: they are not, without a __syncwarp between */
    LANES_EITHER = 3,
};

/* One of the two that meet. */
struct finding_end {
    const char *file; /* the site's, or the sync's place: they outlive the finding */
    uint32_t line;
    uint16_t site;    /* of an access */
    const char *what; /* "store", "load", "atomic"; of a mask "mask 0x0000ffff" and the like */
    uint32_t block;   /* linear; UNKNOWN_BLOCK: an earlier one */
    uint32_t thread;  /* linear, in the block */
};
#define UNKNOWN_BLOCK UINT32_MAX

struct finding {
    enum hazard_kind kind;
    unsigned lanes_run;         /* LANES_...: where it holds */
    struct finding_end ends[2]; /* the earlier one of the run first; of a mask: one */
    const char *array;          /* "" when it has none */
    uint8_t space, width;       /* of the second access */
    bool is_same_instruction, has_values_unknown, has_offset;
    uint64_t address,
        offset; /* of the example's word; from the array's beginning, where that is known */
    uint64_t words, times; /* words that were met at; pairs of accesses of a lane */
    char kernel[128];      /* of the example */
    uint32_t grid[3], block[3];
    uint32_t launch; /* the number of the example's launch, from 1 on */
    char mask_text[64];
};

enum { FINDINGS_MAX = 256 };

/* Which words each finding has met at: a set of keys, 0 where there is none. */
struct met_words {
    uint64_t *keys;
    size_t slots, count;
    bool is_full; /* some were not taken: words are counted from below */
};

struct findings {
    struct met_words met;
    struct finding items[FINDINGS_MAX];
    size_t count;
    uint64_t left_out; /* meetings of pairs of lines that there was no room for */
};

#endif
