/* b200.c - B200: two GB100 dies (Blackwell), compute capability 10.0.
 *
 * Known are its sizes, of which the vendor publishes few. The rules, and all times, are the H200's and unconfirmed; what an
 * access to the other die costs is not known, so that the two dies are the two sides of the H200's L2.
 */
#include "models/hopper/hopper.h"

#define DATA_SHEET "NVIDIA DGX B200 data sheet: eight GPUs have 1440 GB and 64 TB/s"
#define PROPERTIES "published device properties of a B200"

const struct gpu_model model_b200 = {
    .name = "b200",
    .title = "B200",
    .about = "Blackwell for servers: published sizes, and rules and times as on the H200, all of "
             "them unconfirmed",
    .is_default = true,
    CAPABILITY_100,
    .sm_count = P(148, PROPERTIES),
    .dram_partitions = U(64, "8192-bit bus in HBM3e channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = P(1965000, PROPERTIES),
    .memory_clock_khz = U(3906000, "from the bandwidth"),
    .memory_bus_bits = U(8192, "eight stacks of 1024 bits: public GPU databases"),
    .memory_mebibytes = W(184320, DATA_SHEET),
    .peak_megabytes_per_s = W(8000000, DATA_SHEET),
    .l1_bytes = U(KIB(248), "as the H200"),
    .l2_bytes = P(132644864, PROPERTIES),
    TIME_100,
    LAUNCH_AS_H200,
    .gpcs = U(8, "as the H200: not known"),
    .l2_lookups_per_us = U(175600, "the H200's by slices and clock"),
    L2_SIDES_AS_H200,
    .l2_group_bytes = NOT_MEASURED(0),
    .l2_slices = U(128, "two a partition, as the H200"),
    L2_OF_ALL_SLICES,
    .l2_megabytes_per_s = U(10130000, "the H200's by slices and clock"),
    .dram_latency_cycles = FROM_H200(634, CHASE ", nothing in L2"),
    DRAM_READ_SHARE_AS_H200,
    HBM3(FROM_H200),
    HOPPER_DRAM_ACCESS(FROM_H200),
    PCIE_5_AS_H200,
};
