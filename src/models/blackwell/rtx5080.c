/* rtx5080.c - GeForce RTX 5080: GB203 (Blackwell), compute capability 12.0. */
#include "models/model_fields.h"

#define BLACKWELL "NVIDIA RTX Blackwell GPU architecture white paper, 2025"

const struct gpu_model model_rtx5080 = {
    .name = "rtx5080",
    .title = "GeForce RTX 5080",
    .about = "consumer Blackwell at its boost clock: published sizes; rules and times as on Ada, "
             "unconfirmed",
    CAPABILITY_120,
    .sm_count = W(84, BLACKWELL),
    .dram_partitions = U(8, "256-bit bus in GDDR7 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(2617000, BLACKWELL),
    .memory_clock_khz = U(15000000, "half of the 30 Gbit/s a pin"),
    .memory_bus_bits = W(256, BLACKWELL),
    .memory_mebibytes = W(16384, BLACKWELL),
    .peak_megabytes_per_s = W(960000, BLACKWELL),
    .l1_bytes = W(KIB(128), GUIDE_12X),
    .l2_bytes = W(KIB(65536), BLACKWELL),
    TIME_120,
    L2_TIME(U(265, "as the RTX 4090"), U(32, "four a partition"), WAYS_16,
            U(3340000, "the estimate for the RTX 4070 Ti, by slices and clock")),
    .dram_latency_cycles = U(533, "as the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR7,
    MASKED_WRITES(ONE_BURST),
    PCIE_5,
};
