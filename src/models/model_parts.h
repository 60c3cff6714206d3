/* model_parts.h - what model files are made of: tagged values, and the fields that follow from the
 * compute capability alone; model_times.h has those of time. Only files in src/models/ include it.
 *
 * A model file names the chip and gives counts, clocks, sizes and partitions; CAPABILITY_xx gives
 * the rest as designated initialisers. The arguments of the groups stand in the order of the fields
 * in arch_fields.def.
 */
#ifndef WARPLENS_MODELS_MODEL_PARTS_H
#define WARPLENS_MODELS_MODEL_PARTS_H

#include "models/arch.h"

/* A value and its source: vendor paper, publication, own measurement, fit, unconfirmed. */
#define TAGGED(value, source, reference)                                                           \
    {                                                                                              \
        (value), (source), (reference)                                                             \
    }
#define W(value, reference) TAGGED(value, SOURCE_PAPER, reference)
#define P(value, reference) TAGGED(value, SOURCE_PUBLISHED, reference)
#define M(value, reference) TAGGED(value, SOURCE_MEASURED, reference)
#define F(value, reference) TAGGED(value, SOURCE_FITTED, reference)
#define U(value, reference) TAGGED(value, SOURCE_UNSURE, reference)

#define KIB(n) ((n)*1024)

#include "models/model_times.h"

#define GUIDE_5_5 "CUDA C Programming Guide 5.5, table 12"
#define GUIDE_11_7 "CUDA C++ Programming Guide 11.7, table 15"
#define GUIDE_12_0 "CUDA C++ Programming Guide 12.0, technical specifications"
#define SHEET "CUDA occupancy calculator, sheet GPU Data"
#define CALCULATOR_7 "cuda_occupancy.h of CUDA 7.0"
#define CALCULATOR_11 "cuda_occupancy.h of CUDA 11"
#define CALCULATOR_12 "cuda_occupancy.h of CUDA 12"

#define RESIDENT(warps, blocks, registers, guide)                                                  \
    .warps_per_sm = W(warps, guide), .blocks_per_sm = W(blocks, guide),                            \
    .registers_per_sm = W(registers, guide)

#define REGISTERS(thread_max, unit, per_block, warps, guide, calculator)                           \
    .registers_per_thread_max = W(thread_max, guide), .register_unit = W(unit, calculator),        \
    .register_per_block = W(per_block, calculator), .warp_unit = W(warps, calculator)

#define SHARED(sm_bytes, block_bytes, unit, guide, calculator)                                     \
    .shared_bytes_per_sm = W(sm_bytes, guide),                                                     \
    .shared_bytes_per_block_max = W(block_bytes, guide), .shared_unit = W(unit, calculator)

#define LAUNCH(block, grid_x, grid_z, guide)                                                       \
    .threads_per_block_max = W(block, guide), .block_x_max = W(block, guide),                      \
    .block_y_max = W(block, guide), .block_z_max = W(64, guide), .grid_x_max = W(grid_x, guide),   \
    .grid_y_max = W(65535, guide), .grid_z_max = W(grid_z, guide)

#define PATHS(l1_global, l1_reference, bank_reference)                                             \
    .l1_caches_global = W(l1_global, l1_reference), .shared_bank_bytes = W(4, bank_reference)

#define LAUNCH_1X LAUNCH(512, 65535, 1, GUIDE_5_5)
#define LAUNCH_2X LAUNCH(1024, 65535, 65535, GUIDE_5_5)
#define LAUNCH_3X(guide) LAUNCH(1024, 2147483647, 65535, guide)

/* Block and grid sizes; a kernel's arguments take more, as much as they need. */
#define RESERVED_1X                                                                                \
    .shared_reserved_per_block = W(16, "ptxas for compute capability 1.x: 0x10 bytes system")
#define RESERVED_NONE(guide) .shared_reserved_per_block = W(0, guide)
#define RESERVED_8X(guide) .shared_reserved_per_block = W(1024, guide)

#define PATHS_1X PATHS(0, NO_CACHE, "CUDA C Programming Guide 3.2, G.3.3")

