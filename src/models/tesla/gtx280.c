/* gtx280.c - GeForce GTX 280: GT200, compute capability 1.3. */
#include "models/model_fields.h"

#define BRIEF "NVIDIA GeForce GTX 200 GPU Architectural Overview, 2008"

const struct gpu_model model_gtx280 = {
    .name = "gtx280",
    .title = "GeForce GTX 280",
    .about = "the segment rules and partition camping of the matrix transpose paper; no caches",
    .is_default = true,
    CAPABILITY_13,
    .sm_count = W(30, BRIEF),
    .dram_partitions = W(8, TRANSPOSE),
    PARTITIONS_IN_TURN,
    .sm_clock_khz = P(1296000, "bit-tech, GeForce GTX 280 architecture review, 2008"),
    .memory_clock_khz = W(1107000, BRIEF),
    .memory_bus_bits = W(512, BRIEF),
    .memory_mebibytes = W(1024, BRIEF),
    .peak_megabytes_per_s = W(141700, BRIEF),
    CACHES_1X,
    TIME_13,
    NO_L2,
    .dram_latency_cycles = P(440, WONG),
    .dram_efficiency_percent = U(88, "about 120 of 141.7 GB/s in copies"),
    GDDR3,
    GT200_WRITES(60000),
    MASKED_WRITES(ONE_BURST),
    PCIE_2,
};
