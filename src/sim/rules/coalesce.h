/* coalesce.h - global memory: one warp access -> memory transactions. Pure functions, no state.
 *
 * Each generation groups the lanes of a warp in its own way; docs/model.md restates every rule with
 * its source. All transactions are aligned to their size.
 */
#ifndef WARPLENS_SIM_RULES_COALESCE_H
#define WARPLENS_SIM_RULES_COALESCE_H

#include "sim/rules/access.h"

/* One memory transaction: `bytes` (32, 64 or 128) from `addr`, and the lanes it serves. */
struct transaction {
    uint64_t addr;
    uint32_t bytes;
    uint32_t lanes; /* bit i set: lane i's word rides in this transaction */
};

/* What a warp access becomes. A warp has at most one transaction for each of its 32 lanes. */
struct coalesced {
    uint32_t requests; /* after the rule's splitting; groups without an active lane do not count */
    uint32_t transactions;               /* length of list */
    uint32_t bytes_moved;                /* sum of the transactions' sizes */
    struct transaction list[WARP_LANES]; /* in the order in which the hardware rule emits them */
};

/* Applies a rule to an access. Order: by half-warp, group or round first, then by the lowest lane
 * that needs the transaction (COALESCE_STORE_124: by address). `out` is overwritten. */
void coalesce(enum coalesce_rule rule, const struct warp_access *a, struct coalesced *out);

/* The number of distinct bytes the active lanes want: what a perfect layout would move. */
uint32_t coalesce_distinct_bytes(const struct warp_access *a);

/* Sectors of 32 bytes a perfect layout would need: ceil(distinct bytes / 32). */
static inline uint32_t coalesce_ideal_sectors(uint32_t distinct_bytes)
{
    return (distinct_bytes + 31) / 32;
}

/* The 128-byte lines of one access, in the order of the lowest lane that wants each. What asks for
 * them first has them found and the others share them, so one access needs one search.
 *
 * Words are of 4 bytes, or of the access's width when that is more. A line of n words and a group
 * of n lanes go together (n is 32, or 16 at 8 bytes, or 8 at 16), so that one mask of 32 bits holds
 * the words that each group wants of a line: n bits a group, the first group in the lowest. */
struct warp_lines {
    const struct warp_access *access;
    uint32_t count;                /* 0: not yet found */
    bool has_words;                /* words is filled in */
    uint64_t line[WARP_LANES];     /* address / 128 */
    uint32_t words[2][WARP_LANES]; /* by half-warp and line; 0 from count on */
};

/* The lines of an access, not yet found; `a` must outlive them. */
static inline void coalesce_lines_start(struct warp_lines *lines, const struct warp_access *a)
{
    lines->access = a;
    lines->count = 0;
    lines->has_words = false;
}

/* Fill in the lines, and the words too, unless that has been done. The former leaves the words out
 * when each lane has a line of its own, which makes scattered accesses 1.4 to 1.7 times as fast. */
void coalesce_lines_find(struct warp_lines *lines);
void coalesce_lines_find_words(struct warp_lines *lines);

/* What coalesce() lists, as sums. */
struct coalesce_counts {
    uint32_t requests;
    uint32_t transactions, transactions_32b, transactions_64b, transactions_128b;
    uint32_t bytes_moved;
    uint32_t bytes_used; /* coalesce_distinct_bytes */
};

/* What moved where: the transactions without their lanes, in any order. */
struct transfers {
    uint32_t count;
    uint32_t of_size[3]; /* how many of 32, 64 and 128 bytes */
    uint64_t any_addr;   /* the bits set in any address */
    uint64_t addr[WARP_LANES];
    uint32_t bytes[WARP_LANES];
};

/* Applies a rule to the access of `lines` and counts. `transfers` may be NULL; the rules from sm_20
 * on are then faster. */
void coalesce_count(enum coalesce_rule rule, struct warp_lines *lines,
                    struct coalesce_counts *counts, struct transfers *transfers);

#endif
