/* gtx750ti.c - GeForce GTX 750 Ti: GM107 (Maxwell), compute capability 5.0. */
#include "models/model_fields.h"

#define MAXWELL "NVIDIA GeForce GTX 750 Ti white paper, 2014"
#define QUERY "published device query of a GeForce GTX 750 Ti"

const struct gpu_model model_gtx750ti = {
    .name = "gtx750ti",
    .title = "GeForce GTX 750 Ti",
    .about = "the first Maxwell at its boost clock; only data that a whole kernel does not write "
             "go through L1",
    .is_default = true,
    CAPABILITY_50,
    .sm_count = W(5, MAXWELL),
    .dram_partitions = U(2, "128-bit bus in controllers of 64 bits, as GM204"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1085000, MAXWELL),
    .memory_clock_khz = P(2700000, QUERY),
    .memory_bus_bits = W(128, MAXWELL),
    .memory_mebibytes = W(2048, MAXWELL),
    .peak_megabytes_per_s = W(86400, MAXWELL),
    .l1_bytes = W(KIB(24), "CUDA C++ Programming Guide 11.7, K.4.1"),
    .l2_bytes = W(KIB(2048), MAXWELL),
    TIME_5X,
    L2_TIME(U(207, JIA_M60), U(8, "four a partition"), WAYS_16,
            U(128000, "the M60's by SMs and clock")),
    .dram_latency_cycles = U(350, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