/* Compute capability 5.x caches global loads in L1 only when they are read-only for the whole
 * kernel, or when built with -dlcm=ca where the chip can; the model takes the latter. */
#define PATHS_5X                                                                                   \
    .l1_caches_global =                                                                            \
        U(1, "CUDA C++ Programming Guide 11.7, K.4.2: read-only data, or all with -dlcm=ca"),      \
    .shared_bank_bytes = W(4, "CUDA C++ Programming Guide 11.7, K.4.3")
#define PATHS_6X                                                                                   \
    PATHS(1, "CUDA C++ Programming Guide 11.7, K.5.2", "CUDA C++ Programming Guide 11.7, K.5.3")
#define PATHS_LATER(guide) PATHS(1, guide, guide)
#define GUIDE_7X "CUDA C++ Programming Guide 11.7, compute capability 7.x"
#define GUIDE_8X "CUDA C++ Programming Guide 11.7, compute capability 8.x"
#define GUIDE_9X "CUDA C++ Programming Guide 12.0, compute capability 9.x"

#define CAPABILITY_10                                                                              \
    .sm = W(10, GUIDE_5_5), RESIDENT(24, 8, KIB(8), GUIDE_5_5),                                    \
    REGISTERS(124, 256, 1, 2, SHEET, CALCULATOR_7),                                                \
    SHARED(KIB(16), KIB(16), 512, GUIDE_5_5, CALCULATOR_7), RESERVED_1X, LAUNCH_1X, PATHS_1X

#define CAPABILITY_13                                                                              \
    .sm = W(13, GUIDE_5_5), RESIDENT(32, 8, KIB(16), GUIDE_5_5),                                   \
    REGISTERS(124, 512, 1, 2, SHEET, CALCULATOR_7),                                                \
    SHARED(KIB(16), KIB(16), 512, GUIDE_5_5, CALCULATOR_7), RESERVED_1X, LAUNCH_1X, PATHS_1X

#define CAPABILITY_20                                                                              \
    .sm = W(20, GUIDE_5_5), RESIDENT(48, 8, KIB(32), GUIDE_5_5),                                   \
    REGISTERS(63, 64, 0, 2, GUIDE_5_5, CALCULATOR_7),                                              \
    SHARED(KIB(48), KIB(48), 128, GUIDE_5_5, CALCULATOR_7), RESERVED_NONE(CALCULATOR_7),           \
    LAUNCH_2X,                                                                                     \
    PATHS(1, "CUDA C Programming Guide 5.5, G.4.2", "CUDA C Programming Guide 5.5, G.4.3")

#define CAPABILITY_35                                                                              \
    .sm = W(35, GUIDE_5_5), RESIDENT(64, 16, KIB(64), GUIDE_5_5),                                  \
    REGISTERS(255, 256, 0, 4, GUIDE_5_5, CALCULATOR_7),                                            \
    SHARED(KIB(48), KIB(48), 256, GUIDE_5_5, CALCULATOR_7), RESERVED_NONE(CALCULATOR_7),           \
    LAUNCH_3X(GUIDE_5_5),                                                                          \
    PATHS(0, "CUDA C Programming Guide 5.5, G.5.2: L2 only by default",                            \
          "CUDA C Programming Guide 5.5, G.5.3: 8 in 8-byte mode")

#define CAPABILITY_5X(version, sm_bytes)                                                           \
    .sm = W(version, GUIDE_11_7), RESIDENT(64, 32, KIB(64), GUIDE_11_7),                           \
    REGISTERS(255, 256, 0, 4, GUIDE_11_7, CALCULATOR_11),                                          \
    SHARED(sm_bytes, KIB(48), 256, GUIDE_11_7, CALCULATOR_11), RESERVED_NONE(CALCULATOR_11),       \
    LAUNCH_3X(GUIDE_11_7), PATHS_5X
#define CAPABILITY_52 CAPABILITY_5X(52, KIB(96))
#define CAPABILITY_53 CAPABILITY_5X(53, KIB(64))

