/* a30.c - A30: GA100 (Ampere), compute capability 8.0. */
#include "models/model_fields.h"

#define DATA_SHEET "NVIDIA A30 data sheet"

const struct gpu_model model_a30 = {
    .name = "a30",
    .title = "A30",
    .about = "half of a GA100 at its boost clock; the sizes and sides of its L2 are unconfirmed",
    CAPABILITY_80,
    .sm_count = U(56, "3584 cores: public GPU databases"),
    .dram_partitions = U(24, "3072-bit bus in HBM2 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = U(1440000, "public GPU databases"),
    .memory_clock_khz = U(1215000, "from the bandwidth"),
    .memory_bus_bits = U(3072, "public GPU databases"),
    .memory_mebibytes = W(24576, DATA_SHEET),
    .peak_megabytes_per_s = W(933000, DATA_SHEET),
    .l1_bytes = W(KIB(192), GUIDE_8X),
    .l2_bytes = U(KIB(24576), "public GPU databases; three fifths of the A100's 40 MB"),
    TIME_80,
    .l2_latency_cycles = U(206, "as the A100"),
    .l2_far_cycles = U(207, "as the A100"),
    .l2_sides = U(2, "as the A100"),
    .l2_group_bytes = NOT_MEASURED(0),
    .l2_slices = U(48, "two a partition"),
    .l2_ways = WAYS_16,
    .l2_megabytes_per_s = U(4420000, "64 bytes a slice and clock, as the A100"),
    .dram_latency_cycles = U(534, "as the A100"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    HBM2,
    ECC_WRITES(U(64, "as the H200")),
    PCIE_4,
};
