/* cluster_access.h - accesses of other blocks' shared memory in a cluster (sm_90 and later), over the network between SMs: what one counts.
 *
 * Found in, and held to, what an H200 and an H100 count (validation/fragments, 3 and 6; docs/model.md, 7.3).
 */
#ifndef WARPLENS_SIM_RULES_CLUSTER_ACCESS_H
#define WARPLENS_SIM_RULES_CLUSTER_ACCESS_H

#include "sim/rules/access.h"

struct cluster_counts {
    uint32_t sectors;        /* 32 bytes, of each entry of the tag stage */
    uint32_t tag_wavefronts; /* 1 to 32 */
    uint32_t sent_sectors;   /* over the network; as many are received */
    uint32_t distinct_bytes;
    uint32_t
        data_passes; /* through the L1's data banks; of stores a bound; 0 of those that nobody waits for, whose are not known */
};

/* Of an access that is remote (access_is_remote), and no bulk copy. */
struct cluster_counts cluster_count(const struct warp_access *access);

/* Of a bulk copy to another block's shared memory: sectors that go out and come in. */
uint64_t cluster_copy_sectors(const struct warp_access *access);
#endif
