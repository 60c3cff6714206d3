/* model_times.h - the parameters of time that follow from the generation or the kind of memory.
 *
 * A model file names one TIME_xx (the SM: instructions, shared memory, its caches, the crossbar), one
 * L2_xx, one kind of memory (GDDR3 ... GDDR7), and gives what belongs to the chip: latencies and
 * bandwidths behind the SM, and the bus to the host. The arguments stand in the order of the fields in
 * arch_fields.def. Everything in cycles is in cycles of sm_clock_khz, which up to Fermi is the shader
 * clock, twice the clock of the rest of the chip. What was measured on an H200 alone, Hopper's times and HBM3, is in
 * models/hopper/hopper.h.
 */
#ifndef WARPLENS_MODELS_MODEL_TIMES_H
#define WARPLENS_MODELS_MODEL_TIMES_H

#define JIA_2018 "Jia et al. 2018, table 3.1"
#define JIA_K80 JIA_2018 ": K80"
#define JIA_M60 JIA_2018 ": M60"
#define JIA_P100 JIA_2018 ": P100"
#define JIA_P4 JIA_2018 ": P4"
#define JIA_V100 JIA_2018 ": V100"
#define JIA_T4 "about what Jia et al. 2019 give for the T4"
#define WONG "Wong et al. 2010, Demystifying GPU Microarchitecture: GT200"
#define RRZE "RRZE gpu-benches: A100"
#define LUO_4090 "Luo et al. 2024: RTX 4090, less 8 cycles of address arithmetic"
#define CHASE "pointer chase on an H200, less 8 cycles of index arithmetic"
#define ESTIMATE "estimate, held against no measurement"

/* ---- the SM ---------------------------------------------------------------------------------- */

/* What was measured on an H200 and nowhere else. */
#define NOT_MEASURED(value) GU(value, "not measured")
/* Every GPU takes about as long; 0 would make the others' short launches faster than an H200's. */
#define AS_ON_H200(value) GU(value, "as on an H200, the only one measured")
#define LAUNCH_TIME(ns) .launch_ns = ns
#define BLOCK_LAUNCH(block, warp, first, start)                                                    \
    .block_launch_millicycles = block, .warp_launch_millicycles = warp,                            \
    .block_start_cycles = first, .warp_start_cycles = start
#define CONSTANT_PASS(time) .constant_pass_millicycles = time
#define STORE_MERGE(cycles) .store_merge_cycles = cycles
#define SECTOR_LATENCY(cycles) .l2_sector_cycles = cycles
#define GPC_MERGE(gpc_count, first, loads, way)                                                    \
    .gpcs = gpc_count, .gpc_first_sms = first, .gpc_merge_loads = loads, .gpc_way_cycles = way
#define L2_LIMITS(lookups, turn, dirty, partial)                                                   \
    .l2_lookups_per_us = lookups, .l2_store_turn_cycles = turn, .l2_dirty_permille = dirty,        \
    .l2_partial_permille = partial
#define L2_STORES(whole, partial) .l2_store_millicycles = whole, .l2_partial_millicycles = partial
#define SEEN_ON_NO_OTHER                                                                           \
    BLOCK_LAUNCH(NOT_MEASURED(0), NOT_MEASURED(0), NOT_MEASURED(0), NOT_MEASURED(0)),              \
        L2_LIMITS(NOT_MEASURED(0), NOT_MEASURED(0), NOT_MEASURED(0), NOT_MEASURED(0)),             \
        SEEN_ON_H200_ALONE
/* The blocks of Fermi and Kepler start late, and their L2 writes back as early as the H200's. */
#define FERMI_KEPLER(block_start)                                                                  \
    .block_launch_millicycles = NOT_MEASURED(0), .warp_launch_millicycles = NOT_MEASURED(0),       \
    .block_start_cycles = block_start, .warp_start_cycles = NOT_MEASURED(0),                       \
    L2_LIMITS(NOT_MEASURED(0), NOT_MEASURED(0), GU(312, "a third: copies in print"),               \
              NOT_MEASURED(0)),                                                                    \
    SEEN_ON_H200_ALONE
