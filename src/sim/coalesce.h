/* coalesce.h - global memory: one warp access -> memory transactions. Pure functions, no state.
 *
 * Each generation groups the lanes of a warp in its own way; docs/model.md restates every rule with
 * its source. All transactions are aligned to their size.
 */
#ifndef WARPLENS_SIM_COALESCE_H
#define WARPLENS_SIM_COALESCE_H

#include "sim/access.h"

enum coalesce_rule {
    /* sm_10, sm_11: per half-warp; lane k must use word k of one aligned segment, otherwise one
     * 32-byte transaction for each active lane. [CUDA C Programming Guide 3.2, G.3.2.1] */
    COALESCE_HALF_WARP_STRICT,
    /* sm_12, sm_13: per half-warp; segments of 32, 64 or 128 bytes, shrunk to the half in use.
     * [Programming Guide 3.2, G.3.2.2] */
    COALESCE_HALF_WARP_SEGMENT,
    /* sm_20 loads through L1 (and sm_35 that opts in): 128-byte lines; 8-byte words make two
     * half-warp requests, 16-byte words four quarter-warp requests, each coalesced on its own.
     * [Programming Guide 5.5, G.4.2] */
    COALESCE_LINE_128,
    /* sm_20 loads past L1, sm_30 and sm_35 loads, the 32-byte read-only path: 32-byte segments,
     * requests split as for COALESCE_LINE_128. [Programming Guide 5.5, G.4.2, G.5.2] */
    COALESCE_SEGMENT_32,
    /* sm_20 to sm_37 stores: distinct 32-byte segments over the whole warp, sent as transactions of
     * four (a whole 128-byte line), two (an aligned 64-byte half) or one segment. */
    COALESCE_STORE_124,
    /* sm_50 to sm_62 stores: distinct 32-byte sectors in each group of lanes that the instruction is
     * split into (8 lanes up to 4-byte words, 4 lanes at 8 bytes, 2 lanes at 16), never merged
     * across groups. */
    COALESCE_SECTOR_GROUPED,
    /* sm_50 to sm_62 loads: traffic is the distinct 32-byte sectors over the whole warp, while
     * requests are the groups of COALESCE_SECTOR_GROUPED that have an active lane. */
    COALESCE_SECTOR_SPLIT_REQUESTS,
    /* sm_70 to sm_90: one request at any width, distinct 32-byte sectors over the whole warp. */
    COALESCE_SECTOR,
    /* Atomics on sm_1x: every active lane is a 32-byte transaction of its own. */
    COALESCE_LANE,
    COALESCE_RULE_COUNT
};

/* One memory transaction: `bytes` (32, 64 or 128) from `addr`, and the lanes it serves. */
struct transaction {
    uint64_t addr;
    uint32_t bytes;
    uint32_t lanes; /* bit i set: lane i's word rides in this transaction */
};

/* What a warp access becomes. A warp has at most one transaction for each of its 32 lanes. */
struct coalesced {
    uint32_t requests;    /* after the rule's splitting; groups without an active lane do not count */
    uint32_t transactions; /* length of list */
    uint32_t bytes_moved; /* sum of the transactions' sizes */
    struct transaction list[WARP_LANES]; /* in the order in which the hardware rule emits them */
};

/* Applies a rule to an access. Order: by half-warp or group first, then by the lowest lane that
 * needs the transaction (COALESCE_STORE_124: by address). `out` is overwritten. */
void coalesce(enum coalesce_rule rule, const struct warp_access *a, struct coalesced *out);

/* The number of distinct bytes the active lanes want: what a perfect layout would move. */
uint32_t coalesce_distinct_bytes(const struct warp_access *a);

/* Sectors of 32 bytes a perfect layout would need: ceil(distinct bytes / 32). */
static inline uint32_t coalesce_ideal_sectors(uint32_t distinct_bytes)
{
    return (distinct_bytes + 31) / 32;
}

#endif
