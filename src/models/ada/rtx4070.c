/* rtx4070.c - GeForce RTX 4070: AD104 (Ada), compute capability 8.9. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce RTX 4070 specifications"

const struct gpu_model model_rtx4070 = {
    .name = "rtx4070",
    .title = "GeForce RTX 4070",
    .about = "Ada at its boost clock; the memory of a 4070 Ti with fewer SMs and less L2",
    CAPABILITY_89,
    .sm_count = W(46, SPECIFICATION),
    .dram_partitions = U(6, "192-bit bus in GDDR6X controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2475000, SPECIFICATION),
    .memory_clock_khz = U(10500000, "half of the 21 Gbit/s a pin"),
    .memory_bus_bits = W(192, SPECIFICATION),
    .memory_mebibytes = W(12288, SPECIFICATION),
    .peak_megabytes_per_s = W(504000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = W(KIB(36864), SPECIFICATION),
    TIME_89,
    L2_TIME(U(265, LUO_4090), U(24, "four a partition"), WAYS_16,
            U(2370000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, LUO_4090),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6X,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