#define SEEN_ON_H200_ALONE                                                                         \
    LAUNCH_TIME(AS_ON_H200(1600)), STORE_MERGE(NOT_MEASURED(0)),                                   \
        .l1_lines_kept_back = NOT_MEASURED(0), .l2_usable_permille = NOT_MEASURED(1000),           \
        .l2_clean_ways = NOT_MEASURED(0),                                                          \
        GPC_MERGE(NOT_MEASURED(0), NOT_MEASURED(0), NOT_MEASURED(0), NOT_MEASURED(0)),             \
        CONSTANT_PASS(NOT_MEASURED(0)), SECTOR_LATENCY(NOT_MEASURED(0)),                           \
        L2_STORES(NOT_MEASURED(0), NOT_MEASURED(0)), .atomic_float_millicycles = NOT_MEASURED(0)

#define INSTRUCTION_TIME(issue, guide, percent, average, barrier)                                  \
    .issue_millicycles = GW(issue, guide), .instruction_percent = percent,                         \
    .instruction_millicycles = GU(average, ESTIMATE), .lag_millicycles = IN_THE_AVERAGE,           \
    .barrier_cycles = GU(barrier, ESTIMATE)
#define IN_THE_AVERAGE NOT_MEASURED(0)
#define AS_COUNTED GU(100, "as counted")

#define SHARED_TIME(latency, pass, conflict)                                                       \
    .shared_latency_cycles = latency, .shared_pass_millicycles = pass,                             \
    .shared_conflict_millicycles = conflict
#define ONE_PASS_A_CYCLE GW(1000, "32 banks a cycle")
#define AS_A_PASS(millicycles) GU(millicycles, "as shared_pass_millicycles")

#define REQUEST_LIMITS(lsu, requests, loads)                                                       \
    .lsu_millicycles = GU(lsu, ESTIMATE), .requests_in_flight = GU(requests, ESTIMATE),            \
    .loads_in_flight = loads

#define L1_TIME(latency, ways, hashed, sector, data)                                               \
    .l1_latency_cycles = latency, .l1_ways = ways, .l1_hashed = hashed, .l1_sector_bytes = sector, \
    .l1_bytes_per_cycle = data

#define OTHER_CACHES(read_only, read_only_latency, constant, constant_latency)                     \
    .read_only_bytes = read_only, .read_only_latency_cycles = read_only_latency,                   \
    .constant_bytes = constant, .constant_latency_cycles = constant_latency

#define CROSSBAR(reads, writes)                                                                    \
    .sm_read_bytes_per_cycle = GU(reads, "estimate: bytes a cycle of one port"),                   \
    .sm_write_bytes_per_cycle = GU(writes, "estimate: bytes a cycle of one port")

#define CONSTANT_8K GW(KIB(8), "CUDA C Programming Guide 5.5, table 12")
#define CONSTANT_2K GP(KIB(2), "Jia et al. 2018, table 3.1: innermost constant cache")
#define CONSTANT_TABLES                                                                            \
    "loops over tables of 8 and 32 KB on an H200: 32 cycles a load, no misses seen"
#define CONSTANT_LATER GU(KIB(2), "as compute capability 7.0")
#define READ_ONLY_IS_L1 GW(0, "CUDA C++ Programming Guide 11.7, appendix K: unified with L1")

/* Before Fermi a pass serves a half-warp: 64 bytes from 16 banks that deliver every second shader
 * cycle. The values of an L1 serve the texture cache, which fetches 32 bytes. */
#define TIME_1X                                                                                    \
    SEEN_ON_NO_OTHER,                                                                              \
        INSTRUCTION_TIME(                                                                          \
            4000, "CUDA C Programming Guide 3.2, G.3.1: 4 cycles a warp",                          \
            GF(117, "the transposes on the GTX 280 that wait for no partition: " TRANSPOSE),       \
            12000, 30),                                                                            \
        REQUEST_LIMITS(4000, 64, GU(6, ESTIMATE)),                                                 \
        L1_TIME(GW(0, "no L1"), GW(4, "no L1"), GW(0, "no L1"), GW(32, "no L1"), GW(64, "no L1")), \
        .l1_shared_bytes = GW(0, "no L1"), CROSSBAR(16, 16),                                       \
        .atomic_millicycles = GU(300000, "estimate: a read and a write of DRAM each")
#define PASS_1X GW(2000, "CUDA C Programming Guide 3.2, G.3.3: 16 banks, 32 bits in two cycles")

#define TIME_10                                                                                    \
    TIME_1X, SHARED_TIME(GU(36, "a little below GT200"), PASS_1X, AS_A_PASS(2000)),                \
        OTHER_CACHES(GW(KIB(8), "CUDA C Programming Guide 3.2, table G-1: 6 to 8 KB"),             \
                     GU(261, "as GT200"), CONSTANT_8K, GU(56, "as GT200"))
