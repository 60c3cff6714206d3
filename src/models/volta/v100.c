/* v100.c - Tesla V100 (SXM2): GV100 (Volta), compute capability 7.0. */
#include "models/model_fields.h"

#define VOLTA "NVIDIA Tesla V100 white paper, 2017"
#define JIA "Jia et al. 2018, table 3.1"
#define PRACTICES "CUDA C++ Best Practices Guide 11.5"

const struct gpu_model model_v100 = {
    .name = "v100",
    .title = "Tesla V100",
    .about = "Volta, the SXM2 board at its boost clock; the PCIe board runs at 1380 MHz",
    .is_default = true,
    CAPABILITY_70,
    .sm_count = W(80, VOLTA),
    .dram_partitions = U(32, "4096-bit bus in HBM2 channels of 128 bits"),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1530000, VOLTA),
    .memory_clock_khz = W(877000, PRACTICES),
    .memory_bus_bits = W(4096, PRACTICES),
    .memory_mebibytes = W(16384, "NVIDIA Tesla V100 data sheet: 16 or 32 GB"),
    .peak_megabytes_per_s = W(898000, PRACTICES),
    .l1_bytes = P(KIB(128), JIA),
    .l2_bytes = P(KIB(6144), JIA),
    TIME_70,
    L2_TIME(P(193, JIA), U(64, "two a partition"), P(16, JIA), P(2155000, JIA)),
    .dram_latency_cycles = P(375, "Jia et al. 2018: L2 miss, TLB hit"),
    .dram_efficiency_percent = P(89, "Jia et al. 2018: 750 GiB/s of 900 GB/s"),
    HBM2,
    ECC_WRITES(ONE_BURST),
    PCIE_3,
};
