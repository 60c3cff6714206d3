/* gt1030.c - GeForce GT 1030 with GDDR5: GP108 (Pascal), compute capability 6.1. */
#include "models/model_fields.h"

#define QUERY "published device query of a GeForce GT 1030"

const struct gpu_model model_gt1030 = {
    .name = "gt1030",
    .title = "GeForce GT 1030",
    .about = "the smallest Pascal, in its GDDR5 version, at its boost clock",
    CAPABILITY_61,
    .sm_count = P(3, QUERY),
    .dram_partitions = U(2, "64-bit bus in GDDR5 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1468000, QUERY),
    .memory_clock_khz = P(3004000, QUERY),
    .memory_bus_bits = P(64, QUERY),
    .memory_mebibytes = W(2048, "NVIDIA GeForce GT 1030 specifications"),
    .peak_megabytes_per_s = P(48064, "published device query: twice the memory clock x 8 bytes"),
    .l1_bytes = P(KIB(24), "Jia et al. 2018, table 3.1: P4, the same compute capability"),
    .l2_bytes = P(KIB(512), QUERY),
    TIME_61,
    L2_TIME(P(216, JIA_P4), U(4, "two a partition"), WAYS_16,
            U(140000, "the P4's 979 GB/s by SMs and clock")),
    .dram_latency_cycles = U(450, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    HOST(4000, "PCIe 3.0 x4"),
};
