/* rtx3070.c - GeForce RTX 3070: GA104 (Ampere), compute capability 8.6. */
#include "models/model_fields.h"

#define WHITE_PAPER "NVIDIA Ampere GA102 GPU architecture white paper, 2021"
#define QUERY "published device query of a GeForce RTX 3070"

const struct gpu_model model_rtx3070 = {
    .name = "rtx3070",
    .title = "GeForce RTX 3070",
    .about = "consumer Ampere at its boost clock; latencies are unconfirmed",
    CAPABILITY_86,
    .sm_count = W(46, WHITE_PAPER),
    .dram_partitions = U(8, "256-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1725000, WHITE_PAPER),
    .memory_clock_khz = P(7001000, QUERY),
    .memory_bus_bits = W(256, WHITE_PAPER),
    .memory_mebibytes = W(8192, WHITE_PAPER),
    .peak_megabytes_per_s = W(448000, WHITE_PAPER),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(4096), QUERY),
    TIME_86,
    L2_TIME(U(200, "estimate: the T4's is 188, the A100's 206"), U(16, "two a partition"), WAYS_16,
            U(1760000, "64 bytes a slice and clock, as the A100")),
    .dram_latency_cycles = U(480, "estimate: between the T4 and the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
