/* observation.h - what a run looks like beyond its counters: the shapes of each line's accesses, how
 * banks are used, which bytes of an array's elements are touched. Reports draw it; the model has no
 * part in it, and a run that is not observed pays nothing.
 *
 * A shape is an access up to a shift by a multiple of 128 bytes, in shared memory of 256: no rule tells such
 * accesses apart (lines are of 128 bytes, the widest period of the banks is 256). So a shape is judged once and counted.
 */
#ifndef WARPLENS_RESULT_OBSERVATION_H
#define WARPLENS_RESULT_OBSERVATION_H

#include "sim/rules/banks.h"

enum {
    OBSERVED_SHAPES = 16,       /* of a place; with more of them, those seen least are dropped */
    OBSERVED_PLACES_MAX = 1024, /* of a run; later ones are left out */
    OBSERVED_SITES_MAX = 4096,  /* whose elements are looked for */
    OBSERVED_BANKS = 32,
    OBSERVED_WAYS = 32,
    OBSERVED_ELEMENT_MAX = 64, /* bytes: what is wider is no element */
};

/* An access that outlives its moment. Do not copy: access.addr may point to addr, and access.copy to copy. */
struct kept_access {
    struct warp_access access;
    uint64_t addr[WARP_LANES];
    struct async_copy copy;
    const char *array; /* the run's */
};

struct observed_shape {
    uint64_t count; /* accesses since it was seen first */
    uint64_t
        carried; /* how often a dropped shape was seen whose room this one has: `count` may be too
                         low by so much */
    uint64_t order; /* accesses of the run before its first */
    struct kept_access first;
};

/* Under one GPU. */
struct observed_worst {
    uint64_t
        cost; /* transactions, passes or sectors of the costliest access; the first of equals */
    uint64_t order;
    uint64_t typical_cost; /* of the shape that was seen most */
    struct kept_access access;
};

/* Shared memory accesses under one GPU. */
struct observed_banks {
    uint64_t
        words[OBSERVED_BANKS]; /* distinct words that accesses want of each bank (sm_1x: half-warps
                                         do), of 4 bytes, or 8 in Kepler's 8-byte mode */
    uint64_t
        ways[OBSERVED_WAYS + 1]; /* accesses by passes over ideal passes, rounded up; 0 is unused */
};

/* Accesses of one kind in one source line. */
struct observed_place {
    const char *file; /* the run's */
    uint32_t line;
    uint8_t space, op;
    uint64_t count;
    bool dropped;                  /* some shape was */
    struct observed_shape *shapes; /* OBSERVED_SHAPES, shape_count of them in use */
    size_t shape_count;
    struct observed_worst *worst; /* by GPU */
    struct observed_banks *banks; /* by GPU; NULL when the space is not shared */
};

/* Places in the source that touch the same bytes of each element of an array. */
struct observed_field {
    uint32_t offset, bytes; /* in the element */
    const char *file;       /* of the first such place */
    uint32_t line;
    bool loaded, stored; /* an atomic does both */
};

enum { OBSERVED_FIELDS_MAX = 32 };

/* An array of global memory whose accesses are a fixed number of bytes apart, and narrower. */
struct observed_element {
    const char *array; /* the run's */
    uint32_t bytes;    /* from element to element, at most OBSERVED_ELEMENT_MAX */
    uint64_t touched;  /* bit i: byte i of elements is */
    struct observed_field fields[OBSERVED_FIELDS_MAX]; /* by offset, then bytes */
    size_t field_count;
};

struct observation {
    size_t gpu_count;
    struct observed_place *places; /* in the order of their first access */
    size_t place_count;
    bool places_left_out;
    struct observed_element *elements; /* in the order of the arrays' first access */
    size_t element_count;
};

/* Adds `times` accesses like a shared one to the banks of a rule. */
void observed_banks_add(const struct rule_set *rules, const struct warp_access *access,
                        uint64_t times, struct observed_banks *banks);

/* The shape that was seen most; the first of equals. NULL when there is none. */
const struct observed_shape *observed_typical(const struct observed_place *place);

/* NULL: nothing to do. */
void observation_free(struct observation *observation);

#endif
