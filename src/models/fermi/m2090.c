/* m2090.c - Tesla M2090: GF110 (Fermi), compute capability 2.0. */
#include "models/model_fields.h"

#define PRACTICES "CUDA C Best Practices Guide 5.5"
#define FERMI "NVIDIA Fermi white paper, 2009"

const struct gpu_model model_m2090 = {
    .name = "m2090",
    .title = "Tesla M2090",
    .about =
        "the Fermi of the Best Practices Guide; the peak is without ECC, which costs 12 to 20 %",
    .is_default = true,
    CAPABILITY_20,
    .sm_count = W(16, "NVIDIA Tesla M2090 board specification: 512 processors"),
    .dram_partitions = W(6, FERMI),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1300000, "NVIDIA Tesla M2090 board specification"),
    .memory_clock_khz = W(1848000, PRACTICES),
    .memory_bus_bits = W(384, PRACTICES),
    .memory_mebibytes = W(6144, "NVIDIA Tesla M2090 board specification"),
    .peak_megabytes_per_s = W(177600, PRACTICES),
    .l1_bytes = W(KIB(48), "CUDA C Programming Guide 5.5, G.4.1"),
    .l2_bytes = W(KIB(768), FERMI),
    TIME_20,
    L2_TIME(U(365, "GF100 is reported at 350 to 365"), U(12, "two a partition"), WAYS_16,
            U(237000, "384 bytes an L2 clock of 650 MHz, less conflicts")),
    .dram_latency_cycles = U(600, "estimate in shader cycles"),
    .dram_efficiency_percent = U(78, "as fits the M2050; ECC costs 12 to 20 %: " PRACTICES),
    GDDR5,
    ECC_WRITES_AT_ONCE,
    PCIE_2,
};
