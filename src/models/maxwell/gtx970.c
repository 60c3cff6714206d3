/* gtx970.c - GeForce GTX 970: GM204 (Maxwell), compute capability 5.2.
 *
 * The vendor's first specification had 64 ROPs, 2 MB of L2 and 256 bits at 224 GB/s; what it stated in January 2015, and
 * what counts here, is 56, 1.75 MB and a memory of two parts: 3.5 GB behind seven L2 slices and 32-bit controllers, which
 * is 224 bits at 196 GB/s, and 0.5 GB behind the eighth controller alone. Data go to the first part as long as they fit.
 * The model has that part's bus and speed for all of the memory: what lies in the last 0.5 GB would be seven times as
 * slow.
 */
#include "models/model_fields.h"

#define SPECIFICATION "NVIDIA GeForce GTX 970 specifications"
#define CORRECTED "NVIDIA's correction of January 2015, as AnandTech reports it"
#define QUERY "published device query of a GeForce GTX 970"

const struct gpu_model model_gtx970 = {
    .name = "gtx970",
    .title = "GeForce GTX 970",
    .about = "Maxwell at its boost clock, as its first 3.5 GB are: 224 of the 256 bits; the last "
             "0.5 GB would be slower",
    CAPABILITY_52,
    .sm_count = W(13, SPECIFICATION),
    .dram_partitions = P(7, CORRECTED),
    PARTITIONS_HASHED,
    .sm_clock_khz = W(1178000, SPECIFICATION),
    .memory_clock_khz = P(3505000, QUERY),
    .memory_bus_bits = P(224, CORRECTED),
    .memory_mebibytes = W(4096, SPECIFICATION),
    .peak_megabytes_per_s = P(196000, CORRECTED),
    .l1_bytes = P(KIB(24), "Jia et al. 2018, table 3.1: M60, the same compute capability"),
    .l2_bytes = P(KIB(1792), QUERY),
    TIME_5X,
    L2_TIME(P(207, JIA_M60), U(14, "two a partition"), WAYS_16,
            U(362000, "the M60's by SMs and clock")),
    .dram_latency_cycles = U(350, "estimate"),
    .dram_efficiency_percent = U(90, ESTIMATE),
    GDDR5,
    MASKED_WRITES(ONE_BURST),
    PCIE_3,
};
