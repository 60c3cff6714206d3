/* judge.h - warp accesses in, counters out: the rules of one GPU applied to a stream of accesses.
 *
 * One judge a GPU and launch sequence. Counters are kept for each site; lines, arrays and the whole
 * kernel are sums of sites. Which of them a launch has counted at is kept too, so that a launch's share
 * is summed, or taken back, without a look at all sites of the run. Where the GPU's DRAM partitions are not hashed, the bytes each
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
#include "sim/rules/warpgroup_product.h"

/* A site that the launch has counted at, and its counters before. */
struct judge_touched {
    uint32_t site;
    uint32_t before; /* 1 + the place in judge.before; 0: nothing was counted yet */
};

/* What a gapless access of a site from a line's beginning adds to the counters: the same each time, so
 * it is worked out once and its repetitions are counted: 1.2 times the rate of the whole model of time
 * on accesses that hit L1, 1.04 on a stream. */
struct judge_repeat {
    struct counters added;
    uint64_t times; /* not yet in the counters */
    uint32_t passes, data_passes;
};

struct judge {
    struct arch arch;
    struct rule_set rules;
    struct counters *sites;        /* by site; room for site_room */
    struct judge_repeat *repeats;  /* for accesses judged with a footprint; of repeat_count sites */
    uint32_t *repeat_of;           /* by site: 1 + which of them; 0: none yet */
    uint32_t *met_in;              /* by site: the launch that counted there last; 0: none has */
    struct judge_touched *touched; /* by the launch, touched_count of them; room for site_room */
    struct counters *before;       /* of those that had counters before, before_count of them */
    size_t site_count, site_room, touched_count, before_count, before_room;
    size_t repeat_count, repeat_room;
    uint32_t launch;                   /* from 1 on */
    bool short_of_memory;              /* a launch's share can no longer be told */
    uint32_t partition_shift;          /* log2 of partition_bytes */
    uint32_t partition_inverse;        /* ceil(2^32 / partitions.count) */
    uint64_t partition_short;          /* the inverse is exact below this address */
    struct partition_table partitions; /* with one row more, of the other blocks */
    struct partition_bytes
        *rows_before;               /* those of the launch's blocks before it, rows_kept of them */
    size_t rows_kept, sites_before; /* sites when the launch began */
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

/* A warp's product of a warpgroup, which belongs to no site. `warp`: of the block. */
void judge_product(struct warpgroup_product product, uint32_t warp, struct counters *c);

void judge_flush(struct judge *judge);

/* What follows is a launch of its own, of so many blocks, of which judge_add_launch adds the share to `c`: false when
 * memory was short for that. judge_drop_launch takes it back. Both follow a judge_flush, if there were
 * footprints. */
void judge_begin_launch(struct judge *judge, uint64_t blocks);
bool judge_add_launch(const struct judge *judge, struct counters *c);
bool judge_drop_launch(struct judge *judge);

/* What a launch has counted, site by site and partition by partition, to be counted again for launches that repeat it. */
struct judge_share {
    uint32_t *sites; /* count of them, and what each got */
    struct counters *added;
    size_t count;
    struct partition_bytes *rows; /* as in judge.partitions, row_count of them; NULL: none */
    size_t row_count;
};
/* Of the launch that has ended; false when memory is short. */
bool judge_take_share(const struct judge *judge, struct judge_share *share);
/* Counts it once more; between launches. */
void judge_add_share(struct judge *judge, const struct judge_share *share);
void judge_free_share(struct judge_share *share);

/* What was counted at sites is counted by another judge instead, or by nobody (NULL). */
void judge_move_counters(struct judge *from, struct judge *to);

/* Notes that the launch counts at a site; internal to judge_site. */
void judge_touch(struct judge *judge, uint32_t site);

/* The counters of a site, to be counted at: every part of a GPU gets them here. */
static inline struct counters *judge_site(struct judge *judge, uint32_t site)
{
    if (judge->met_in[site] != judge->launch)
        judge_touch(judge, site);
    return &judge->sites[site];
}

#endif
