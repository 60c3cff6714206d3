/* capabilities.c - compute capability -> rules, and what else follows from it.
 *
 * Decisions. Atomics are performed at L2 from sm_20 on and touch the distinct sectors of the warp,
 * from sm_70 on those of each round; before sm_20 every lane is a transaction. Local memory uses L1
 * lines on sm_20 to sm_37 (the L1 of Kepler is there for it) and the generation's global rules
 * elsewhere. Texture fetches are counted in 32-byte sectors over the warp on every generation.
 * Read-only loads (ld.global.nc) came with sm_32. Compute capabilities that were never made (sm_73,
 * sm_82) count as the one below where a row has them. Blackwell is taken to be as Hopper; sm_110, of which
 * too little is known, has no row. Increments: nvcc 13.0
 * makes ATOMS.POPC.INC of them for sm_80 to sm_120 and not for sm_75; sm_70 to sm_72 are taken to be as sm_75.
 *
 * Sources: those of the rules are where they are carried out (sim/rules); carve-outs: CUDA C
 * Programming Guide 5.5, G.4 and G.5; CUDA C++ Programming Guide 12.0 and 12.9, compute capability 7.x to
 * 12.x; read-only loads: PTX ISA 8.8, ld.global.nc.
 */
#include "models/capabilities.h"

#include "models/arch.h"

#define OPS(load, store, atomic)                                                                   \
    {                                                                                              \
        COALESCE_##load, COALESCE_##store, COALESCE_##atomic                                       \
    }

#define HALF_WARPS                                                                                 \
    .read_only = COALESCE_SECTOR, .constant_half_warp = true, .banks = BANKS_HALF_WARP_16

static const struct rule_set half_warp_strict = {
    .name = "sm_10, sm_11",
    .global = OPS(HALF_WARP_STRICT, HALF_WARP_STRICT, LANE),
    .local = OPS(HALF_WARP_STRICT, HALF_WARP_STRICT, LANE),
    HALF_WARPS,
    .profiler = PROFILER_V10,
};

static const struct rule_set half_warp_segment = {
    .name = "sm_12, sm_13",
    .global = OPS(HALF_WARP_SEGMENT, HALF_WARP_SEGMENT, LANE),
    .local = OPS(HALF_WARP_SEGMENT, HALF_WARP_SEGMENT, LANE),
    HALF_WARPS,
    .profiler = PROFILER_V12,
};

static const struct rule_set fermi = {
    .name = "sm_20, sm_21",
    .global = OPS(SEGMENT_32, STORE_124, SECTOR),
    .local = OPS(LINE_128, LINE_128, SECTOR),
    .read_only = COALESCE_SECTOR,
    .banks = BANKS_FERMI_32,
    .profiler = PROFILER_N2,
};

static const struct rule_set kepler = {
    .name = "sm_30 to sm_37",
    .global = OPS(SEGMENT_32, STORE_124, SECTOR),
    .local = OPS(LINE_128, LINE_128, SECTOR),
    .read_only = COALESCE_SEGMENT_32,
    .read_only_apart = true,
    .banks = BANKS_KEPLER_4,
    .profiler = PROFILER_N3,
};

static const struct rule_set maxwell_pascal = {
    .name = "sm_50 to sm_62",
    .global = OPS(SECTOR_SPLIT_REQUESTS, SECTOR_GROUPED, SECTOR),
    .local = OPS(SECTOR, SECTOR, SECTOR),
    .read_only = COALESCE_SECTOR,
    .banks = BANKS_GROUPED_32,
    .profiler = PROFILER_N5,
};

#define SECTORS_AND_STAGES                                                                         \
    .global = OPS(SECTOR, SECTOR, SECTOR_ROUNDS), .local = OPS(SECTOR, SECTOR, SECTOR),            \
    .read_only = COALESCE_SECTOR, .l1_stages = true, .banks = BANKS_PAIRED_32,                     \
    .profiler = PROFILER_NCU

static const struct rule_set since_volta = {.name = "sm_70 to sm_90", SECTORS_AND_STAGES};

/* No rule of Blackwell has been published or measured here. */
static const struct rule_set blackwell = {.name = "sm_70 to sm_90, unconfirmed here",
                                          SECTORS_AND_STAGES};

