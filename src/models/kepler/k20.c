/* k20.c - Tesla K20: GK110 (Kepler), compute capability 3.5. */
#include "models/model_fields.h"

#define BOARD "NVIDIA Tesla K20 active accelerator board specification"
#define KEPLER "NVIDIA Kepler GK110 white paper, 2012"

const struct gpu_model model_k20 = {
    .name = "k20",
    .title = "Tesla K20",
    .about = "Kepler with 13 of its 15 SMs and five of its six memory controllers",
    CAPABILITY_35,
    .sm_count = W(13, BOARD),
    .dram_partitions = W(5, "320-bit bus in controllers of 64 bits: " BOARD),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(706000, BOARD),
    .memory_clock_khz = W(2600000, BOARD),
    .memory_bus_bits = W(320, BOARD),
    .memory_mebibytes = W(5120, BOARD),
    .peak_megabytes_per_s = W(208000, BOARD),
    .l1_bytes = W(KIB(48), KEPLER),
    .l2_bytes = W(KIB(1280), "five of six parts of 1536 KB: " KEPLER),
    TIME_35,
    L2_TIME(P(200, JIA_K80), U(20, "four a partition"), WAYS_16,
            U(273000, "the K80's 339 GB/s by SMs and clock")),
    .dram_latency_cycles = U(330, "estimate"),
    .dram_efficiency_percent = W(80, "CUDA C Best Practices Guide 5.5: ECC costs 12 to 20 %"),
    GDDR5,
    ECC_WRITES(ONE_BURST),
    PCIE_2,
};
