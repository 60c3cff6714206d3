/* rules.c - compute capability -> rules.
 *
 * Decisions. Atomics are performed at L2 from sm_20 on and touch the distinct sectors of the warp,
 * from sm_70 on those of each round; before sm_20 every lane is a transaction. Local memory uses L1 lines on sm_20 to sm_37 (the L1 of
 * Kepler is there for it) and the generation's global rules elsewhere. Texture fetches are counted in
 * 32-byte sectors over the warp on every generation.
 */
#include "sim/rules/rules.h"

struct rule_row {
    int64_t sm_low, sm_high;
    struct rule_set rules;
};

#define GLOBAL(load, store, atomic)                                                                \
    {                                                                                              \
        COALESCE_##load, COALESCE_##store, COALESCE_##atomic                                       \
    }

static const struct rule_row rows[] = {
    {10,
     11,
     {.name = "sm_10, sm_11",
      .global = GLOBAL(HALF_WARP_STRICT, HALF_WARP_STRICT, LANE),
      .local = GLOBAL(HALF_WARP_STRICT, HALF_WARP_STRICT, LANE),
      .read_only = COALESCE_SECTOR,
      .constant_half_warp = true,
      .banks = BANKS_HALF_WARP_16,
      .profiler = PROFILER_V10}},
    {12,
     13,
     {.name = "sm_12, sm_13",
      .global = GLOBAL(HALF_WARP_SEGMENT, HALF_WARP_SEGMENT, LANE),
      .local = GLOBAL(HALF_WARP_SEGMENT, HALF_WARP_SEGMENT, LANE),
      .read_only = COALESCE_SECTOR,
      .constant_half_warp = true,
      .banks = BANKS_HALF_WARP_16,
      .profiler = PROFILER_V12}},
    {20,
     21,
     {.name = "sm_20, sm_21",
      .global = GLOBAL(SEGMENT_32, STORE_124, SECTOR),
      .local = GLOBAL(LINE_128, LINE_128, SECTOR),
      .read_only = COALESCE_SECTOR,
      .banks = BANKS_FERMI_32,
      .profiler = PROFILER_N2}},
    {30,
     37,
     {.name = "sm_30 to sm_37",
      .global = GLOBAL(SEGMENT_32, STORE_124, SECTOR),
      .local = GLOBAL(LINE_128, LINE_128, SECTOR),
      .read_only = COALESCE_SEGMENT_32,
      .read_only_apart = true,
      .banks = BANKS_KEPLER_4,
      .profiler = PROFILER_N3}},
    {50,
     62,
     {.name = "sm_50 to sm_62",
      .global = GLOBAL(SECTOR_SPLIT_REQUESTS, SECTOR_GROUPED, SECTOR),
      .local = GLOBAL(SECTOR, SECTOR, SECTOR),
      .read_only = COALESCE_SECTOR,
      .banks = BANKS_GROUPED_32,
      .profiler = PROFILER_N5}},
    {70,
     90,
     {.name = "sm_70 to sm_90",
      .global = GLOBAL(SECTOR, SECTOR, SECTOR_ROUNDS),
      .local = GLOBAL(SECTOR, SECTOR, SECTOR),
      .read_only = COALESCE_SECTOR,
      .l1_stages = true,
      .banks = BANKS_PAIRED_32,
      .profiler = PROFILER_NCU}},
};

bool rules_for(const struct arch *arch, struct rule_set *rules)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (arch->sm < rows[i].sm_low || arch->sm > rows[i].sm_high)
            continue;
        *rules = rows[i].rules;
        if (arch->l1_caches_global && rules->global[OP_LOAD] == COALESCE_SEGMENT_32)
            rules->global[OP_LOAD] = COALESCE_LINE_128;
        if (arch->shared_bank_bytes == 8 && rules->banks == BANKS_KEPLER_4)
            rules->banks = BANKS_KEPLER_8;
        return true;
    }
    return false;
}
