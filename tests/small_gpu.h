/* small_gpu.h - a GPU of round figures, so that times can be worked out by hand: what the tests of the
 * memory system and of the load/store unit ask.
 *
 * A cycle is a nanosecond. L2 and DRAM have one slice, one partition and one bank, and each moves a sector a
 * cycle, as the crossbar does each way; a tag wavefront keeps the load/store unit for a cycle. L1 answers
 * after 30 cycles, L2 after 200 and DRAM after 600, the constant cache after 40, the host after 1,000. What
 * hardware merges, pairs or waits for beyond that is off: a test turns on what it asks about.
 */
#ifndef WARPLENS_TESTS_SMALL_GPU_H
#define WARPLENS_TESTS_SMALL_GPU_H

#include "sim/rules/judge.h"
#include "sim/time/sm_unit.h"

enum { SMALL_GPU_SITES = 4, SMALL_GPU_SMS = 2 };

struct small_gpu {
    uint64_t busy[USE_COUNT]; /* of the SMs; memory.busy: of what lies beyond */
    struct judge judge;
    struct memsys memory;
    struct request_queue queue;
    struct gpc_load gpc_loads[GPC_MERGE_PLACES];
    struct gpc_merge gpc;
    struct sm_surroundings around;
    struct sm_unit sm[SMALL_GPU_SMS]; /* on side 0, and on side 1 where the L2 has two */
    uint64_t *site_bytes;
    struct footprint footprint;
    uint64_t load; /* when the data of the access is there */
};

/* The parameters, of compute capability `sm`. */
struct arch small_gpu_arch(int64_t sm);

/* A test in which memory is short fails. */
void small_gpu_open(struct small_gpu *gpu, const struct arch *arch);
void small_gpu_close(struct small_gpu *gpu);

const struct counters *small_gpu_site(const struct small_gpu *gpu, uint32_t site);

/* An access of one SM from `now` (ticks) until it is through. */
struct access_times small_gpu_access(struct small_gpu *gpu, uint32_t sm,
                                     const struct warp_access *access, uint64_t now);

#endif