#define TIME_13                                                                                    \
    TIME_1X, SHARED_TIME(GP(38, WONG), PASS_1X, AS_A_PASS(2000)),                                  \
        OTHER_CACHES(GP(KIB(5), WONG), GU(261, WONG), CONSTANT_8K, GU(56, WONG))

/* The 32 banks of Fermi and its crossbar run at half the shader clock; so do the 16 units for addresses, through which an
 * access goes once for each of its lines. */
#define TIME_20                                                                                    \
    FERMI_KEPLER(GU(800, "as Kepler, whose cycles are twice as long")),                            \
        INSTRUCTION_TIME(1000, "CUDA C Programming Guide 5.5, G.4.1: 2 schedulers, 16 lanes each", \
                         AS_COUNTED, 10000, 20),                                                   \
        SHARED_TIME(GU(26, "as Kepler"), GW(2000, "CUDA C Programming Guide 5.5, G.4.3"),          \
                    AS_A_PASS(2000)),                                                              \
        .lsu_millicycles = GW(2000, "NVIDIA Fermi white paper, 2009: 16 load/store units"),        \
        .requests_in_flight =                                                                      \
            GF(64, "misaligned reads on the M2050, with L1 and without: " CHENG),                  \
        .loads_in_flight = GU(8, ESTIMATE),                                                        \
        L1_TIME(GP(35, GPGPU_SIM), GP(4, GPGPU_SIM), GP(1, NUGTEREN),                              \
                GW(128, "CUDA C Programming Guide 5.5, G.4.2"),                                    \
                GU(64, "128 bytes in two cycles")),                                                \
        .l1_shared_bytes = GW(KIB(64), "CUDA C Programming Guide 5.5, G.4.1"),                     \
        OTHER_CACHES(GW(KIB(12), "CUDA C Programming Guide 5.5, table 12"), GU(220, "estimate"),   \
                     CONSTANT_8K, GU(30, "as Kepler")),                                            \
        CROSSBAR(16, 16),                                                                          \
        .atomic_millicycles = GW(9000, "Kepler GK110 white paper: 9 times slower than Kepler")
#define HARRIS "Harris, An Efficient Matrix Transpose in CUDA C/C++, 2013"
#define GPU_STREAM "GPU-STREAM, results of 2015 and 2016"
#define CHENG "Cheng, Grossman and McKercher, Professional CUDA C Programming, 2014"
#define GPGPU_SIM "GPGPU-Sim's model of the GTX 480"
#define NUGTEREN "Nugteren et al. 2014, A Detailed GPU Cache Model: Fermi hashes the set"

#define TIME_3X(array, read_only, atomic)                                                          \
    FERMI_KEPLER(GF(400, "transposes by blocks of 16x16 on the K20X: CUDA's transpose sample")),   \
        INSTRUCTION_TIME(250, "CUDA C Programming Guide 5.5, G.5.1: 4 schedulers", AS_COUNTED,     \
                         6000, 20),                                                                \
        SHARED_TIME(GP(26, JIA_K80), ONE_PASS_A_CYCLE, AS_A_PASS(1000)),                           \
        REQUEST_LIMITS(1000, 128, GU(8, ESTIMATE)),                                                \
        L1_TIME(GP(35, JIA_K80), GU(4, "as Fermi"), GU(1, "as Fermi"), GP(128, JIA_K80),           \
                GU(128, "a line a cycle; Jia et al. 2018 measure 68.6 on a K80")),                 \
        .l1_shared_bytes = GW(array, "CUDA C Programming Guide 5.5, G.5.1"),                       \
        .read_only_bytes = read_only, .read_only_latency_cycles = GU(105, "estimate"),             \
        .constant_bytes = CONSTANT_8K,                                                             \
        .constant_latency_cycles = GU(30, "about what Jia et al. 2018 give for the K80"),          \
        CROSSBAR(32, 32), .atomic_millicycles = atomic
#define TIME_30                                                                                    \
    TIME_3X(KIB(64), GU(KIB(48), "as GK110; CUDA C Programming Guide 5.5, table 12: 12 to 48 KB"), \
            GU(1000, "as GK110"))
#define TIME_35                                                                                    \
    TIME_3X(KIB(64), GW(KIB(48), "Kepler GK110 white paper, 2012"),                                \
            GW(1000, "Kepler GK110 white paper: one a clock at a common address"))

