/* rtx4070ti.c - GeForce RTX 4070 Ti: AD104 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define ADA "NVIDIA Ada GPU architecture white paper, 2023"

const struct gpu_model model_rtx4070ti = {
    .name = "rtx4070ti",
    .title = "GeForce RTX 4070 Ti",
    .about = "Ada at its boost clock; a 48 MB L2 in front of a narrow bus",
    .is_default = true,
    CAPABILITY_89,
    .sm_count = W(60, ADA),
    .dram_partitions = U(6, "192-bit bus in GDDR6X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2610000, ADA),
    .memory_clock_khz = U(10500000, "half of the 21 Gbit/s a pin"),
    .memory_bus_bits = W(192, ADA),
    .memory_mebibytes = W(12288, "NVIDIA GeForce RTX 4070 Ti specifications"),
    .peak_megabytes_per_s = W(504000, ADA),
    .l1_bytes = W(KIB(128), ADA),
    .l2_bytes = W(KIB(49152), ADA),
    TIME_89,
    L2_TIME(U(265, LUO_4090), U(24, "four a partition"), WAYS_16, U(2500000, "estimate")),
    .dram_latency_cycles = U(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6X,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
