/* a100.c - A100 with 40 GB (SXM4): GA100 (Ampere), compute capability 8.0. */
#include "models/model_fields.h"

#define AMPERE "NVIDIA A100 white paper, 2020"

const struct gpu_model model_a100 = {
    .name = "a100",
    .title = "A100 40 GB",
    .about = "Ampere; the L2 is two halves, and data of the far half costs more than modelled",
    .is_default = true,
    CAPABILITY_80,
    .sm_count = W(108, AMPERE),
    .dram_partitions = U(40, "5120-bit bus in HBM2 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1410000, AMPERE),
    .memory_clock_khz = W(1215000, AMPERE),
    .memory_bus_bits = W(5120, AMPERE),
    .memory_mebibytes = W(40960, AMPERE),
    .peak_megabytes_per_s = W(1555000, AMPERE),
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
    .dram_latency_cycles = P(534, RRZE ", 516 to 552"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    HBM2,
    ECC_WRITES(U(64, "as the H200")),
    PCIE_4,
};