/* From Maxwell to Pascal L1 is the texture cache, apart from shared memory. Jia et al. find four sets,
 * that is 48 ways in 24 KB. */
#define TIME_5X_6X(issue, guide, shared, jia, data)                                                \
    SEEN_ON_NO_OTHER, INSTRUCTION_TIME(issue, guide, AS_COUNTED, 4500, 20),                        \
        SHARED_TIME(GP(shared, jia), ONE_PASS_A_CYCLE, AS_A_PASS(1000)),                           \
        .lsu_millicycles = GU(1000, ESTIMATE), .requests_in_flight = GU(256, ESTIMATE),            \
        .loads_in_flight = GU(8, ESTIMATE),                                                        \
        L1_TIME(GP(82, jia), GP(48, jia ", four sets"), GU(0, "lowest bits"), GP(32, jia),         \
                GP(data, jia)),                                                                    \
        .l1_shared_bytes = GW(0, guide),                                                           \
        OTHER_CACHES(READ_ONLY_IS_L1, GP(82, jia), CONSTANT_2K,                                    \
                     GU(25, "about what Jia et al. 2018 give")),                                   \
        CROSSBAR(32, 32), .atomic_millicycles = GP(1000, "Jia et al. 2018: P100, about 1 a lane")
#define TIME_5X TIME_5X_6X(250, "CUDA C++ Programming Guide 11.7, K.4.1", 23, JIA_M60, 16)
#define TIME_60 TIME_5X_6X(500, "CUDA C++ Programming Guide 11.7, K.5.1", 24, JIA_P100, 32)
#define TIME_61 TIME_5X_6X(250, "CUDA C++ Programming Guide 11.7, K.5.1", 23, JIA_P4, 16)

/* From Volta on L1 and shared memory divide one array. Four schedulers issue an instruction a cycle each; but integers,
 * comparisons and choices have 16 lanes of a scheduler's and take two. `issue`: in the middle of what programs have. */
#define HALF_RATES                                                                                 \
    "applications whose time is the issue of instructions, the fitting half: 0.76 a scheduler "    \
    "and cycle"
#define TIME_LATER(issue, requests)                                                                \
    .issue_millicycles = issue, .instruction_percent = AS_COUNTED,                                 \
    .instruction_millicycles = GU(3000, ESTIMATE),                                                 \
    .lag_millicycles = GU(1000, "what warps wait for on an H100, by opcode"),                      \
    .barrier_cycles = GU(20, ESTIMATE),                                                            \
    REQUEST_LIMITS(1000, requests, GU(16, "as many as nvcc 13 has in front of their uses, sm_90"))
#define TIME_BEFORE_HOPPER TIME_LATER(GU(330, "as the H200"), 384)
#define HASHED GU(1, "so that no stride camps")
#define L1_LATER(latency, sector, hashed)                                                          \
    .l1_latency_cycles = latency, .l1_sector_bytes = sector,                                       \
    .l1_ways = GU(4, "as the H200: walks of 216 to 288 KB"), .l1_hashed = hashed,                  \
    .l1_bytes_per_cycle = GU(128, "a line a cycle; Jia et al. 2018 measure 108.3 on a V100")

#define TIME_70                                                                                    \
    SEEN_ON_NO_OTHER, TIME_BEFORE_HOPPER,                                                          \
        SHARED_TIME(GP(19, JIA_V100), ONE_PASS_A_CYCLE, AS_A_PASS(1000)),                          \
        L1_LATER(GP(28, JIA_V100), GP(32, JIA_V100), HASHED),                                      \
        .l1_shared_bytes = GW(KIB(128), GUIDE_7X),                                                 \
        OTHER_CACHES(READ_ONLY_IS_L1, GP(28, JIA_V100), CONSTANT_2K,                               \
                     GU(27, "about what Jia et al. 2018 give for the V100")),                      \
        CROSSBAR(64, 32), .atomic_millicycles = GP(1000, "Jia et al. 2018: V100, about 1 a lane")
#define TIME_75                                                                                    \
    SEEN_ON_NO_OTHER, TIME_BEFORE_HOPPER,                                                          \
        SHARED_TIME(GU(19, JIA_T4), ONE_PASS_A_CYCLE, AS_A_PASS(1000)),                            \
        L1_LATER(GU(32, JIA_T4), GU(32, JIA_T4), HASHED),                                          \
        .l1_shared_bytes = GW(KIB(96), GUIDE_7X),                                                  \
        OTHER_CACHES(READ_ONLY_IS_L1, GU(32, JIA_T4), CONSTANT_LATER, GU(27, "as the V100")),      \
        CROSSBAR(64, 32), .atomic_millicycles = GU(1000, "as the V100")
