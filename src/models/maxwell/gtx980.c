/* gtx980.c - GeForce GTX 980: GM204 (Maxwell), compute capability 5.2. */
#include "models/model_fields.h"

#define MAXWELL "NVIDIA GeForce GTX 980 white paper, 2014"

const struct gpu_model model_gtx980 = {
    .name = "gtx980",
    .title = "GeForce GTX 980",
    .about = "Maxwell at its boost clock; global loads as with -dlcm=ca, which is not the default",
    .is_default = true,
    CAPABILITY_52,
    .sm_count = W(16, MAXWELL),
    .dram_partitions = W(4, MAXWELL),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1216000, MAXWELL),
    .memory_clock_khz = W(3505000, MAXWELL),
    .memory_bus_bits = W(256, MAXWELL),
    .memory_mebibytes = W(4096, MAXWELL),
    .peak_megabytes_per_s = W(224000, MAXWELL),
    .l1_bytes = P(KIB(24), "Jia et al. 2018, table 3.1: M60, the same compute capability"),
    .l2_bytes = W(KIB(2048), MAXWELL),
    TIME_5X,
    L2_TIME(P(207, JIA_M60), U(16, "four a partition"), WAYS_16, P(446000, JIA_M60)),
    .dram_latency_cycles = U(350, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
