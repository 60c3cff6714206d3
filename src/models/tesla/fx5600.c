/* fx5600.c - Quadro FX 5600: G80, compute capability 1.0. */
#include "models/model_fields.h"

#define DATA_SHEET "NVIDIA Quadro FX 5600 data sheet"

const struct gpu_model model_fx5600 = {
    .name = "fx5600",
    .title = "Quadro FX 5600",
    .about = "the strict half-warp rules; no caches; the shader clock is unconfirmed",
    .is_default = true,
    CAPABILITY_10,
    .sm_count = W(16, "CUDA C Programming Guide 3.2, table A-1"),
    .dram_partitions = W(6, TRANSPOSE),
    PARTITIONS_IN_TURN,
    .sm_clock_khz = U(1350000, "as the GeForce 8800 GTX, the same chip"),
    .memory_clock_khz = W(800000, DATA_SHEET),
    .memory_bus_bits = W(384, DATA_SHEET),
    .memory_mebibytes = W(1536, DATA_SHEET),
    .peak_megabytes_per_s = W(76800, DATA_SHEET),
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
