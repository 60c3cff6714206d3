/* m2050.c - Tesla M2050: GF100 (Fermi), compute capability 2.0. */
#include "models/model_fields.h"

#define BOARD "NVIDIA Tesla M2050 and M2070 board specification"
#define QUERY "published device query of a Tesla M2050"
#define FERMI "NVIDIA Fermi white paper, 2009"

const struct gpu_model model_m2050 = {
    .name = "m2050",
    .title = "Tesla M2050",
    .about = "Fermi with 14 SMs; the peak is that without ECC, which costs 12 to 20 %",
    CAPABILITY_20,
    .sm_count = P(14, QUERY),
    .dram_partitions = W(6, FERMI),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1150000, QUERY),
    .memory_clock_khz = W(1546000, BOARD),
    .memory_bus_bits = W(384, BOARD),
    .memory_mebibytes = W(3072, BOARD),
    .peak_megabytes_per_s = W(148000, BOARD),
    .l1_bytes = W(KIB(48), "CUDA C Programming Guide 5.5, G.4.1"),
    .l2_bytes = W(KIB(768), FERMI),
    TIME_20,
    L2_TIME(U(365, "GF100 is reported at 350 to 365"), U(12, "two a partition"), WAYS_16,
            U(210000, "384 bytes an L2 clock of 575 MHz, less conflicts")),
    .dram_latency_cycles = U(600, "estimate in shader cycles"),
    .dram_efficiency_percent = F(78, "copies on the M2050: " HARRIS "; on the C2070: " GPU_STREAM),
    GDDR5,
    ECC_WRITES_AT_ONCE,
    PCIE_2,
};
