/* a100_80gb.c - A100 with 80 GB (SXM4): GA100 (Ampere), compute capability 8.0. */
#include "models/model_fields.h"

#define AMPERE "NVIDIA A100 white paper, 2020"
#define SHEET_80 "NVIDIA A100 80 GB data sheet, 2021"

const struct gpu_model model_a100_80gb = {
    .name = "a100-80gb",
    .title = "A100 SXM4 80 GB",
    .about = "Ampere with HBM2e; the board for PCIe has 1935 GB/s; the L2 is two halves",
    CAPABILITY_80,
    .sm_count = W(108, AMPERE),
    .dram_partitions = U(40, "5120-bit bus in HBM2e channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1410000, AMPERE),
    .memory_clock_khz = U(1593000, "from the bandwidth"),
    .memory_bus_bits = W(5120, AMPERE),
    .memory_mebibytes = W(81920, SHEET_80),
    .peak_megabytes_per_s = W(2039000, SHEET_80),
    .l1_bytes = W(KIB(192), AMPERE),
    .l2_bytes = W(KIB(40960), AMPERE),
    TIME_80,
    .l2_latency_cycles = P(206, RRZE),
    .l2_far_cycles = P(207, RRZE),
    .l2_sides = W(2, AMPERE),
    .l2_group_bytes = NOT_MEASURED(0),
    .l2_slices = W(80, AMPERE),
    .l2_ways = WAYS_16,
    .l2_megabytes_per_s = W(7200000, "5120 bytes a clock: NVIDIA A100 white paper, 2020"),
    .dram_latency_cycles = U(534, "as the A100 with 40 GB"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    HBM2,
    ECC_WRITES(U(64, "as the H200")),
    PCIE_4,
};
