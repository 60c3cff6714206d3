/* rtx2080ti.c - GeForce RTX 2080 Ti: TU102 (Turing), compute capability 7.5. */
#include "models/model_fields.h"

#define QUERY "published device query of a GeForce RTX 2080 Ti"
#define TURING "NVIDIA Turing white paper, 2018"

const struct gpu_model model_rtx2080ti = {
    .name = "rtx2080ti",
    .title = "GeForce RTX 2080 Ti",
    .about = "Turing at the reference boost clock; boards reach up to 1635 MHz",
    .is_default = true,
    CAPABILITY_75,
    .sm_count = W(68, TURING),
    .dram_partitions = U(11, "352-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1545000, TURING),
    .memory_clock_khz = P(7000000, QUERY),
    .memory_bus_bits = W(352, TURING),
    .memory_mebibytes = W(11264, TURING),
    .peak_megabytes_per_s = W(616000, TURING),
    .l1_bytes = W(KIB(64), TURING),
    .l2_bytes = W(KIB(5632), TURING),
    TIME_75,
    L2_TIME(U(188, JIA_T4), U(22, "two a partition"), WAYS_16,
            U(2150000, "the T4's 1270 GB/s by number of SMs")),
    .dram_latency_cycles = U(430, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
