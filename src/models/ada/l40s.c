/* l40s.c - L40S: AD102 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA L40S data sheet"
#define QUERY "published device query of an L40S"

const struct gpu_model model_l40s = {
    .name = "l40s",
    .title = "L40S",
    .about = "Ada for servers at its boost clock",
    CAPABILITY_89,
    .sm_count = P(142, QUERY),
    .dram_partitions = U(12, "384-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(2520000, QUERY),
    .memory_clock_khz = P(9001000, QUERY),
    .memory_bus_bits = P(384, QUERY),
    .memory_mebibytes = W(49152, SPECIFICATION),
    .peak_megabytes_per_s = W(864000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(98304), QUERY),
    TIME_89,
    L2_TIME(U(265, LUO_4090), U(48, "four a partition"), WAYS_16,
            U(4820000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    ECC_WRITES(ONE_BURST),
    PCIE_4,
};
