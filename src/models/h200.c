/* h200.c - H200 (SXM5): GH100 (Hopper) with HBM3e, compute capability 9.0.
 *
 * The reference part of this project: values marked [M] were read from or measured on one. The L1
 * shares a 256 KB array with shared memory. With no shared memory in use, walks of 208 KB hit in
 * full on the second visit and walks of 224 KB no longer do, so l1_bytes is 208 KB.
 */
#include "models/model_fields.h"

#define QUERY "device query on an H200"
#define INSTRUCTIONS "smsp__inst_executed of the gallery on an H200 over the count here, median"
#define LAUNCHES "262144 ... 16384 blocks of 1 ... 16 warps on an H200"

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
    .l1_bytes = F(KIB(220), "repeated walks on an H200: 216 KB hit in full, 256 KB by a quarter"),
    .l2_bytes = M(62914560, QUERY),
    TIME_90,
    .atomic_millicycles = F(1500, "atomics of all warps on one word of an H200: 1.29 G a second"),
    LAUNCH_TIME(F(1600, "gpu__time_duration of launches below 4 us on an H200")),
    BLOCK_LAUNCH(F(1190, LAUNCHES), F(29, LAUNCHES),
                 F(150, "transposes by 65536 small blocks on an H200"),
                 F(6, "stores that warps of a block share on an H200")),
    UNROLLED(F(58, INSTRUCTIONS), F(37, INSTRUCTIONS)),
    CONSTANT_PASS(F(2400, "uniform and divergent constant loads on an H200: 2.0 to 2.6 cycles")),
    SECTOR_LATENCY(F(28, "loads of whole lines on an H200: 764 cycles, of single sectors 688")),
    STORE_MERGE(F(16, "L2 sectors of three stores a struct on an H200: a third")),
    GPC_MERGE(U(8, "GH100 white paper"),
              M(4, "SMs that read one array on an H200: 132 ask for a sector 34 times"),
              F(40, "sectors that matrix products ask of the L2 of an H200")),
    L2_LIMITS(F(130000, "random sectors of 1 MB on an H200: 94 G loads and 60 G stores a second"),
              F(37, "a million stores to 512 lines on an H200: 38 us"),
              F(5, "19 to 20 MB of written sectors stay in the L2 of an H200"),
              F(2, "lines with sectors written in part that stay in the L2 of an H200: 70,000")),
    .l2_latency_cycles = F(246, CHASE ": 277 is the mean of both sides"),
    .l2_far_cycles = F(62, CHASE ": 277 is the mean of both sides"),
    .l2_sides = M(2, "half of all L1 misses are counted in two L2 slices on an H200"),
    .l2_slices = U(94, "two a partition"),
    .l2_ways = WAYS_16,
    .l2_megabytes_per_s =
        F(7500000, "5.0 TB/s of repeated reads of 32 MB on an H200, half of them looked up twice"),
    .dram_latency_cycles = F(634, CHASE ", nothing in L2: 657 at 2 to 512 MB"),
    .dram_efficiency_percent = F(94, "4.5 TB/s read at most on an H200"),
    HBM3,
    .dram_access_bytes = M(64, "one word a line reads two sectors of DRAM on an H200"),
    .partial_write_reads =
        M(3, "strided stores of 4 bytes read a sector each on an H200, no pairs"),
    .pcie_megabytes_per_s = M(51000, "zero-copy reads on an H200, PCIe 5.0 x16"),
    .pcie_latency_ns = M(1226, "dependent zero-copy loads on an H200"),
    MANAGED,
};
