/* c1060.c - Tesla C1060: GT200, compute capability 1.3. */
#include "models/model_fields.h"

#define BOARD "NVIDIA Tesla C1060 board specification"

const struct gpu_model model_c1060 = {
    .name = "c1060",
    .title = "Tesla C1060",
    .about = "a GTX 280 with slower memory; no caches; clocks are unconfirmed",
    CAPABILITY_13,
    .sm_count = W(30, "CUDA C Programming Guide 3.2, table A-1"),
    .dram_partitions = W(8, TRANSPOSE),
    PARTITIONS_IN_TURN,
    .sm_clock_khz = U(1296000, BOARD),
    .memory_clock_khz = U(800000, BOARD),
    .memory_bus_bits = W(512, BOARD),
    .memory_mebibytes = W(4096, BOARD),
    .peak_megabytes_per_s = W(102400, BOARD),
    CACHES_1X,
    TIME_13,
    NO_L2,
    .dram_latency_cycles = U(440, "as the GTX 280"),
    .dram_efficiency_percent = U(88, ESTIMATE),
    GDDR3,
    GT200_WRITES(60000),
    MASKED_WRITES(ONE_BURST),
    PCIE_2,
};
