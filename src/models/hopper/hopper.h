/* hopper.h - times of Hopper, all of which were measured on one H200.
 *
 * MEASURED and FITTED are M and F (GM and GF where a chip's file does not give the value) for the H200 itself, and
 * FROM_H200 for what has its architecture: the same numbers, unconfirmed there. Only model files include it.
 */
#ifndef WARPLENS_MODELS_HOPPER_HOPPER_H
#define WARPLENS_MODELS_HOPPER_HOPPER_H

#include "models/model_fields.h"

#define FROM_H200(value, reference) GU(value, "as the H200: " reference)

#define LAUNCHES "262144 ... 16384 blocks of 1 ... 16 warps on an H200"

/* The SM and its L1. */
#define TIME_HOPPER(guide, MEASURED, FITTED)                                                       \
    TIME_LATER(GF(330, HALF_RATES), 768),                                                          \
        SHARED_TIME(MEASURED(21, CHASE), ONE_PASS_A_CYCLE,                                         \
                    MEASURED(2000, "conflicts of one warp on an H200: 2 cycles a further pass")),  \
        .l1_latency_cycles = MEASURED(33, CHASE),                                                  \
        .l1_sector_bytes = MEASURED(32, "sectors that L1 asks of L2 on an H200"),                  \
        .l1_ways = MEASURED(4, "five lines of one set on an H200 all miss"),                       \
        .l1_hashed = MEASURED(2, "6,000 lines of an H200 that share a set"),                       \
        .l1_lines_kept_back = MEASURED(57, "walks of up to 241 KB on an H200, ten carve-outs"),    \
        .l1_bytes_per_cycle = GU(128, "a line a cycle; Jia et al. 2018 measure 108.3 on a V100"),  \
        .l1_shared_bytes = GW(KIB(256), guide),                                                    \
        OTHER_CACHES(READ_ONLY_IS_L1, MEASURED(33, CHASE), FITTED(KIB(64), CONSTANT_TABLES),       \
                     FITTED(26, CONSTANT_TABLES)),                                                 \
        .sm_read_bytes_per_cycle = GU(64, "estimate: bytes a cycle of one port"),                  \
        CONSTANT_PASS(                                                                             \
            MEASURED(2000, "constant loads at 1 to 32 words on an H100: 2.00 to 2.02 cycles")),    \
        .sm_write_bytes_per_cycle =                                                                \
            MEASURED(32, "cycles of the way out of an H200's SMs: one a whole sector"),            \
        STORE_MERGE(                                                                               \
            FITTED(80, "two stores to a sector on an H200: together 64 cycles apart, not 96"))

/* Launches, and what lies between the SMs and DRAM whatever the number of slices. */
#define BEYOND_HOPPER_SMS(MEASURED, FITTED)                                                        \
    BLOCK_LAUNCH(FITTED(1190, LAUNCHES), FITTED(29, LAUNCHES),                                     \
                 FITTED(250, "launches of the gallery on an H200, 2 us to 1 ms"),                  \
                 FITTED(6, "stores that warps of a block share on an H200")),                      \
        SECTOR_LATENCY(                                                                            \
            FITTED(28, "loads of whole lines on an H200: 764 cycles, of single sectors 688")),     \
        .gpc_first_sms = MEASURED(8, "SMs of the first blocks of grids on an H200"),               \
        .gpc_merge_loads =                                                                         \
            MEASURED(4, "SMs that read one array on an H200: 132 ask for a sector 34 times"),      \
        .gpc_way_cycles =                                                                          \
            FITTED(180, "pairs of an H200's SMs: half join 64 cycles later where L2 has it"),      \
        L2_STORES(FITTED(1100, "stores of merged sectors on an H200: 5.9 cycles a line of four"),  \
                  FITTED(1350, "stores of unmerged sectors: 6.9 cycles a line, 4.3 of two")),      \
        .l2_store_turn_cycles = FITTED(37, "a million stores to 512 lines on an H200: 38 us"),     \
        .l2_dirty_permille =                                                                       \
            MEASURED(484, "what is stored over 32 to 256 MB leaves 931,000 sectors in an H200"),   \
        .l2_clean_ways = FITTED(2, "copies of 12 to 32 MB and up to three arrays on an H200"),     \
        .l2_partial_permille =                                                                     \
            MEASURED(128, "lines of words stored over 4 to 256 MB of an H200: 61,000"),            \
        .atomic_millicycles =                                                                      \
            FITTED(1500, "atomics of all warps on one word of an H200: 1.29 G a second"),          \
        .atomic_float_millicycles = FITTED(                                                        \
            3490, "additions of floats by all warps to one word of an H200: 0.57 G a second"),     \
        .l2_ways = WAYS_16

/* A partition of HBM3 is a channel of 128 bits: four pseudo-channels, each with 16 banks. */
#define HBM3(MEASURED)                                                                             \
    DRAM_TIMING("HBM3, four pseudo-channels", 64, 1024, 45000,                                     \
                MEASURED(1230, "38.1 G random reads of 64 bytes a second on an H200"),             \
                GU(10000, ESTIMATE), 4096, 256),                                                   \
        WRITES_AS_READS
#define HOPPER_DRAM_ACCESS(MEASURED)                                                               \
    .dram_access_bytes = MEASURED(64, "one word a line reads two sectors of DRAM on an H200"),     \
    .partial_write_reads =                                                                         \
        MEASURED(3, "strided stores of 4 bytes read a sector each on an H200, no pairs")

/* A launch itself, which is not the same on an H200 and an H100. */
#define SHORT_LAUNCHES "gpu__time_duration of launches below 4 us on an "
#define LAUNCH_AS_H200 LAUNCH_TIME(FROM_H200(1600, SHORT_LAUNCHES "H200"))

#define L2_OF_ALL_SLICES .l2_usable_permille = U(1000, "all slices of its L2 are there")

/* Of those that were not measured. Both L2 sides are those of the H200. */
#define TIME_90 TIME_HOPPER(GUIDE_9X, FROM_H200, FROM_H200), BEYOND_HOPPER_SMS(FROM_H200, FROM_H200)
#define TIME_100                                                                                   \
    TIME_HOPPER(GUIDE_10X, FROM_H200, FROM_H200), BEYOND_HOPPER_SMS(FROM_H200, FROM_H200)
#define L2_SIDES_AS_H200                                                                           \
    .l2_latency_cycles = FROM_H200(246, CHASE), .l2_far_cycles = FROM_H200(62, CHASE),             \
    .l2_sides = FROM_H200(2, "half of all L1 misses are counted in two L2 slices on an H200")
#define L2_GROUPS "atomics on 256 bytes to 4 KB go at the rates of 1, 2, 4 and 8 slices on an H200"
#define L2_GROUPS_AS_H200 .l2_group_bytes = FROM_H200(1024, L2_GROUPS)
#define DRAM_READ_SHARE_AS_H200                                                                    \
    .dram_efficiency_percent = FROM_H200(94, "4.5 TB/s read at most on an H200")
#define PCIE_5_AS_H200                                                                             \
    .pcie_megabytes_per_s = FROM_H200(51000, "zero-copy reads on an H200, PCIe 5.0 x16"),          \
    .pcie_latency_ns = FROM_H200(1226, "dependent zero-copy loads on an H200"), MANAGED

#endif
