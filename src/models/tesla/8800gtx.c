/* 8800gtx.c - GeForce 8800 GTX: G80, compute capability 1.0, the first CUDA part. */
#include "models/model_fields.h"

#define OVERVIEW "NVIDIA GeForce 8800 GPU Architecture Overview, 2006"

const struct gpu_model model_8800gtx = {
    .name = "8800gtx",
    .title = "GeForce 8800 GTX",
    .about = "the part of the reduction and coalescing talks of 2007; no caches",
    CAPABILITY_10,
    .sm_count = W(16, OVERVIEW),
    .dram_partitions = W(6, TRANSPOSE),
    PARTITIONS_IN_TURN,
    .sm_clock_khz = W(1350000, OVERVIEW),
    .memory_clock_khz = W(900000, OVERVIEW),
    .memory_bus_bits = W(384, OVERVIEW),
    .memory_mebibytes = W(768, OVERVIEW),
    .peak_megabytes_per_s = W(86400, OVERVIEW),
    CACHES_1X,
    TIME_10,
    NO_L2,
    .dram_latency_cycles = U(500, "middle of the 400 to 600 cycles of the programming guides"),
    .dram_efficiency_percent = U(88, ESTIMATE),
    GDDR3,
    WRITES_AS_READS,
    MASKED_WRITES(ONE_BURST),
    PCIE_1,
};
