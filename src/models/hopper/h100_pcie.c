/* h100_pcie.c - H100 (PCIe): GH100 (Hopper) with HBM2e, compute capability 9.0.
 *
 * Made from the vendor's figures and from the H200, which has the same architecture, and from nothing that was measured
 * on an H100. The clock is the one at which its SMs make the FP32 rate of the data sheet, the highest.
 */
#include "models/hopper/hopper.h"

#define WHITE_PAPER "NVIDIA H100 white paper, 2022"

const struct gpu_model model_h100_pcie = {
    .name = "h100-pcie",
    .title = "H100 PCIe 80 GB",
    .about =
        "Hopper with HBM2e on a card, from published figures and the H200's architecture alone",
    CAPABILITY_90,
    .sm_count = W(114, WHITE_PAPER),
    .dram_partitions = U(40, "5120-bit bus in HBM2e channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1755000, "NVIDIA H100 data sheet: 51 TFLOP/s of FP32 by 114 SMs"),
    .memory_clock_khz = U(1593000, "from the bandwidth"),
    .memory_bus_bits = W(5120, WHITE_PAPER),
    .memory_mebibytes = W(81920, WHITE_PAPER),
    .peak_megabytes_per_s = W(2039000, WHITE_PAPER),
    .l1_bytes = U(KIB(248), "as the H200"),
    .l2_bytes = W(KIB(51200), WHITE_PAPER),
    TIME_90,
    LAUNCH_AS_H200,
    .gpcs = U(8, "GH100 white paper: 7 or 8"),
    .l2_lookups_per_us = U(98000, "the H200's by slices and clock"),
    L2_SIDES_AS_H200,
    L2_GROUPS_AS_H200,
    .l2_slices = U(80, "two a partition, as the H200"),
    L2_OF_ALL_SLICES,
    .l2_megabytes_per_s = U(5650000, "the H200's by slices and clock"),
    .dram_latency_cycles = U(590, "the H200's: up to the L2 in cycles, from there on in time"),
    DRAM_READ_SHARE_AS_H200,
    HBM2,
    HOPPER_DRAM_ACCESS(FROM_H200),
    PCIE_5_AS_H200,
};
