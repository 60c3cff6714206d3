/* rtx4060.c - GeForce RTX 4060: AD107 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce RTX 4060 specifications"

const struct gpu_model model_rtx4060 = {
    .name = "rtx4060",
    .title = "GeForce RTX 4060",
    .about = "the smallest consumer Ada at its boost clock",
    CAPABILITY_89,
    .sm_count = W(24, SPECIFICATION),
    .dram_partitions = U(4, "128-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2460000, SPECIFICATION),
    .memory_clock_khz = U(8500000, "half of the 17 Gbit/s a pin"),
    .memory_bus_bits = W(128, SPECIFICATION),
    .memory_mebibytes = W(8192, SPECIFICATION),
    .peak_megabytes_per_s = W(272000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = W(KIB(24576), SPECIFICATION),
    TIME_89,
    L2_TIME(U(265, LUO_4090), U(16, "four a partition"), WAYS_16,
            U(1570000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    HOST(16000, "PCIe 4.0 x8"),
};
