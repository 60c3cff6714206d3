/* t4.c - Tesla T4: TU104 (Turing), compute capability 7.5. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA T4 data sheet"
#define QUERY "published device query of a Tesla T4"

const struct gpu_model model_t4 = {
    .name = "t4",
    .title = "Tesla T4",
    .about = "Turing at its highest clock, which its 70 watts let it keep only for a while",
    CAPABILITY_75,
    .sm_count = P(40, QUERY),
    .dram_partitions = U(8, "256-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1590000, QUERY),
    .memory_clock_khz = P(5001000, QUERY),
    .memory_bus_bits = P(256, QUERY),
    .memory_mebibytes = W(16384, SPECIFICATION),
    .peak_megabytes_per_s = W(320000, SPECIFICATION),
    .l1_bytes = W(KIB(64), "NVIDIA Turing white paper, 2018"),
    .l2_bytes = P(KIB(4096), QUERY),
    TIME_75,
    L2_TIME(U(188, JIA_T4), U(16, "two a partition"), WAYS_16, U(1270000, JIA_T4)),
    .dram_latency_cycles = U(430, "estimate"),
    .dram_efficiency_percent = U(69, "about what Jia et al. 2019 give for the T4: 220 of 320 GB/s"),
    GDDR6,
    ECC_WRITES(ONE_BURST),
    PCIE_3,
};
