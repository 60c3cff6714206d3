/* gtx260.c - GeForce GTX 260 with 192 processors: GT200, compute capability 1.3. The later version
 * with 216 processors has 27 SMs and is otherwise the same. */
#include "models/model_fields.h"

#define REVIEW "bit-tech, GeForce GTX 280 architecture review, 2008"

const struct gpu_model model_gtx260 = {
    .name = "gtx260",
    .title = "GeForce GTX 260",
    .about = "the version with 24 SMs; seven partitions, so powers of two camp less; no caches",
    CAPABILITY_13,
    .sm_count = W(24, "CUDA C Programming Guide 3.2, table A-1"),
    .dram_partitions = U(7, "448-bit bus in parts of 64 bits, as the GTX 280 has 8"),
    PARTITIONS_IN_TURN,
    .sm_clock_khz = P(1242000, REVIEW),
    .memory_clock_khz = P(999000, REVIEW),
    .memory_bus_bits = P(448, REVIEW),
    .memory_mebibytes = P(896, REVIEW),
    .peak_megabytes_per_s = P(111888, REVIEW),
    CACHES_1X,
    TIME_13,
    NO_L2,
    .dram_latency_cycles = U(440, "as the GTX 280"),
    .dram_efficiency_percent = U(88, ESTIMATE),
    GDDR3,
    GT200_WRITES(50000),
    MASKED_WRITES(ONE_BURST),
    PCIE_2,
};
