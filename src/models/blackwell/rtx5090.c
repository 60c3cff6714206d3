/* rtx5090.c - GeForce RTX 5090: GB202 (Blackwell), compute capability 12.0. */
#include "models/model_fields.h"

#define BLACKWELL "NVIDIA RTX Blackwell GPU architecture white paper, 2025"
#define QUERY "published device query of a GeForce RTX 5090"

const struct gpu_model model_rtx5090 = {
    .name = "rtx5090",
    .title = "GeForce RTX 5090",
    .about = "consumer Blackwell at its boost clock: published sizes; rules and times as on Ada, "
             "unconfirmed",
    .is_default = true,
    CAPABILITY_120,
    .sm_count = W(170, BLACKWELL),
    .dram_partitions = U(16, "512-bit bus in GDDR7 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2407000, BLACKWELL),
    .memory_clock_khz = P(14001000, QUERY),
    .memory_bus_bits = W(512, BLACKWELL),
    .memory_mebibytes = W(32768, BLACKWELL),
    .peak_megabytes_per_s = W(1792000, BLACKWELL),
    .l1_bytes = W(KIB(128), GUIDE_12X),
    .l2_bytes = P(KIB(98304), QUERY),
    TIME_120,
    L2_TIME(U(265, "as the RTX 4090"), U(64, "four a partition"), WAYS_16,
            U(6140000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, "as the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR7,
    MASKED_WRITES(ONE_BURST),
    PCIE_5,
};
