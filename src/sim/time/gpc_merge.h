/* gpc_merge.h - loads of one line by several SMs of a GPC at about the same time reach L2 as one.
 *
 * Seen on an H200 (GPUs since Ampere have such a stage between the SMs and L2): when all 132 SMs read
 * the same array together, L2 is asked for each sector 34 times, and the SMs of one GPC share a
 * request by fours. A load joins one of the same sectors whose first sector has not come back to where
 * its GPC merges, until that has `most` loads (validation/h200_gpc_merges.csv).
 */
#ifndef WARPLENS_SIM_TIME_GPC_MERGE_H
#define WARPLENS_SIM_TIME_GPC_MERGE_H

#include <stdbool.h>
#include <stdint.h>

enum { GPC_MERGE_PLACES = 1024 }; /* loads under way that a GPC remembers, about; a power of two */

struct gpc_load {
    uint32_t line;
    uint8_t sectors, joined; /* `joined`: loads that share it */
    uint64_t done, open;     /* ticks: its data is there; until then others may join */
};

/* One GPC. */
struct gpc_merge {
    struct gpc_load *loads; /* by line */
    uint32_t most;
    uint64_t way; /* ticks from an SM to where loads are merged, and back */
};

/* True when the load of these sectors can share one of the same that is on its way at `now`, with *done
 * when the data is there. */
bool gpc_merge_join(struct gpc_merge *gpc, uint32_t line, uint32_t sectors, uint64_t now,
                    uint64_t *done);

/* Notes a load that goes to L2 at `now`. Its data is there at `done`, the first sector `after_first` ticks before. */
void gpc_merge_note(struct gpc_merge *gpc, uint32_t line, uint32_t sectors, uint64_t now,
                    uint64_t done, uint64_t after_first);

#endif