#define TIME_80                                                                                    \
    SEEN_ON_NO_OTHER, TIME_BEFORE_HOPPER,                                                          \
        SHARED_TIME(GU(21, "as the H200"), ONE_PASS_A_CYCLE, AS_A_PASS(1000)),                     \
        L1_LATER(GP(33, RRZE), GU(32, "as the H200"), HASHED),                                     \
        .l1_shared_bytes = GW(KIB(192), GUIDE_8X),                                                 \
        OTHER_CACHES(READ_ONLY_IS_L1, GP(33, RRZE), CONSTANT_LATER, GU(30, "estimate")),           \
        CROSSBAR(64, 64), .atomic_millicycles = GU(1000, "as the V100")
/* What was published for the RTX 4090 is unconfirmed on its neighbours. */
#define TIME_AS_4090(guide, PUBLISHED, array)                                                      \
    SEEN_ON_NO_OTHER, TIME_BEFORE_HOPPER,                                                          \
        SHARED_TIME(PUBLISHED(22, LUO_4090), ONE_PASS_A_CYCLE, AS_A_PASS(1000)),                   \
        L1_LATER(PUBLISHED(35, LUO_4090), GU(32, "as the H200"), HASHED),                          \
        .l1_shared_bytes = GW(KIB(array), guide),                                                  \
        OTHER_CACHES(READ_ONLY_IS_L1, PUBLISHED(35, LUO_4090), CONSTANT_LATER,                     \
                     GU(30, "estimate")),                                                          \
        CROSSBAR(64, 64), .atomic_millicycles = GU(1000, "as the V100")
#define TIME_86 TIME_AS_4090(GUIDE_8X, GU, 128)
#define TIME_87 TIME_AS_4090(GUIDE_8X, GU, 192)
#define TIME_89 TIME_AS_4090(GUIDE_8X, GU, 128)
#define TIME_89_MEASURED TIME_AS_4090(GUIDE_8X, GP, 128)
#define TIME_120 TIME_AS_4090(GUIDE_12X, GU, 128)

/* ---- L2 -------------------------------------------------------------------------------------- */

#define NO_L2                                                                                      \
    .l2_latency_cycles = GW(0, "no L2"), .l2_far_cycles = GW(0, "no L2"),                          \
    .l2_sides = GW(1, "no L2"), .l2_slices = GW(0, "no L2"), .l2_ways = GW(16, "no L2"),           \
    .l2_group_bytes = GW(0, "no L2"), .l2_megabytes_per_s = GW(0, "no L2")

#define L2_TIME(latency, slices, ways, megabytes_per_s)                                            \
    .l2_latency_cycles = latency, .l2_far_cycles = GU(0, "one partition"),                         \
    .l2_sides = GU(1, "no other side is reported"), .l2_slices = slices, .l2_ways = ways,          \
    .l2_group_bytes = NOT_MEASURED(0), .l2_megabytes_per_s = megabytes_per_s
#define WAYS_16 GU(16, "as the V100")

/* ---- DRAM ------------------------------------------------------------------------------------ */

#define DRAM_TIMING(kind, banks, row_bytes, cycle, gap, turnaround, batch, window)                 \
    .dram_banks = GU(banks, kind), .dram_row_bytes = GU(row_bytes, kind),                          \
    .dram_row_cycle_ps = GU(cycle, kind ", typical tRC"), .dram_row_gap_ps = gap,                  \
    .dram_turnaround_ps = turnaround, .dram_write_batch_bytes = GU(batch, ESTIMATE),               \
    .dram_window = GU(window, ESTIMATE)
#define TRRD(ps) GU(ps, "typical tRRD")

/* A partition of an HBM part is a channel of 128 bits: two pseudo-channels of HBM2, each with 16 banks and a tRRD of
 * 4 ns of its own. */
#define GDDR3                                                                                      \
    DRAM_TIMING("GDDR3", 8, 2048, 40000, TRRD(6000),                                               \
                GF(6000, "uncoalesced read-increment-write on G80, NVIDIA 2007"), 1024, 16)
/* On the GTX 280 both the naive transpose, whose stores are of 32 bytes, and the tiled ones, whose are of
 * 64, show that a partition takes writes at less than half the rate of its bus. */
