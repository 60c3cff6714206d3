/* rtx4090.c - GeForce RTX 4090: AD102 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define ADA "NVIDIA Ada GPU architecture white paper, 2023"
#define QUERY "published device query of a GeForce RTX 4090"

const struct gpu_model model_rtx4090 = {
    .name = "rtx4090",
    .title = "GeForce RTX 4090",
    .about = "Ada at its boost clock; latencies are published ones of this very GPU",
    CAPABILITY_89,
    .sm_count = W(128, ADA),
    .dram_partitions = U(12, "384-bit bus in GDDR6X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2520000, ADA),
    .memory_clock_khz = P(10501000, QUERY),
    .memory_bus_bits = W(384, ADA),
    .memory_mebibytes = W(24576, ADA),
    .peak_megabytes_per_s = W(1008000, ADA),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(73728), QUERY),
    TIME_89_MEASURED,
    L2_TIME(P(265, LUO_4090), U(48, "four a partition"), WAYS_16,
            U(4820000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = P(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6X,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
