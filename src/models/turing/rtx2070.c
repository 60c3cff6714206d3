/* rtx2070.c - GeForce RTX 2070: TU106 (Turing), compute capability 7.5. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce RTX 2070 specifications"
#define QUERY "published device query of a GeForce RTX 2070"

const struct gpu_model model_rtx2070 = {
    .name = "rtx2070",
    .title = "GeForce RTX 2070",
    .about = "consumer Turing at the reference boost clock; the Founders Edition runs at 1710 MHz",
    CAPABILITY_75,
    .sm_count = W(36, SPECIFICATION),
    .dram_partitions = U(8, "256-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1620000, SPECIFICATION),
    .memory_clock_khz = P(7001000, QUERY),
    .memory_bus_bits = W(256, SPECIFICATION),
    .memory_mebibytes = W(8192, SPECIFICATION),
    .peak_megabytes_per_s = W(448000, SPECIFICATION),
    .l1_bytes = W(KIB(64), "NVIDIA Turing white paper, 2018"),
    .l2_bytes = P(KIB(4096), QUERY),
    TIME_75,
    L2_TIME(U(188, JIA_T4), U(16, "two a partition"), WAYS_16,
            U(1140000, "the T4's 1270 GB/s by number of SMs")),
    .dram_latency_cycles = U(430, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
