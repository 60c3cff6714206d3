/* p100.c - Tesla P100 (SXM2): GP100 (Pascal), compute capability 6.0. */
#include "models/model_fields.h"

#define PASCAL "NVIDIA Tesla P100 white paper, 2016"
#define JIA "Jia et al. 2018, table 3.1"

const struct gpu_model model_p100 = {
    .name = "p100",
    .title = "Tesla P100",
    .about = "Pascal with HBM2 at its boost clock (base 1328 MHz)",
    .is_default = true,
    CAPABILITY_60,
    .sm_count = W(56, PASCAL),
    .dram_partitions = U(32, "4096-bit bus in HBM2 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1480000, PASCAL),
    .memory_clock_khz = W(715000, PASCAL),
    .memory_bus_bits = W(4096, PASCAL),
    .memory_mebibytes = W(16384, PASCAL),
    .peak_megabytes_per_s = P(732000, JIA),
    .l1_bytes = P(KIB(24), JIA),
    .l2_bytes = P(KIB(4096), JIA),
    TIME_60,
    L2_TIME(P(234, JIA), U(64, "two a partition"), WAYS_16, P(1624000, JIA)),
    .dram_latency_cycles = U(500, "estimate"),
    .dram_efficiency_percent = P(70, "Jia et al. 2018: 510 of 732"),
    HBM2,
    ECC_WRITES(ONE_BURST),
    PCIE_3,
};
