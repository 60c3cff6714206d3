/* rtx3090.c - GeForce RTX 3090: GA102 (Ampere), compute capability 8.6. */
#include "models/model_fields.h"

#define WHITE_PAPER "NVIDIA Ampere GA102 GPU architecture white paper, 2021"
#define QUERY "published device query of a GeForce RTX 3090"

const struct gpu_model model_rtx3090 = {
    .name = "rtx3090",
    .title = "GeForce RTX 3090",
    .about = "consumer Ampere at its boost clock; latencies are unconfirmed",
    .is_default = true,
    CAPABILITY_86,
    .sm_count = W(82, WHITE_PAPER),
    .dram_partitions = U(12, "384-bit bus in GDDR6X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1695000, WHITE_PAPER),
    .memory_clock_khz = P(9751000, QUERY),
    .memory_bus_bits = W(384, WHITE_PAPER),
    .memory_mebibytes = W(24576, WHITE_PAPER),
    .peak_megabytes_per_s = W(936000, WHITE_PAPER),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(6144), QUERY),
    TIME_86,
    L2_TIME(U(200, "estimate: the T4's is 188, the A100's 206"), U(24, "two a partition"), WAYS_16,
            U(2600000, "64 bytes a slice and clock, as the A100")),
    .dram_latency_cycles = U(480, "estimate: between the T4 and the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6X,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