/* What later capabilities have as well. */
#define SINCE_KEPLER .has_read_only_loads = true
#define SINCE_PASCAL SINCE_KEPLER, .managed_faults = true
#define WITH_SECTORED_L1 SINCE_PASCAL, .stores_stay_in_l1 = true, .lanes_apart = true
#define SINCE_VOLTA .rules = &since_volta, WITH_SECTORED_L1
/* ldmatrix since Turing, stmatrix since Hopper: PTX ISA, target ISA notes of both. */
#define WITH_AMPERES_OWN .increments_by_word = true, .has_async_copies = true, .has_ldmatrix = true
#define SINCE_AMPERE SINCE_VOLTA, WITH_AMPERES_OWN
#define HOPPERS_OWN .has_stmatrix = true, .has_bulk_copies = true
#define SINCE_BLACKWELL .rules = &blackwell, WITH_SECTORED_L1, WITH_AMPERES_OWN, HOPPERS_OWN

const struct capability capabilities[] = {
    {10, 11, "Tesla", .rules = &half_warp_strict},
    {12, 13, "Tesla", .rules = &half_warp_segment},
    {20, 21, "Fermi", .rules = &fermi, .doubles_register_unit = true,
     .carve_out_kilobytes = {16, 48}},
    {30, 31, "Kepler", .rules = &kepler, .carve_out_kilobytes = {16, 32, 48}},
    {32, 37, "Kepler", .rules = &kepler, SINCE_KEPLER, .carve_out_kilobytes = {16, 32, 48}},
    {50, 53, "Maxwell", .rules = &maxwell_pascal, SINCE_KEPLER},
    {60, 62, "Pascal", .rules = &maxwell_pascal, SINCE_PASCAL},
    {70, 74, "Volta", SINCE_VOLTA, .carve_out_kilobytes = {0, 8, 16, 32, 64, 96}},
    {75, 75, "Turing", SINCE_VOLTA, .has_ldmatrix = true, .carve_out_kilobytes = {32, 64}},
    {80, 85, "Ampere", SINCE_AMPERE, .carve_out_kilobytes = {0, 8, 16, 32, 64, 100, 132, 164}},
    {86, 86, "Ampere", SINCE_AMPERE, .carve_out_kilobytes = {0, 8, 16, 32, 64, 100}},
    {87, 87, "Ampere", SINCE_AMPERE, .carve_out_kilobytes = {0, 8, 16, 32, 64, 100, 132, 164}},
    {88, 89, "Ada", SINCE_AMPERE, .carve_out_kilobytes = {0, 8, 16, 32, 64, 100}},
    {90, 90, "Hopper", SINCE_AMPERE, HOPPERS_OWN, .l1_stages_measured = true,
     .carves_out_for_more_blocks = true,
     .carve_out_kilobytes = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
    {100, 103, "Blackwell", SINCE_BLACKWELL,
     .carve_out_kilobytes = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}},
    {120, 121, "Blackwell", SINCE_BLACKWELL, .carve_out_kilobytes = {0, 8, 16, 32, 64, 100}},
};

const size_t capability_count = sizeof capabilities / sizeof capabilities[0];

const struct capability *capability_find(int64_t sm)
{
    for (size_t i = 0; i < capability_count; i++)
        if (sm >= capabilities[i].sm_first && sm <= capabilities[i].sm_last)
            return &capabilities[i];
    return NULL;
}

const struct capability *capability_first(bool (*has)(const struct capability *capability))
{
    size_t i = 0;
    while (!has(&capabilities[i]))
        i++;
    return &capabilities[i];
}

bool rules_for(const struct arch *arch, struct rule_set *rules)
{
    const struct capability *capability = capability_find(arch->sm);
    if (capability == NULL)
        return false;
    *rules = *capability->rules;
    rules->increments_by_word = capability->increments_by_word;
    rules->read_only_apart &= capability->has_read_only_loads;
    if (arch->l1_caches_global && rules->global[OP_LOAD] == COALESCE_SEGMENT_32)
        rules->global[OP_LOAD] = COALESCE_LINE_128;
    if (arch->shared_bank_bytes == 8 && rules->banks == BANKS_KEPLER_4)
        rules->banks = BANKS_KEPLER_8;
    return true;
}
