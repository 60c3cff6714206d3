/* model_fields.h - what model files are made of: tagged values, and the fields that follow from the
 * compute capability alone; model_times.h has those of time. Only files in src/models/ include it.
 *
 * A model file names the chip and gives counts, clocks, sizes and partitions; CAPABILITY_xx gives
 * the rest as designated initialisers. The arguments of the groups stand in the order of the fields
 * in arch_fields.def.
 */
#ifndef WARPLENS_MODELS_MODEL_FIELDS_H
#define WARPLENS_MODELS_MODEL_FIELDS_H

#include "models/arch.h"

/* A value and its source: vendor paper, publication, own measurement, fit, unconfirmed. With a G in front it is
 * inherited: of the compute capability, the generation or the kind of memory, which several chips have. The files
 * of chips use those without, headers those with it. */
#define TAGGED(value, source, reference, inherited)                                                \
    {                                                                                              \
        (value), (source), (reference), (inherited)                                                \
    }
#define W(value, reference) TAGGED(value, SOURCE_PAPER, reference, false)
#define P(value, reference) TAGGED(value, SOURCE_PUBLISHED, reference, false)
#define M(value, reference) TAGGED(value, SOURCE_MEASURED, reference, false)
#define F(value, reference) TAGGED(value, SOURCE_FITTED, reference, false)
#define U(value, reference) TAGGED(value, SOURCE_UNSURE, reference, false)
#define GW(value, reference) TAGGED(value, SOURCE_PAPER, reference, true)
#define GP(value, reference) TAGGED(value, SOURCE_PUBLISHED, reference, true)
#define GM(value, reference) TAGGED(value, SOURCE_MEASURED, reference, true)
#define GF(value, reference) TAGGED(value, SOURCE_FITTED, reference, true)
#define GU(value, reference) TAGGED(value, SOURCE_UNSURE, reference, true)

#define KIB(n) ((n)*1024)

#include "models/model_times.h"

#define GUIDE_5_5 "CUDA C Programming Guide 5.5, table 12"
#define GUIDE_11_7 "CUDA C++ Programming Guide 11.7, table 15"
#define GUIDE_12_0 "CUDA C++ Programming Guide 12.0, technical specifications"
#define GUIDE_12_9 "CUDA C++ Programming Guide 12.9, technical specifications"
#define SHEET "CUDA occupancy calculator, sheet GPU Data"
#define CALCULATOR_7 "cuda_occupancy.h of CUDA 7.0"
#define CALCULATOR_11 "cuda_occupancy.h of CUDA 11"
#define CALCULATOR_12 "cuda_occupancy.h of CUDA 12"

#define RESIDENT(warps, blocks, registers, guide)                                                  \
    .warps_per_sm = GW(warps, guide), .blocks_per_sm = GW(blocks, guide),                          \
    .registers_per_sm = GW(registers, guide)

#define REGISTERS(thread_max, unit, per_block, warps, guide, calculator)                           \
    .registers_per_thread_max = GW(thread_max, guide), .register_unit = GW(unit, calculator),      \
    .register_per_block = GW(per_block, calculator), .warp_unit = GW(warps, calculator)

#define SHARED(sm_bytes, block_bytes, unit, guide, calculator)                                     \
    .shared_bytes_per_sm = GW(sm_bytes, guide),                                                    \
    .shared_bytes_per_block_max = GW(block_bytes, guide), .shared_unit = GW(unit, calculator)

#define LAUNCH(block, grid_x, grid_z, guide)                                                       \
    .threads_per_block_max = GW(block, guide), .block_x_max = GW(block, guide),                    \
    .block_y_max = GW(block, guide), .block_z_max = GW(64, guide),                                 \
    .grid_x_max = GW(grid_x, guide), .grid_y_max = GW(65535, guide),                               \
    .grid_z_max = GW(grid_z, guide)

#define PATHS(l1_global, l1_reference, bank_reference)                                             \
    .l1_caches_global = GW(l1_global, l1_reference), .shared_bank_bytes = GW(4, bank_reference)

#define LAUNCH_1X LAUNCH(512, 65535, 1, GUIDE_5_5)
#define LAUNCH_2X LAUNCH(1024, 65535, 65535, GUIDE_5_5)
#define LAUNCH_3X(guide) LAUNCH(1024, 2147483647, 65535, guide)

/* Block and grid sizes; a kernel's arguments take more, as much as they need. */
#define RESERVED_1X                                                                                \
    .shared_reserved_per_block = GW(16, "ptxas for compute capability 1.x: 0x10 bytes system")
#define RESERVED_NONE(guide) .shared_reserved_per_block = GW(0, guide)

