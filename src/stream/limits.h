/* limits.h - what a run can have at most: CUDA's own limits, and those of the formats. */
#ifndef WARPLENS_STREAM_LIMITS_H
#define WARPLENS_STREAM_LIMITS_H

#include "stream/stream.h"

#define ADDRESS_END (UINT64_C(1) << 48)
enum {
    SITES_MAX = UINT16_MAX,
    SITE_NAMES_BYTES_MAX = 16 << 20, /* of files and arrays, of all sites */
    BLOCK_THREADS_MAX = 1024,
    BLOCK_WARPS_MAX = BLOCK_THREADS_MAX / WARP_LANES,
    SHARED_BYTES_MAX = 228 * 1024, /* a block */
    CLUSTER_BLOCKS_MOST = 16,
    /* Where phases have barriers that are in no memory, the 16 of a block by number (PTX: bar.sync), 8 bytes each. */
    NAMED_BARRIERS_AT = SHARED_BYTES_MAX,
    NAMED_BARRIERS_END = NAMED_BARRIERS_AT + 16 * 8,
    CONSTANT_BYTES = 64 * 1024,
    REGISTERS_MAX = 255,
    MANAGED_ARRAYS_MAX = 64,
    MANAGED_PAGES_MAX = 4 << 20, /* 16 GB */
    CODEC_TEXT_MAX = 4096,       /* bytes of a name */
    CODEC_ARRAYS_MAX = 4096,     /* of a launch */
    /* Barriers that are no kernel's array: that of a cluster, of which a stream has the block's own arrivals; and one to which bytes come
     * that are another block's. */
    CLUSTER_BARRIER_ADDRESS = SHARED_BYTES_MAX - 8,
    OTHERS_BARRIER_ADDRESS = SHARED_BYTES_MAX - 16,
    LAUNCH_FAULTS_MAX = 1024, /* of a launch; kinds, lines and arrays that it tells apart */
};

/* The first address behind those that an access can have. */
static inline uint64_t limits_access_end(const struct warp_access *access)
{
    if (access->space == SPACE_SHARED)
        return access_is_remote(access) ? CLUSTER_BLOCKS_MOST * CLUSTER_BLOCK_BYTES
                                        : SHARED_BYTES_MAX;
    return access->space == SPACE_CONSTANT ? CONSTANT_BYTES : ADDRESS_END;
}

#endif
