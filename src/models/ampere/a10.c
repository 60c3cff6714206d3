/* a10.c - A10: GA102 (Ampere), compute capability 8.6. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA A10 data sheet"
#define QUERY "published device query of an A10"

const struct gpu_model model_a10 = {
    .name = "a10",
    .title = "A10",
    .about = "Ampere for servers at its boost clock, which its 150 watts let it keep only for a "
             "while; latencies are unconfirmed",
    CAPABILITY_86,
    .sm_count = P(72, QUERY),
    .dram_partitions = U(12, "384-bit bus in GDDR6 controllers of 32 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1695000, QUERY),
    .memory_clock_khz = P(6251000, QUERY),
    .memory_bus_bits = P(384, QUERY),
    .memory_mebibytes = W(24576, SPECIFICATION),
    .peak_megabytes_per_s = W(600000, SPECIFICATION),
    .l1_bytes = W(KIB(128), GUIDE_8X),
    .l2_bytes = P(KIB(6144), QUERY),
    TIME_86,
    L2_TIME(U(200, "estimate: the T4's is 188, the A100's 206"), U(24, "two a partition"), WAYS_16,
            U(2600000, "64 bytes a slice and clock, as the A100")),
    .dram_latency_cycles = U(480, "estimate: between the T4 and the RTX 4090"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR6,
    ECC_WRITES(ONE_BURST),
    PCIE_4,
};