/* An SM of compute capability 6.0 is split in two, all others since 3.0 in four. */
#define CAPABILITY_6X(version, sm_bytes, sm_parts)                                                 \
    .sm = W(version, GUIDE_11_7), RESIDENT(64, 32, KIB(64), GUIDE_11_7),                           \
    REGISTERS(255, 256, 0, sm_parts, GUIDE_11_7, CALCULATOR_11),                                   \
    SHARED(sm_bytes, KIB(48), 256, GUIDE_11_7, CALCULATOR_11), RESERVED_NONE(CALCULATOR_11),       \
    LAUNCH_3X(GUIDE_11_7), PATHS_6X
#define CAPABILITY_60 CAPABILITY_6X(60, KIB(64), 2)
#define CAPABILITY_61 CAPABILITY_6X(61, KIB(96), 4)

#define CAPABILITY_7X(version, warps, blocks, shared_bytes)                                        \
    .sm = W(version, GUIDE_11_7), RESIDENT(warps, blocks, KIB(64), GUIDE_11_7),                    \
    REGISTERS(255, 256, 0, 4, GUIDE_11_7, CALCULATOR_11),                                          \
    SHARED(shared_bytes, shared_bytes, 256, GUIDE_11_7, CALCULATOR_11),                            \
    RESERVED_NONE(CALCULATOR_11), LAUNCH_3X(GUIDE_11_7), PATHS_LATER(GUIDE_7X)
#define CAPABILITY_70 CAPABILITY_7X(70, 64, 32, KIB(96))
#define CAPABILITY_75 CAPABILITY_7X(75, 32, 16, KIB(64))

#define CAPABILITY_80                                                                              \
    .sm = W(80, GUIDE_11_7), RESIDENT(64, 32, KIB(64), GUIDE_11_7),                                \
    REGISTERS(255, 256, 0, 4, GUIDE_11_7, CALCULATOR_11),                                          \
    SHARED(KIB(164), KIB(163), 128, GUIDE_11_7, CALCULATOR_11), RESERVED_8X(GUIDE_8X),             \
    LAUNCH_3X(GUIDE_11_7), PATHS_LATER(GUIDE_8X)

#define CAPABILITY_89                                                                              \
    .sm = W(89, GUIDE_12_0), RESIDENT(48, 24, KIB(64), GUIDE_12_0),                                \
    REGISTERS(255, 256, 0, 4, GUIDE_12_0, CALCULATOR_12),                                          \
    SHARED(KIB(100), KIB(99), 128, GUIDE_12_0, CALCULATOR_12), RESERVED_8X(GUIDE_8X),              \
    LAUNCH_3X(GUIDE_12_0), PATHS_LATER(GUIDE_8X)

#define CAPABILITY_90                                                                              \
    .sm = W(90, GUIDE_12_0), RESIDENT(64, 32, KIB(64), GUIDE_12_0),                                \
    REGISTERS(255, 256, 0, 4, GUIDE_12_0, CALCULATOR_12),                                          \
    SHARED(KIB(228), KIB(227), 128, GUIDE_12_0, CALCULATOR_12), RESERVED_8X(GUIDE_9X),             \
    LAUNCH_3X(GUIDE_12_0), PATHS_LATER(GUIDE_9X)

/* Compute capability 1.x caches texture and constant data only. */
#define NO_CACHE "CUDA C Programming Guide 3.2, G.3.2: no cache"
#define CACHES_1X .l1_bytes = W(0, NO_CACHE), .l2_bytes = W(0, NO_CACHE)

/* DRAM partitions before Fermi: address / 256 mod partitions, the origin of partition camping. */
#define TRANSPOSE "Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA, 2009"
#define PARTITIONS_IN_TURN .partition_bytes = W(256, TRANSPOSE), .partition_hashed = W(0, TRANSPOSE)

/* From Fermi on addresses are hashed over the partitions. The vendor does not publish the hash. */
#define PARTITIONS_HASHED                                                                          \
    .partition_bytes = U(256, "as on earlier parts"),                                              \
    .partition_hashed = U(1, "partition camping is not reported from compute capability 2.0 on")

#endif