#define PATHS_1X PATHS(0, NO_CACHE, "CUDA C Programming Guide 3.2, G.3.3")

/* Compute capability 5.x caches global loads in L1 only when they are read-only for the whole
 * kernel, or when built with -dlcm=ca where the chip can; the model takes the latter. */
#define PATHS_5X                                                                                   \
    .l1_caches_global =                                                                            \
        GU(1, "CUDA C++ Programming Guide 11.7, K.4.2: read-only data, or all with -dlcm=ca"),     \
    .shared_bank_bytes = GW(4, "CUDA C++ Programming Guide 11.7, K.4.3")
/* 5.0 has no such choice. */
#define PATHS_50                                                                                   \
    PATHS(0,                                                                                       \
          "CUDA C++ Programming Guide 11.7, K.4.2: only what is read-only for the whole kernel",   \
          "CUDA C++ Programming Guide 11.7, K.4.3")
#define PATHS_6X                                                                                   \
    PATHS(1, "CUDA C++ Programming Guide 11.7, K.5.2", "CUDA C++ Programming Guide 11.7, K.5.3")
#define PATHS_LATER(guide) PATHS(1, guide, guide)
#define GUIDE_7X "CUDA C++ Programming Guide 11.7, compute capability 7.x"
#define GUIDE_8X "CUDA C++ Programming Guide 11.7, compute capability 8.x"
#define GUIDE_9X "CUDA C++ Programming Guide 12.0, compute capability 9.x"
#define GUIDE_10X "CUDA C++ Programming Guide 12.9, compute capability 10.x"
#define GUIDE_12X "CUDA C++ Programming Guide 12.9, compute capability 12.x"

#define CAPABILITY_1X(version, warps, registers, unit)                                             \
    .sm = GW(version, GUIDE_5_5), RESIDENT(warps, 8, registers, GUIDE_5_5),                        \
    REGISTERS(124, unit, 1, 2, SHEET, CALCULATOR_7),                                               \
    SHARED(KIB(16), KIB(16), 512, GUIDE_5_5, CALCULATOR_7), RESERVED_1X, LAUNCH_1X, PATHS_1X
#define CAPABILITY_10 CAPABILITY_1X(10, 24, KIB(8), 256)
#define CAPABILITY_13 CAPABILITY_1X(13, 32, KIB(16), 512)

#define CAPABILITY_20                                                                              \
    .sm = GW(20, GUIDE_5_5), RESIDENT(48, 8, KIB(32), GUIDE_5_5),                                  \
    REGISTERS(63, 64, 0, 2, GUIDE_5_5, CALCULATOR_7),                                              \
    SHARED(KIB(48), KIB(48), 128, GUIDE_5_5, CALCULATOR_7), RESERVED_NONE(CALCULATOR_7),           \
    LAUNCH_2X,                                                                                     \
    PATHS(1, "CUDA C Programming Guide 5.5, G.4.2", "CUDA C Programming Guide 5.5, G.4.3")

/* Half as many registers a thread as the later Keplers have, and the read-only path for textures alone. */
#define CAPABILITY_30                                                                              \
    .sm = GW(30, GUIDE_5_5), RESIDENT(64, 16, KIB(64), GUIDE_5_5),                                 \
    REGISTERS(63, 256, 0, 4, GUIDE_5_5, CALCULATOR_7),                                             \
    SHARED(KIB(48), KIB(48), 256, GUIDE_5_5, CALCULATOR_7), RESERVED_NONE(CALCULATOR_7),           \
    LAUNCH_3X(GUIDE_5_5),                                                                          \
    PATHS(0, "CUDA C Programming Guide 5.5, G.5.2: L2 only",                                       \
          "CUDA C Programming Guide 5.5, G.5.3: 8 in 8-byte mode")

#define CAPABILITY_35                                                                              \
    .sm = GW(35, GUIDE_5_5), RESIDENT(64, 16, KIB(64), GUIDE_5_5),                                 \
    REGISTERS(255, 256, 0, 4, GUIDE_5_5, CALCULATOR_7),                                            \
    SHARED(KIB(48), KIB(48), 256, GUIDE_5_5, CALCULATOR_7), RESERVED_NONE(CALCULATOR_7),           \
    LAUNCH_3X(GUIDE_5_5),                                                                          \
    PATHS(0, "CUDA C Programming Guide 5.5, G.5.2: L2 only by default",                            \
          "CUDA C Programming Guide 5.5, G.5.3: 8 in 8-byte mode")

