/* launch_size.h - threads, warps and blocks of a launch that was checked (access_check.h). */
#ifndef WARPLENS_STREAM_LAUNCH_SIZE_H
#define WARPLENS_STREAM_LAUNCH_SIZE_H

#include "stream/stream.h"

/* Of a block. */
static inline uint32_t launch_threads(const struct launch_info *launch)
{
    return launch->block[0] * launch->block[1] * launch->block[2];
}

static inline uint32_t launch_warps(const struct launch_info *launch)
{
    return (launch_threads(launch) + WARP_LANES - 1) / WARP_LANES;
}

static inline uint64_t launch_blocks(const struct launch_info *launch)
{
    return (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

/* The lanes that warp `warp` has. */
static inline uint32_t launch_lanes(const struct launch_info *launch, uint32_t warp)
{
    const uint32_t rest = launch_threads(launch) - warp * WARP_LANES;
    return rest >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << rest) - 1;
}

#endif
