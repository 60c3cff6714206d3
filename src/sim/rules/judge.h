/* judge.h - warp accesses in, counters out: the rules of one GPU applied to a stream of accesses.
 *
 * One judge a GPU and launch sequence. Counters are kept for each site; lines, arrays and the whole
 * kernel are sums of sites. Where the GPU's DRAM partitions are not hashed, the bytes each
 * partition moves are kept too, for the whole kernel and for each block of a chosen range.
 */
#ifndef WARPLENS_SIM_RULES_JUDGE_H
#define WARPLENS_SIM_RULES_JUDGE_H

#include "sim/rules/access.h"
#include "models/arch.h"
#include "models/capabilities.h"
#include "sim/counters/counters.h"
#include "sim/rules/footprint.h"
#include "sim/rules/partition_table.h"

/* What a gapless access of a site from a line's beginning adds to the counters: the same each time, so
 * it is worked out once and its repetitions are counted: 1.2 times the rate of the whole model of time
 * on accesses that hit L1, 1.04 on a stream. */
struct judge_repeat {
    struct counters added;
    uint64_t times; /* not yet in the counters */
    uint32_t passes, data_passes;
    bool known;
};

struct judge {
    struct arch arch;
    struct rule_set rules;
    struct counters *sites;       /* by site; room for site_room */
    struct judge_repeat *repeats; /* by site; for accesses judged with a footprint */
    size_t site_count, site_room;
    uint32_t partition_shift;          /* log2 of partition_bytes */
    uint32_t partition_inverse;        /* ceil(2^32 / partitions.count) */
    uint64_t partition_short;          /* the inverse is exact below this address */
    struct partition_table partitions; /* with one row more, of the other blocks */
};

/* False, with nothing to free, when the GPU has no rules or memory is short. The first block_count
 * blocks get partition rows of their own. */
bool judge_init(struct judge *judge, const struct arch *arch, uint32_t block_count);
void judge_free(struct judge *judge);

/* Makes room for sites [0, count). False when memory is short. */
bool judge_reserve_sites(struct judge *judge, size_t count);

/* Judges one access; its site must be reserved. With a footprint, fills that in as well; the counters
 * of gapless accesses are then complete after judge_flush only. */
void judge_access(struct judge *judge, const struct warp_access *access,
                  struct footprint *footprint);

void judge_flush(struct judge *judge);

#endif
