/* l4.c - L4: AD104 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA L4 data sheet"
#define QUERY "published device query of an L4"

const struct gpu_model model_l4 = {
    .name = "l4",
    .title = "L4",
    .about =
        "Ada for servers at its highest clock, which its 72 watts let it keep only for a while",
    CAPABILITY_89,
    .sm_count = P(58, QUERY),
    .dram_partitions = U(6, "192-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(2040000, QUERY),
    .memory_clock_khz = P(6251000, QUERY),
    .memory_bus_bits = P(192, QUERY),
    .memory_mebibytes = W(24576, SPECIFICATION),
    .peak_megabytes_per_s = W(300000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(49152), QUERY),
    TIME_89,
    L2_TIME(U(265, LUO_4090), U(24, "four a partition"), WAYS_16,
            U(1950000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    ECC_WRITES(ONE_BURST),
    PCIE_4,
};
