/* coalesce.h - global memory: one warp access -> memory transactions. Pure functions, no state.
 *
 * Each generation groups the lanes of a warp in its own way; docs/model.md restates every rule with
 * its source. All transactions are aligned to their size.
 */
#ifndef WARPLENS_SIM_RULES_COALESCE_H
#define WARPLENS_SIM_RULES_COALESCE_H

#include "sim/rules/access.h"
#include "sim/rules/sectors.h"

struct transfers;  /* sim/rules/transfers.h */
struct warp_lines; /* sim/rules/coalesce_lines.h */

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
    return (distinct_bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

/* What coalesce() lists, as sums. */
struct coalesce_counts {
    uint32_t requests;
    uint32_t transactions, transactions_32b, transactions_64b, transactions_128b;
    uint32_t bytes_moved;
    uint32_t bytes_used; /* coalesce_distinct_bytes */
};

/* Applies a rule to the access of `lines` and counts. `transfers` may be NULL; the rules from sm_20
 * on are then faster. */
void coalesce_count(enum coalesce_rule rule, struct warp_lines *lines,
                    struct coalesce_counts *counts, struct transfers *transfers);

#endif
