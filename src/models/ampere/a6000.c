/* a6000.c - RTX A6000: GA102 (Ampere), compute capability 8.6. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA RTX A6000 data sheet"
#define QUERY "published device query of an RTX A6000"

const struct gpu_model model_a6000 = {
    .name = "a6000",
    .title = "RTX A6000",
    .about = "Ampere for workstations at its boost clock, with ECC switched off; latencies are "
             "unconfirmed",
    CAPABILITY_86,
    .sm_count = P(84, QUERY),
    .dram_partitions = U(12, "384-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1800000, QUERY),
    .memory_clock_khz = P(8001000, QUERY),
    .memory_bus_bits = P(384, QUERY),
    .memory_mebibytes = W(49152, SPECIFICATION),
    .peak_megabytes_per_s = W(768000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(6144), QUERY),
    TIME_86,
    L2_TIME(U(200, "estimate: the T4's is 188, the A100's 206"), U(24, "two a partition"), WAYS_16,
            U(2760000, "64 bytes a slice and clock, as the A100")),
    .dram_latency_cycles = U(480, "estimate: between the T4 and the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    MASKED_WRITES(ONE_BURST),
    PCIE_4,
};
