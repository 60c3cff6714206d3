/* gh200.c - GH200: GH100 (Hopper) with 96 GB of HBM3 beside a Grace CPU, compute capability 9.0. */
#include "models/hopper/hopper.h"

#define DATA_SHEET "NVIDIA GH200 Grace Hopper superchip data sheet"
#define QUERY "published device query of a GH200"

const struct gpu_model model_gh200 = {
    .name = "gh200",
    .title = "GH200",
    .about = "the Hopper of a Grace Hopper superchip with 96 GB of HBM3; the one with 144 GB of "
             "HBM3e has 4.9 TB/s",
    CAPABILITY_90,
    .sm_count = P(132, QUERY),
    .dram_partitions = U(48, "6144-bit bus in HBM3 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1980000, QUERY),
    .memory_clock_khz = P(2619000, QUERY),
    .memory_bus_bits = P(6144, QUERY),
    .memory_mebibytes = W(98304, DATA_SHEET),
    .peak_megabytes_per_s = W(4000000, DATA_SHEET),
    .l1_bytes = U(KIB(248), "as the H200"),
    .l2_bytes = P(62914560, QUERY),
    TIME_90,
    LAUNCH_AS_H200,
    .gpcs = U(8, "GH100 white paper"),
    .l2_lookups_per_us = U(132700, "the H200's by slices"),
    L2_SIDES_AS_H200,
    L2_GROUPS_AS_H200,
    .l2_slices = U(96, "two a partition, as the H200"),
    L2_OF_ALL_SLICES,
    .l2_megabytes_per_s = U(7650000, "the H200's by slices"),
    .dram_latency_cycles = FROM_H200(634, CHASE ", nothing in L2"),
    DRAM_READ_SHARE_AS_H200,
    HBM3(FROM_H200),
    HOPPER_DRAM_ACCESS(FROM_H200),
    .pcie_megabytes_per_s = W(450000, "NVLink-C2C: 900 GB/s, half of it each way"),
    .pcie_latency_ns = U(1226, "the H200's over PCIe; that of NVLink-C2C is not known"),
    MANAGED,
};
