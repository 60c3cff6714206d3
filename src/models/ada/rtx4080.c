/* rtx4080.c - GeForce RTX 4080: AD103 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define ADA "NVIDIA Ada GPU architecture white paper, 2023"

const struct gpu_model model_rtx4080 = {
    .name = "rtx4080",
    .title = "GeForce RTX 4080",
    .about = "Ada at its boost clock",
    CAPABILITY_89,
    .sm_count = W(76, ADA),
    .dram_partitions = U(8, "256-bit bus in GDDR6X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2505000, ADA),
    .memory_clock_khz = U(11200000, "half of the 22.4 Gbit/s a pin"),
    .memory_bus_bits = W(256, ADA),
    .memory_mebibytes = W(16384, ADA),
    .peak_megabytes_per_s = W(716800, ADA),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = W(KIB(65536), ADA),
    TIME_89,
    L2_TIME(U(265, LUO_4090), U(32, "four a partition"), WAYS_16,
            U(3190000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6X,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
