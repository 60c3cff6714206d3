/* occupancy.h - how many blocks and warps of a kernel one SM holds, and what stops more.
 *
 * The arithmetic of the CUDA occupancy calculator. Pure.
 */
#ifndef WARPLENS_SIM_RULES_OCCUPANCY_H
#define WARPLENS_SIM_RULES_OCCUPANCY_H

#include "models/arch.h"

struct kernel_resources {
    int64_t threads_per_block;      /* at least 1 */
    int64_t registers_per_thread;   /* 0: unknown, registers do not limit */
    int64_t shared_bytes_per_block; /* static and dynamic */
};

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMIT_COUNT };

struct occupancy {
    int64_t blocks_by[LIMIT_COUNT]; /* blocks an SM that each resource alone allows; INT64_MAX: no
                                       limit */
    int64_t blocks_per_sm;          /* the least of them; 0: the kernel cannot run */
    int64_t warps_per_block;
    int64_t warps_per_sm;
    enum occupancy_limit limit; /* what sets blocks_per_sm; the first of equals in enum order */
};

struct occupancy occupancy_of(const struct arch *arch, const struct kernel_resources *kernel);

/* "warps", "blocks", "registers", "shared memory". */
const char *occupancy_limit_name(enum occupancy_limit limit);

#endif
