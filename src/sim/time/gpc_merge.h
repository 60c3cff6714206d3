/* gpc_merge.h - loads of one line by several SMs of a GPC at about the same time reach L2 as one.
 *
 * Seen on an H200 (GPUs since Ampere have such a stage between the SMs and L2): when all 132 SMs read
 * the same array together, L2 is asked for each sector 34 times, and the SMs of one GPC share a
 * request by fours. Here a load joins one of its GPC that began a short while ago and is not back yet,
 * until that has `most` loads.
 */
#ifndef WARPLENS_SIM_TIME_GPC_MERGE_H
#define WARPLENS_SIM_TIME_GPC_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GPC_MERGE_PLACES = 1024 }; /* loads under way that a GPC remembers, about; a power of two */

struct gpc_load {
    uint64_t open; /* ticks: until then others may join */
    uint32_t line;
    uint32_t asked;          /* the request's number, modulo 2^32 */
    uint8_t sectors, joined; /* `joined`: loads that share it */
};

/* One GPC. */
struct gpc_merge {
    struct gpc_load *loads; /* by line */
    uint64_t
        *done; /* ticks, for each of them: its data is there; by the request, when it is answered */
    uint32_t most;
    uint64_t ticks; /* how long others may join */
};

/* The load on its way that one of these sectors can share at `now`, and does; or NULL. */
struct gpc_load *gpc_merge_join(struct gpc_merge *gpc, uint32_t line, uint32_t sectors,
                                uint64_t now);

/* Notes a load that goes to L2 at `now`; the caller fills in `asked`, and closes it where it is back sooner than
 * others may join. */
struct gpc_load *gpc_merge_note(struct gpc_merge *gpc, uint32_t line, uint32_t sectors,
                                uint64_t now);

#endif
