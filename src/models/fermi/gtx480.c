/* gtx480.c - GeForce GTX 480: GF100 (Fermi), compute capability 2.0. */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce GTX 480 specifications"
#define FERMI "NVIDIA Fermi white paper, 2009"

const struct gpu_model model_gtx480 = {
    .name = "gtx480",
    .title = "GeForce GTX 480",
    .about = "the consumer Fermi with 15 of its 16 SMs; the clock is the shaders', twice the 700 "
             "MHz of the rest, and there is no ECC",
    CAPABILITY_20,
    .sm_count = W(15, SPECIFICATION),
    .dram_partitions = W(6, FERMI),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1401000, SPECIFICATION),
    .memory_clock_khz = W(1848000, SPECIFICATION),
    .memory_bus_bits = W(384, SPECIFICATION),
    .memory_mebibytes = W(1536, SPECIFICATION),
    .peak_megabytes_per_s = W(177400, SPECIFICATION),
    .l1_bytes = W(KIB(48), "CUDA C Programming Guide 5.5, G.4.1"),
    .l2_bytes = W(KIB(768), FERMI),
    TIME_20,
    L2_TIME(U(365, "GF100 is reported at 350 to 365"), U(12, "two a partition"), WAYS_16,
            U(255000, "384 bytes an L2 clock of 700 MHz, less conflicts")),
    .dram_latency_cycles = U(600, "estimate in shader cycles"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    PCIE_2,
};
