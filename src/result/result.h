/* result.h - what one run of one kernel under one GPU gave: what every report is made from. Plain data, without
 * the simulator that made it. */
#ifndef WARPLENS_RESULT_RESULT_H
#define WARPLENS_RESULT_RESULT_H

#include "models/arch.h"
#include "result/run_info.h"
#include "result/sampling.h"
#include "result/timeline.h"
#include "result/usage.h"
#include "sim/rules/occupancy.h"
#include "sim/rules/partition_table.h"
#include "models/capabilities.h"
#include "sim/counters/counters.h"

/* Counters of one kind of access in one source line, of one array, or of one kind of access of a line to an array. */
struct result_part {
    const char *file;                /* base name; of arrays NULL. Texts are run_info's */
    uint32_t line;                   /* of arrays 0 */
    const char *array;               /* name, "" when it has none; of lines NULL */
    uint8_t space;                   /* enum mem_space */
    uint8_t op;                      /* enum mem_op; not of arrays */
    uint32_t first;                  /* orders parts of a kind by their first site in the run */
    const struct counters *counters; /* the result's; a line and its only array have the same */
};

enum { RESULT_KERNEL_BYTES = 64, RESULT_LAUNCHES_MAX = 10000 };

/* One launch's share of the totals. */
struct result_launch {
    char kernel[RESULT_KERNEL_BYTES]; /* the __global__ function */
    uint32_t grid[3], block[3];
    uint64_t
        repeats; /* the launch whose figures it has, by its place in result.launches, from 1 on; 0: it has its own */
    struct counters counters;
};

struct result {
    struct run_info *info; /* shared by the run's results, which each hold a reference */
    const char *label;     /* of the request, or the kernel's name */
    const struct gpu_model *gpu;
    size_t gpu_index;   /* in the request, and in info->observed */
    struct arch arch;   /* the GPU's values, with the changes that were asked for */
    bool cold_launches; /* L2 was emptied before each launch; without caches false */
    struct rule_set rules;
    uint32_t grid[3], block[3]; /* of the last launch */
    uint64_t shared_bytes_per_block;
    int64_t registers_per_thread; /* 0: unknown */
    struct occupancy occupancy;
    struct result_sampling sampling;   /* how much was modelled in time, where that was asked */
    struct usage *usage;               /* NULL: rules only, no caches and no time */
    struct timeline *timeline;         /* NULL: not asked for, or there is no such block */
    struct partition_table partitions; /* of blocks: those asked for, and the first wave */
    struct counters total;
    struct counters
        *sites; /* by site of info->sites, of those that the GPU has met; NULL: not asked for */
    struct counters *sums;      /* what the parts' counters are in */
    struct result_part *lines;  /* by file and line, then space and operation */
    struct result_part *arrays; /* in the order of their first access */
    struct result_part
        *accesses; /* lines, each array's accesses by themselves; in the same order */
    struct result_launch
        *launches; /* in order; of later ones than RESULT_LAUNCHES_MAX only the sums */
    size_t site_count, line_count, array_count, access_count, launch_count;
    uint32_t
        wave_blocks; /* blocks that are resident at once: SMs times blocks an SM, or the grid */
};

/* What a line's or an access's part is (enum access_word; where it is copies and others, its operation), and that in words. */
uint8_t result_part_word(const struct result_part *part);
const char *result_part_op(const struct result_part *part);

/* Frees what the results hold, and lets go of their info. */
void results_free(struct result *results, size_t count);

#endif
