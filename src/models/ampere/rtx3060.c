/* rtx3060.c - GeForce RTX 3060 12 GB: GA106 (Ampere), compute capability 8.6. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce RTX 3060 specifications"
#define QUERY "published device query of a GeForce RTX 3060"

const struct gpu_model model_rtx3060 = {
    .name = "rtx3060",
    .title = "GeForce RTX 3060 12 GB",
    .about = "consumer Ampere at its boost clock, the model with 12 GB; latencies are unconfirmed",
    CAPABILITY_86,
    .sm_count = W(28, SPECIFICATION),
    .dram_partitions = U(6, "192-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1777000, SPECIFICATION),
    .memory_clock_khz = P(7501000, QUERY),
    .memory_bus_bits = W(192, SPECIFICATION),
    .memory_mebibytes = W(12288, SPECIFICATION),
    .peak_megabytes_per_s = W(360000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(2304), QUERY),
    TIME_86,
    L2_TIME(U(200, "estimate: the T4's is 188, the A100's 206"), U(12, "two a partition"), WAYS_16,
            U(1360000, "64 bytes a slice and clock, as the A100")),
    .dram_latency_cycles = U(480, "estimate: between the T4 and the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
