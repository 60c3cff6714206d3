/* titanv.c - TITAN V: GV100 (Volta), compute capability 7.0. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA TITAN V specifications"
#define QUERY "published device query of a TITAN V"
#define JIA "Jia et al. 2018, table 3.1"

const struct gpu_model model_titanv = {
    .name = "titanv",
    .title = "TITAN V",
    .about = "Volta on a desktop at its boost clock: all SMs of a V100, three quarters of its L2 "
             "and memory",
    CAPABILITY_70,
    .sm_count = W(80, SPECIFICATION),
    .dram_partitions = U(24, "3072-bit bus in HBM2 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1455000, SPECIFICATION),
    .memory_clock_khz = W(850000, SPECIFICATION),
    .memory_bus_bits = W(3072, SPECIFICATION),
    .memory_mebibytes = W(12288, SPECIFICATION),
    .peak_megabytes_per_s = W(652800, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_7X),
    .l2_bytes = P(KIB(4608), QUERY),
    TIME_70,
    L2_TIME(U(193, JIA_V100), U(48, "two a partition"), P(16, JIA_V100),
            U(1700000, "the V100's by slices and clock")),
    .dram_latency_cycles = U(375, "as the V100"),
    .dram_efficiency_percent = U(89, "as the V100"),
    HBM2,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
