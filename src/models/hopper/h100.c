/* h100.c - H100 (SXM5): GH100 (Hopper) with HBM3, compute capability 9.0.
 *
 * Made from the vendor's figures and from the H200, which has the same architecture. What a launch itself takes was
 * fitted to an H100, after all had been compared with one: validation/H100.md. The clock is the one at which its SMs
 * make the FP32 rate of the data sheet, the highest.
 */
#include "models/hopper/hopper.h"

#define WHITE_PAPER "NVIDIA H100 white paper, 2022"

const struct gpu_model model_h100 = {
    .name = "h100",
    .title = "H100 SXM 80 GB",
    .about =
        "Hopper with HBM3, from published figures, the H200's architecture and a launch's time",
    CAPABILITY_90,
    .sm_count = W(132, WHITE_PAPER),
    .dram_partitions = U(40, "5120-bit bus in HBM3 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1980000, "NVIDIA H100 data sheet: 67 TFLOP/s of FP32 by 132 SMs"),
    .memory_clock_khz = U(2619000, "from the bandwidth"),
    .memory_bus_bits = W(5120, WHITE_PAPER),
    .memory_mebibytes = W(81920, WHITE_PAPER),
    .peak_megabytes_per_s = W(3350000, "NVIDIA H100 data sheet"),
    .l1_bytes = U(KIB(248), "as the H200"),
    .l2_bytes = W(KIB(51200), WHITE_PAPER),
    TIME_90,
    LAUNCH_TIME(F(2200, SHORT_LAUNCHES "H100, small gallery")),
    .gpcs = U(8, "GH100 white paper"),
    .l2_lookups_per_us = U(110600, "the H200's by slices"),
    L2_SIDES_AS_H200,
    L2_GROUPS_AS_H200,
    .l2_slices = U(80, "two a partition, as the H200"),
    L2_OF_ALL_SLICES,
    .l2_megabytes_per_s = U(6380000, "the H200's by slices"),
    .dram_latency_cycles = FROM_H200(634, CHASE ", nothing in L2"),
    DRAM_READ_SHARE_AS_H200,
    HBM3(FROM_H200),
    HOPPER_DRAM_ACCESS(FROM_H200),
    PCIE_5_AS_H200,
};
