/* agx_orin.c - Jetson AGX Orin with 64 GB: GA10B (Ampere), compute capability 8.7. */
#include "models/model_fields.h"

#define BRIEF "NVIDIA Jetson AGX Orin technical brief, 2022"
#define QUERY "published device query of a Jetson AGX Orin"

const struct gpu_model model_agx_orin = {
    .name = "agx-orin",
    .title = "Jetson AGX Orin 64 GB",
    .about = "DRAM is shared with the CPU; the clock is that of its highest power mode; all times "
             "are unconfirmed",
    .is_default = true,
    CAPABILITY_87,
    .sm_count = W(16, BRIEF),
    .dram_partitions = U(8, "256-bit LPDDR5 taken as channels of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1300000, BRIEF),
    .memory_clock_khz = U(3200000, "LPDDR5-6400"),
    .memory_bus_bits = W(256, BRIEF),
    .memory_mebibytes = W(65536, BRIEF),
    .peak_megabytes_per_s = W(204800, BRIEF),
    .l1_bytes = W(KIB(192), GUIDE_8X),
    .l2_bytes = P(KIB(4096), QUERY),
    TIME_87,
    L2_TIME(U(200, "as the RTX 3090"), U(16, "two a partition"), WAYS_16,
            U(1330000, "64 bytes a slice and clock, as the A100")),
    .dram_latency_cycles = U(480, "as the RTX 3090"),
    .dram_efficiency_percent = U(80, ESTIMATE),
    LPDDR5,
    MASKED_WRITES(ONE_BURST),
    SAME_DRAM(204800),
};
