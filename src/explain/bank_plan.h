/* bank_plan.h - which pass through the banks serves which lane: what banks.h only counts, spelt out
 * for drawings. Internal to explain. Slow and obvious; the tests hold its counts against banks.h.
 */
#ifndef WARPLENS_EXPLAIN_BANK_PLAN_H
#define WARPLENS_EXPLAIN_BANK_PLAN_H

#include "sim/rules/banks.h"

/* Most passes: sm_1x, 16-byte words, all in one bank: 2 half-warps x 4 parts x 16 steps. */
enum { PLAN_BANKS = 32, PLAN_PASSES = 128 };

/* One trip through the banks. A word of more than 4 bytes has 4-byte parts; a pass serves parts
 * first_part .. first_part + parts - 1 of its lanes. */
struct bank_pass {
    uint32_t lanes[PLAN_BANKS]; /* by bank: the lanes it serves, 0 when the bank idles */
    uint64_t broadcast;         /* sm_1x: byte address of the word that goes to every lane */
    uint8_t group;              /* number of the group of lanes */
    uint8_t first_part, parts;
    bool is_overhead; /* Fermi's additional pass for 16-byte words: serves nobody */
};

struct bank_plan {
    enum bank_rule rule;
    uint32_t banks;       /* 16 or 32 */
    uint32_t bank_bytes;  /* 4 or 8 */
    uint32_t group_lanes; /* lanes that go through the banks together */
    bool by_lane;         /* a bank serves its lanes one at a time: an atomic */
    uint32_t merged;      /* 1 or 2: lanes t and t ^ merged agree, groups are doubled; 0: not */
    uint32_t passes;
    struct bank_pass pass[PLAN_PASSES];
};

void bank_plan_make(const struct rule_set *rules, const struct warp_access *a,
                    struct bank_plan *plan);

/* The distinct 4-byte words that a bank serves in a pass, as byte addresses, by lane; at most 32.
 * Returns their number. */
uint32_t bank_plan_words(const struct bank_plan *plan, const struct warp_access *a,
                         const struct bank_pass *pass, uint32_t bank, uint64_t words[WARP_LANES]);

/* Passes of a group of lanes. */
uint32_t bank_plan_group_passes(const struct bank_plan *plan, uint32_t group);

/* Constant memory: the address each pass serves, and its lanes. */
struct constant_plan {
    uint32_t passes;
    uint64_t addr[WARP_LANES];
    uint32_t lanes[WARP_LANES];
};

void constant_plan_make(const struct warp_access *a, bool half_warp, struct constant_plan *plan);

#endif
