/* footprint.h - what the rules make of one access, for the model of time: which lines and sectors
 * it touches, and how many trips it takes. The counters and the times come from one evaluation.
 */
#ifndef WARPLENS_SIM_RULES_FOOTPRINT_H
#define WARPLENS_SIM_RULES_FOOTPRINT_H

#include "sim/rules/access.h"

struct transfers;  /* sim/rules/transfers.h */
struct warp_lines; /* sim/rules/coalesce_lines.h */

struct footprint {
    /* Shared and constant memory: trips through the banks, distinct addresses. Global, local and
     * texture: what the load/store unit works through one after another: tag wavefronts on sm_70
     * and later, lines or transactions before. */
    uint32_t passes;
    uint32_t
        data_passes; /* trips through the L1 data banks; sm_70 and later, otherwise 1; of another block's shared memory sectors
                                    that are sent */
    uint32_t count;  /* lines or transactions below; 0 for shared memory */
    uint64_t line[WARP_LANES];   /* byte address / 128 */
    uint8_t sectors[WARP_LANES]; /* bit s: bytes 32 s to 32 s + 31 of the line */
    uint32_t words[WARP_LANES];  /* stores: bit w: the 4-byte word w of the line is written */
};

/* From the lines of a whole warp, each with the sectors that a lane wants; `whole_lines` asks for
 * all four. Stores get their words. */
void footprint_of_lines(struct footprint *footprint, struct warp_lines *lines, bool whole_lines);

/* From transactions, each within a line; neighbours in the list that share a line become one when
 * `join` is set. All bytes of a store's transactions count as written when nothing else is known. */
void footprint_of_transfers(struct footprint *footprint, const struct transfers *transfers,
                            bool join);

/* The distinct addresses of a constant load, as lines. */
void footprint_of_addresses(struct footprint *footprint, const struct warp_access *a);

#endif
