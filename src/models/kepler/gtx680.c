/* gtx680.c - GeForce GTX 680: GK104 (Kepler), compute capability 3.0. */
#include "models/model_fields.h"

#define KEPLER "NVIDIA GeForce GTX 680 white paper, 2012"
#define QUERY "published device query of a GeForce GTX 680"

const struct gpu_model model_gtx680 = {
    .name = "gtx680",
    .title = "GeForce GTX 680",
    .about = "the first Kepler at its boost clock: 63 registers a thread, no __ldg, global loads "
             "never in L1",
    .is_default = true,
    CAPABILITY_30,
    .sm_count = W(8, KEPLER),
    .dram_partitions = W(4, KEPLER),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1058000, KEPLER),
    .memory_clock_khz = P(3004000, QUERY),
    .memory_bus_bits = W(256, KEPLER),
    .memory_mebibytes = W(2048, KEPLER),
    .peak_megabytes_per_s = W(192200, KEPLER),
    .l1_bytes = W(KIB(48), "CUDA C Programming Guide 5.5, G.5.1"),
    .l2_bytes = P(KIB(512), QUERY),
    TIME_30,
    L2_TIME(U(200, JIA_K80), U(16, "four a partition"), WAYS_16,
            U(255000, "the K80's 339 GB/s by SMs and clock")),
    .dram_latency_cycles = U(330, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
