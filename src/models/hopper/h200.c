/* h200.c - H200 (SXM5): GH100 (Hopper) with HBM3e, compute capability 9.0.
 *
 * The reference part of this project: values marked [M] were read from or measured on one. The L1
 * shares a 256 KB array with shared memory, of which the driver carves out 8 KB at least.
 */
#include "models/hopper/hopper.h"

#define QUERY "device query on an H200"

const struct gpu_model model_h200 = {
    .name = "h200",
    .title = "H200",
    .about = "Hopper; of the 60 MB L2 about 30 to 40 MB hold data that every SM reads",
    .is_default = true,
    CAPABILITY_90,
    .sm_count = M(132, QUERY),
    .dram_partitions = U(47, "6016-bit bus in channels of 128 bits"),
    .partition_bytes = U(256, "as on earlier GPUs"),
    .partition_hashed = M(1, "no partition camping measured on an H200"),
    .sm_clock_khz = M(1980000, QUERY),
    .memory_clock_khz = M(3201000, QUERY),
    .memory_bus_bits = M(6016, QUERY),
    .memory_mebibytes = W(144384, "NVIDIA H200 data sheet: 141 GB"),
    .peak_megabytes_per_s = W(4800000, "NVIDIA H200 data sheet"),
    .l1_bytes = M(KIB(248), "walks of lines on an H200: 8 KB at least are carved out"),
    .l2_bytes = M(62914560, QUERY),
    TIME_HOPPER(GUIDE_9X, M, F),
    BEYOND_HOPPER_SMS(M, F),
    LAUNCH_TIME(F(1600, SHORT_LAUNCHES "H200")),
    .gpcs = U(8, "GH100 white paper"),
    .l2_lookups_per_us =
        F(130000, "random sectors of 1 MB on an H200: 94 G loads and 60 G stores a second"),
    .l2_latency_cycles = F(246, CHASE ": 277 is the mean of both sides"),
    .l2_far_cycles = F(62, CHASE ": 277 is the mean of both sides"),
    .l2_sides = M(2, "half of all L1 misses are counted in two L2 slices on an H200"),
    .l2_group_bytes = M(1024, L2_GROUPS),
    .l2_slices = U(94, "two a partition"),
    .l2_usable_permille = F(979, "32 to 48 MB read four times: of 96 slices of 640 KB 94"),
    .l2_megabytes_per_s =
        F(7500000, "5.0 TB/s of repeated reads of 32 MB on an H200, half of them looked up twice"),
    .dram_latency_cycles = F(634, CHASE ", nothing in L2: 657 at 2 to 512 MB"),
    .dram_efficiency_percent = F(94, "4.5 TB/s read at most on an H200"),
    HBM3(M),
    HOPPER_DRAM_ACCESS(M),
    .pcie_megabytes_per_s = M(51000, "zero-copy reads on an H200, PCIe 5.0 x16"),
    .pcie_latency_ns = M(1226, "dependent zero-copy loads on an H200"),
    MANAGED,
};
