/* tegra_x1.c - Tegra X1: GM20B (Maxwell), compute capability 5.3, as on the Jetson TX1. */
#include "models/model_fields.h"

#define TEGRA "NVIDIA Tegra X1 white paper, 2015"
#define QUERY "published device query of a Jetson TX1"

const struct gpu_model model_tegra_x1 = {
    .name = "tegra-x1",
    .title = "Tegra X1",
    .about = "for counters only; DRAM is shared with the CPU; the limit of 32768 registers a block "
             "is not modelled",
    .is_default = true,
    CAPABILITY_53,
    .sm_count = W(2, TEGRA),
    .dram_partitions = U(2, "64-bit LPDDR4 taken as channels of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = U(998000, "highest GPU clock of a Jetson TX1"),
    .memory_clock_khz = U(1600000, "LPDDR4-3200"),
    .memory_bus_bits = P(64, QUERY),
    .memory_mebibytes = W(4096, "NVIDIA Jetson TX1 module data sheet"),
    .peak_megabytes_per_s = W(25600, TEGRA),
    .l1_bytes = U(KIB(24), "as compute capability 5.2"),
    .l2_bytes = P(KIB(256), QUERY),
    TIME_5X,
    L2_TIME(U(207, "as compute capability 5.2"), U(4, "two a partition"), WAYS_16,
            U(47000, "the M60's by SMs and clock")),
    .dram_latency_cycles = U(350, "estimate"),
    .dram_efficiency_percent = U(80, ESTIMATE),
    LPDDR4,
    MASKED_WRITES(ONE_BURST),
    SAME_DRAM(25600),
};