#define GT200_WRITES(megabytes_per_s)                                                              \
    .dram_write_megabytes_per_s =                                                                  \
        GF(megabytes_per_s, "the transposes that camp on the GTX 280: " TRANSPOSE)
#define WRITES_AS_READS .dram_write_megabytes_per_s = GU(0, "no limit of its own is known")
#define GDDR5                                                                                      \
    DRAM_TIMING("GDDR5", 16, 2048, 40000, TRRD(6000), GU(15000, ESTIMATE), 4096, 32),              \
        WRITES_AS_READS
#define GDDR5X                                                                                     \
    DRAM_TIMING("GDDR5X", 16, 2048, 40000, TRRD(6000), GU(15000, ESTIMATE), 4096, 32),             \
        WRITES_AS_READS
#define GDDR6                                                                                      \
    DRAM_TIMING("GDDR6", 16, 2048, 45000, TRRD(6000), GU(15000, ESTIMATE), 4096, 64),              \
        WRITES_AS_READS
#define GDDR6X                                                                                     \
    DRAM_TIMING("GDDR6X", 16, 2048, 45000, TRRD(6000), GU(15000, ESTIMATE), 4096, 64),             \
        WRITES_AS_READS
#define HBM2                                                                                       \
    DRAM_TIMING("HBM2, two pseudo-channels", 32, 1024, 45000, TRRD(2000), GU(10000, ESTIMATE),     \
                4096, 128),                                                                        \
        WRITES_AS_READS
#define GDDR7                                                                                      \
    DRAM_TIMING("taken to be as GDDR6X", 16, 2048, 45000, TRRD(6000), GU(15000, ESTIMATE), 4096,   \
                64),                                                                               \
        WRITES_AS_READS
#define LPDDR4                                                                                     \
    DRAM_TIMING("LPDDR4", 8, 2048, 60000, TRRD(10000), GU(20000, ESTIMATE), 4096, 32),             \
        WRITES_AS_READS
#define LPDDR5                                                                                     \
    DRAM_TIMING("taken to be as LPDDR4", 8, 2048, 60000, TRRD(10000), GU(20000, ESTIMATE), 4096,   \
                32),                                                                               \
        WRITES_AS_READS

/* The least that DRAM moves, and whether it can write less than a sector: a part with byte masks can,
 * one with ECC reads the rest of the sector first. */
#define MASKED_WRITES(access)                                                                      \
    .dram_access_bytes = access, .partial_write_reads = GU(0, "no ECC: DRAM masks bytes")
#define ECC_WRITES_AT_ONCE                                                                         \
    .dram_access_bytes = GU(64, "GDDR5 with ECC"),                                                 \
    .partial_write_reads =                                                                         \
        GF(2, "misaligned copies on the M2090: CUDA C Best Practices Guide 5.5")
#define ECC_WRITES(access)                                                                         \
    .dram_access_bytes = access,                                                                   \
    .partial_write_reads = GU(1, "as the H200: ECC covers whole sectors")
#define ONE_BURST GU(32, "a burst of the DRAM")

#define HOST(megabytes_per_s, bus)                                                                 \
    .pcie_megabytes_per_s = GW(megabytes_per_s, bus), .pcie_latency_ns = GU(1300, "estimate"),     \
    MANAGED
#define FAULTS "profile of stream_thread and stream_warp on a GTX 1080 Ti"
#define MANAGED                                                                                    \
    .fault_read_ns = GF(10000, FAULTS), .fault_group_ns = GF(44000, FAULTS),                       \
    .fault_page_ns = GF(1700, FAULTS), .fault_transfer_ns = GF(500, FAULTS),                       \
    .fault_lock_cycles = GF(8, FAULTS)
#define PCIE_1 HOST(4000, "PCIe 1.x x16")
#define PCIE_2 HOST(8000, "PCIe 2.0 x16")
#define PCIE_3 HOST(16000, "PCIe 3.0 x16")
#define PCIE_4 HOST(32000, "PCIe 4.0 x16")
#define PCIE_5 HOST(64000, "PCIe 5.0 x16")
/* Of a GPU on the chip of its CPU. */
#define SAME_DRAM(megabytes_per_s)                                                                 \
    .pcie_megabytes_per_s = U(megabytes_per_s, "no bus: host memory is the same DRAM"),            \
    .pcie_latency_ns = U(400, "no bus: host memory is the same DRAM"), MANAGED

#endif
