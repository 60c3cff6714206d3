/* rtx2060.c - GeForce RTX 2060: TU106 (Turing), compute capability 7.5. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce RTX 2060 specifications"
#define QUERY "published device query of a GeForce RTX 2060"

const struct gpu_model model_rtx2060 = {
    .name = "rtx2060",
    .title = "GeForce RTX 2060",
    .about = "consumer Turing at its boost clock",
    CAPABILITY_75,
    .sm_count = W(30, SPECIFICATION),
    .dram_partitions = U(6, "192-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1680000, SPECIFICATION),
    .memory_clock_khz = P(7001000, QUERY),
    .memory_bus_bits = W(192, SPECIFICATION),
    .memory_mebibytes = W(6144, SPECIFICATION),
    .peak_megabytes_per_s = W(336000, SPECIFICATION),
    .l1_bytes = W(KIB(64), "NVIDIA Turing white paper, 2018"),
    .l2_bytes = P(KIB(3072), QUERY),
    TIME_75,
    L2_TIME(U(188, JIA_T4), U(12, "two a partition"), WAYS_16,
            U(950000, "the T4's 1270 GB/s by number of SMs")),
    .dram_latency_cycles = U(430, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
