/* gtx1080ti.c - GeForce GTX 1080 Ti: GP102 (Pascal), compute capability 6.1. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce GTX 1080 Ti specifications"

const struct gpu_model model_gtx1080ti = {
    .name = "gtx1080ti",
    .title = "GeForce GTX 1080 Ti",
    .about = "consumer Pascal at its boost clock; caches and partitions are unconfirmed",
    .is_default = true,
    CAPABILITY_61,
    .sm_count = W(28, SPECIFICATION),
    .dram_partitions = U(11, "352-bit bus in GDDR5X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1582000, SPECIFICATION),
    .memory_clock_khz = W(5505000, SPECIFICATION),
    .memory_bus_bits = W(352, SPECIFICATION),
    .memory_mebibytes = W(11264, SPECIFICATION),
    .peak_megabytes_per_s = W(484000, SPECIFICATION),
    .l1_bytes = P(KIB(24), "Jia et al. 2018, table 3.1: P4, the same compute capability"),
    .l2_bytes = U(KIB(2816), "256 KB for each of 11 memory controllers"),
    TIME_61,
    L2_TIME(P(216, JIA_P4), U(22, "two a partition"), WAYS_16,
            U(1410000, "the P4's 979 GB/s by SMs and clock")),
    .dram_latency_cycles = U(450, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5X,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