/* The same from 5.0 on: registers and the largest grid. */
#define CAPABILITY_SINCE_50(version, warps, blocks, sm_parts, guide, calculator)                   \
    .sm = GW(version, guide), RESIDENT(warps, blocks, KIB(64), guide),                             \
    REGISTERS(255, 256, 0, sm_parts, guide, calculator), LAUNCH_3X(guide)

/* An SM of compute capability 6.0 is split in two, all others since 3.0 in four. */
#define CAPABILITY_50_TO_75(version, warps, blocks, sm_parts, sm_bytes, block_bytes)               \
    CAPABILITY_SINCE_50(version, warps, blocks, sm_parts, GUIDE_11_7, CALCULATOR_11),              \
        SHARED(sm_bytes, block_bytes, 256, GUIDE_11_7, CALCULATOR_11),                             \
        RESERVED_NONE(CALCULATOR_11)
#define CAPABILITY_50 CAPABILITY_50_TO_75(50, 64, 32, 4, KIB(64), KIB(48)), PATHS_50
#define CAPABILITY_52 CAPABILITY_50_TO_75(52, 64, 32, 4, KIB(96), KIB(48)), PATHS_5X
#define CAPABILITY_53 CAPABILITY_50_TO_75(53, 64, 32, 4, KIB(64), KIB(48)), PATHS_5X
#define CAPABILITY_60 CAPABILITY_50_TO_75(60, 64, 32, 2, KIB(64), KIB(48)), PATHS_6X
#define CAPABILITY_61 CAPABILITY_50_TO_75(61, 64, 32, 4, KIB(96), KIB(48)), PATHS_6X
#define CAPABILITY_70 CAPABILITY_50_TO_75(70, 64, 32, 4, KIB(96), KIB(96)), PATHS_LATER(GUIDE_7X)
#define CAPABILITY_75 CAPABILITY_50_TO_75(75, 32, 16, 4, KIB(64), KIB(64)), PATHS_LATER(GUIDE_7X)

/* A block can have all of an SM's shared memory but what the system takes from a block: 1 KB. */
#define CAPABILITY_SINCE_80(version, warps, blocks, sm_kilobytes, guide, calculator, section)      \
    CAPABILITY_SINCE_50(version, warps, blocks, 4, guide, calculator),                             \
        SHARED(KIB(sm_kilobytes), KIB(sm_kilobytes - 1), 128, guide, calculator),                  \
        .shared_reserved_per_block = GW(KIB(1), section), PATHS_LATER(section)
#define CAPABILITY_80 CAPABILITY_SINCE_80(80, 64, 32, 164, GUIDE_11_7, CALCULATOR_11, GUIDE_8X)
#define CAPABILITY_86 CAPABILITY_SINCE_80(86, 48, 16, 100, GUIDE_11_7, CALCULATOR_11, GUIDE_8X)
#define CAPABILITY_87 CAPABILITY_SINCE_80(87, 48, 16, 164, GUIDE_11_7, CALCULATOR_11, GUIDE_8X)
#define CAPABILITY_89 CAPABILITY_SINCE_80(89, 48, 24, 100, GUIDE_12_0, CALCULATOR_12, GUIDE_8X)
#define CAPABILITY_90 CAPABILITY_SINCE_80(90, 64, 32, 228, GUIDE_12_0, CALCULATOR_12, GUIDE_9X)

#define CAPABILITY_100 CAPABILITY_SINCE_80(100, 64, 32, 228, GUIDE_12_9, CALCULATOR_12, GUIDE_10X)
/* NVIDIA's Blackwell tuning guide has 32 blocks and 128 KB for 12.0; device queries agree with the programming guide. */
#define CAPABILITY_120 CAPABILITY_SINCE_80(120, 48, 24, 100, GUIDE_12_9, CALCULATOR_12, GUIDE_12X)

/* Compute capability 1.x caches texture and constant data only. */
#define NO_CACHE "CUDA C Programming Guide 3.2, G.3.2: no cache"
#define CACHES_1X .l1_bytes = GW(0, NO_CACHE), .l2_bytes = GW(0, NO_CACHE)

/* DRAM partitions before Fermi: address / 256 mod partitions, the origin of partition camping. */
#define TRANSPOSE "Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009"
#define PARTITIONS_IN_TURN                                                                         \
    .partition_bytes = GW(256, TRANSPOSE), .partition_hashed = GW(0, TRANSPOSE)

/* From Fermi on addresses are hashed over the partitions. The vendor does not publish the hash. */
#define PARTITIONS_HASHED                                                                          \
    .partition_bytes = GU(256, "as on earlier GPUs"),                                              \
    .partition_hashed = GU(1, "partition camping is not reported from compute capability 2.0 on")

#endif
