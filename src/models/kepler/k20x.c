/* k20x.c - Tesla K20X: GK110 (Kepler), compute capability 3.5. */
#include "models/model_fields.h"

#define BOARD "NVIDIA Tesla K20X board specification"
#define KEPLER "NVIDIA Kepler GK110 white paper, 2012"

const struct gpu_model model_k20x = {
    .name = "k20x",
    .title = "Tesla K20X",
    .about = "Kepler; L1 can serve global loads on request only; clocks are unconfirmed",
    .is_default = true,
    CAPABILITY_35,
    .sm_count = W(14, BOARD),
    .dram_partitions = W(6, KEPLER),
    PARTITIONS_HASHED,
    .sm_clock_khz = U(732000, BOARD),
    .memory_clock_khz = U(2600000, BOARD),
    .memory_bus_bits = W(384, BOARD),
    .memory_mebibytes = W(6144, BOARD),
    .peak_megabytes_per_s = W(249600, BOARD),
    .l1_bytes = W(KIB(48), KEPLER),
    .l2_bytes = W(KIB(1536), KEPLER),
    TIME_35,
    L2_TIME(P(200, JIA_K80), U(24, "four a partition"), WAYS_16,
            U(305000, "the K80's 339 GB/s by SMs and clock")),
    .dram_latency_cycles = U(330, "estimate"),
    .dram_efficiency_percent = W(80, "CUDA C Best Practices Guide 5.5: ECC costs 12 to 20 %"),
    GDDR5,
    ECC_WRITES(ONE_BURST),
    PCIE_2,
};
