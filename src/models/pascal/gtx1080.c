/* gtx1080.c - GeForce GTX 1080: GP104 (Pascal), compute capability 6.1. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce GTX 1080 specifications"
#define QUERY "published device query of a GeForce GTX 1080"

const struct gpu_model model_gtx1080 = {
    .name = "gtx1080",
    .title = "GeForce GTX 1080",
    .about = "consumer Pascal at its boost clock; latencies and the rate of the L2 are the P4's",
    CAPABILITY_61,
    .sm_count = W(20, SPECIFICATION),
    .dram_partitions = U(8, "256-bit bus in GDDR5X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1733000, SPECIFICATION),
    .memory_clock_khz = P(5005000, QUERY),
    .memory_bus_bits = W(256, SPECIFICATION),
    .memory_mebibytes = W(8192, SPECIFICATION),
    .peak_megabytes_per_s = W(320000, SPECIFICATION),
    .l1_bytes = P(KIB(24), "Jia et al. 2018, table 3.1: P4, the same compute capability"),
    .l2_bytes = P(KIB(2048), QUERY),
    TIME_61,
    L2_TIME(P(216, JIA_P4), U(16, "two a partition"), WAYS_16,
            U(1105000, "the P4's 979 GB/s by SMs and clock")),
    .dram_latency_cycles = U(450, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5X,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
