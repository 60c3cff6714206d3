/* rtx5070.c - GeForce RTX 5070: GB205 (Blackwell), compute capability 12.0. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce RTX 5070 specifications"

const struct gpu_model model_rtx5070 = {
    .name = "rtx5070",
    .title = "GeForce RTX 5070",
    .about = "consumer Blackwell at its boost clock: published sizes; rules and times as on Ada, "
             "unconfirmed",
    CAPABILITY_120,
    .sm_count = W(48, SPECIFICATION),
    .dram_partitions = U(6, "192-bit bus in GDDR7 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2512000, SPECIFICATION),
    .memory_clock_khz = U(14000000, "half of the 28 Gbit/s a pin"),
    .memory_bus_bits = W(192, SPECIFICATION),
    .memory_mebibytes = W(12288, SPECIFICATION),
    .peak_megabytes_per_s = W(672000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_12X),
    .l2_bytes = U(KIB(49152), "public GPU databases"),
    TIME_120,
    L2_TIME(U(265, "as the RTX 4090"), U(24, "four a partition"), WAYS_16,
            U(2400000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, "as the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR7,
    MASKED_WRITES(ONE_BURST),
    PCIE_5,
};
