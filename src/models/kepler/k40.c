/* k40.c - Tesla K40: GK110B (Kepler), compute capability 3.5. The clock is the base clock; boost is
 * 810 or 875 MHz when the user selects it. */
#include "models/model_fields.h"

#define BOARD "NVIDIA Tesla K40 board specification"
#define KEPLER "NVIDIA Kepler GK110 white paper, 2012"

const struct gpu_model model_k40 = {
    .name = "k40",
    .title = "Tesla K40",
    .about = "Kepler with all 15 SMs at its base clock; boost is 810 or 875 MHz",
    CAPABILITY_35,
    .sm_count = W(15, BOARD),
    .dram_partitions = W(6, KEPLER),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(745000, BOARD),
    .memory_clock_khz = P(3004000, "published device query of a Tesla K40"),
    .memory_bus_bits = W(384, BOARD),
    .memory_mebibytes = W(12288, BOARD),
    .peak_megabytes_per_s = W(288000, BOARD),
    .l1_bytes = W(KIB(48), KEPLER),
    .l2_bytes = W(KIB(1536), KEPLER),
    TIME_35,
    L2_TIME(P(200, JIA_K80), U(24, "four a partition"), WAYS_16, P(339000, JIA_K80)),
    .dram_latency_cycles = U(330, "estimate"),
    .dram_efficiency_percent = W(80, "CUDA C Best Practices Guide 5.5: ECC costs 12 to 20 %"),
    GDDR5,
    ECC_WRITES(ONE_BURST),
    PCIE_3,
};
