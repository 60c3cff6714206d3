/* gtx1060.c - GeForce GTX 1060 6 GB: GP106 (Pascal), compute capability 6.1. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce GTX 1060 specifications"
#define QUERY "published device query of a GeForce GTX 1060 6 GB"

const struct gpu_model model_gtx1060 = {
    .name = "gtx1060",
    .title = "GeForce GTX 1060 6 GB",
    .about = "consumer Pascal at its boost clock; latencies and the rate of the L2 are the P4's",
    CAPABILITY_61,
    .sm_count = W(10, SPECIFICATION),
    .dram_partitions = U(6, "192-bit bus in GDDR5 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1708000, SPECIFICATION),
    .memory_clock_khz = P(4004000, QUERY),
    .memory_bus_bits = W(192, SPECIFICATION),
    .memory_mebibytes = W(6144, SPECIFICATION),
    .peak_megabytes_per_s = W(192000, SPECIFICATION),
    .l1_bytes = P(KIB(24), "Jia et al. 2018, table 3.1: P4, the same compute capability"),
    .l2_bytes = P(KIB(1536), QUERY),
    TIME_61,
    L2_TIME(P(216, JIA_P4), U(12, "two a partition"), WAYS_16,
            U(546000, "the P4's 979 GB/s by SMs and clock")),
    .dram_latency_cycles = U(450, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
