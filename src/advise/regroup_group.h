/* regroup_group.h - recorded blocks kept in memory, and what each of their threads does, in its order.
 * Internal to regroup.
 */
#ifndef WARPLENS_ADVISE_REGROUP_GROUP_H
#define WARPLENS_ADVISE_REGROUP_GROUP_H

#include "stream/limits.h"
#include "stream/stream.h"

/* Accesses and events of a group: with their addresses and the threads' parts in them 472 bytes each at
 * most, 240 MB; 200 bytes each where lanes form rows. */
enum { REGROUP_RECORDS_MAX = 1 << 19, GROUP_LOADS_KEPT = 32 };

enum kept_kind { KEPT_ACCESS, KEPT_BARRIER, KEPT_WARP_END };

/* An access or an event of a warp. Of events only work and active count: the lanes that had not ended. */
struct kept {
    struct warp_access access; /* its addr is not used */
    int64_t row_step;
    uint32_t lanes;    /* index of 32 addresses, where row_lanes is 0 */
    uint8_t row_lanes; /* as in struct lane_pattern */
    uint8_t kind;
};

/* A warp of the block that comes in. */
struct group_warp {
    uint32_t alive;                   /* lanes that exist and have not ended */
    uint32_t loads[GROUP_LOADS_KEPT]; /* lanes that took part in the latest loads, a ring */
    uint32_t load_count;
};

struct group {
    uint32_t block_threads;
    uint32_t blocks; /* that have come in whole */
    struct kept *kept;
    size_t kept_count, kept_room;
    uint64_t (*lanes)[WARP_LANES]; /* of accesses without rows */
    size_t lanes_count, lanes_room;
    uint64_t shared_bytes; /* of its blocks, the most */
    struct group_warp warps[BLOCK_WARPS_MAX];
    uint32_t *alive; /* by warp of the group: lanes that its last access left */
    size_t alive_count, alive_room;
    /* group_close: thread t's records are items[first[t]] to items[first[t + 1]], its warp's end the last. */
    uint32_t *first, *items;
};

/* A launch begins; what was kept goes. */
void group_start(struct group *group, uint32_t block_threads);
/* The next group begins. */
void group_empty(struct group *group);
void group_free(struct group *group);

/* False: no memory, or a group that is too large. Both must be of the block that comes in. */
bool group_add_access(struct group *group, const struct warp_access *access);
bool group_add_event(struct group *group, const struct trace_event *event);

/* All blocks have come: says what each thread does. False: no memory. */
bool group_close(struct group *group);

uint64_t group_addr(const struct group *group, uint32_t kept, unsigned lane);

static inline uint32_t group_warps_per_block(const struct group *group)
{
    return (group->block_threads + WARP_LANES - 1) / WARP_LANES;
}

#endif
