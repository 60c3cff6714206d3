/* capabilities.h - what a GPU does because of its compute capability: a row each, or one for several
 * that do not differ. Whoever would ask for a compute capability by number asks for a field here.
 * Numbers that a chip has (sizes, limits, times) are fields of struct arch. sim/rules carries the
 * rules out that are named here, sim/counters says what each profiler shows.
 */
#ifndef WARPLENS_MODELS_CAPABILITIES_H
#define WARPLENS_MODELS_CAPABILITIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch;

enum mem_op { OP_LOAD, OP_STORE, OP_ATOMIC, OP_COUNT };

/* From the accesses of a warp to global and local memory to transactions. */
enum coalesce_rule {
    /* sm_10, sm_11: per half-warp; lane k must use word k of one aligned segment, otherwise one
     * 32-byte transaction for each active lane. [CUDA C Programming Guide 3.2, G.3.2.1] */
    COALESCE_HALF_WARP_STRICT,
    /* sm_12, sm_13: per half-warp; segments of 32, 64 or 128 bytes, shrunk to the half in use.
     * [Programming Guide 3.2, G.3.2.2] */
    COALESCE_HALF_WARP_SEGMENT,
    /* sm_20 loads through L1 (and sm_35 that opts in): 128-byte lines; 8-byte words make two
     * half-warp requests, 16-byte words four quarter-warp requests, each coalesced on its own.
     * [Programming Guide 5.5, G.4.2] */
    COALESCE_LINE_128,
    /* sm_20 loads past L1, sm_30 and sm_35 loads, the 32-byte read-only path: 32-byte segments,
     * requests split as for COALESCE_LINE_128. [Programming Guide 5.5, G.4.2, G.5.2] */
    COALESCE_SEGMENT_32,
    /* sm_20 to sm_37 stores: distinct 32-byte segments over the whole warp, sent as transactions of
     * four (a whole 128-byte line), two (an aligned 64-byte half) or one segment. */
    COALESCE_STORE_124,
    /* sm_50 to sm_62 stores: distinct 32-byte sectors in each group of lanes that the instruction
     * is split into (8 lanes up to 4-byte words, 4 lanes at 8 bytes, 2 lanes at 16), never merged
     * across groups. */
    COALESCE_SECTOR_GROUPED,
    /* sm_50 to sm_62 loads: traffic is the distinct 32-byte sectors over the whole warp, while
     * requests are the groups of COALESCE_SECTOR_GROUPED that have an active lane. */
    COALESCE_SECTOR_SPLIT_REQUESTS,
    /* sm_70 to sm_90: one request at any width, distinct 32-byte sectors over the whole warp. */
    COALESCE_SECTOR,
    /* sm_70 to sm_90 atomics: the k-th lane of an address goes in round k, and each round moves its
     * distinct 32-byte sectors. */
    COALESCE_SECTOR_ROUNDS,
    /* Atomics on sm_1x: every active lane is a 32-byte transaction of its own. */
    COALESCE_LANE,
    COALESCE_RULE_COUNT
};

/* From the accesses of a warp to shared memory to passes through the banks. */
enum bank_rule {
    /* sm_1x: 16 banks of 4 bytes, per half-warp, in steps: one word is broadcast to every lane that
     * wants it (the word of the lowest lane not yet served) and every other bank serves one lane's
     * address. Words of 8 and 16 bytes are 2 and 4 separate 4-byte requests.
     * [Programming Guide 3.2, G.3.3] */
    BANKS_HALF_WARP_16,
    /* sm_2x: 32 banks of 4 bytes; lanes in one word never conflict; 8-byte words per half-warp,
     * 16-byte words per quarter-warp with one extra pass each. [Programming Guide 5.5, G.4.3] */
    BANKS_FERMI_32,
    /* sm_3x, 4-byte mode: bank = word mod 32; words i and i + 32 of one aligned 64-word segment
     * come together. 8-byte words: whole warp; 16-byte words: per half-warp. [PG 5.5, G.5.3] */
    BANKS_KEPLER_4,
    /* sm_3x, 8-byte mode: 32 banks of 8 bytes, bank = (address / 8) mod 32. 16-byte words per
     * half-warp. [PG 5.5, G.5.3] */
    BANKS_KEPLER_8,
    /* sm_50 to sm_62: 32 banks of 4 bytes, any words multicast; 8-byte words per half-warp, 16-byte
     * words per quarter-warp, never merged. */
    BANKS_GROUPED_32,
    /* sm_70 to sm_90: as BANKS_GROUPED_32, and loads merge pairs of groups: if for x = 1 or for x =
     * 2 every active lane t of the whole warp has its partner t ^ x inactive or on the same
     * address, groups double in size (8-byte: one whole-warp group; 16-byte: two half-warp groups).
     */
    BANKS_PAIRED_32,
    BANK_RULE_COUNT
};

/* The profilers, as bits: a profiler counter belongs to one or more. */
enum profiler {
    PROFILER_V10 = 1,  /* CUDA Visual Profiler, sm_10 and sm_11 */
    PROFILER_V12 = 2,  /* CUDA Visual Profiler, sm_12 and sm_13 */
    PROFILER_N2 = 4,   /* nvprof, sm_20 and sm_21 */
    PROFILER_N3 = 8,   /* nvprof, sm_30 to sm_37 */
    PROFILER_N5 = 16,  /* nvprof, sm_50 to sm_62 */
    PROFILER_NCU = 32, /* Nsight Compute, sm_70 and later */
    PROFILER_END = 64  /* above all of them */
};

/* What the GPUs of one generation follow. */
struct rule_set {
    const char *name; /* "sm_12, sm_13" */
    enum coalesce_rule global[OP_COUNT];
    enum coalesce_rule local[OP_COUNT];
    enum coalesce_rule read_only; /* texture fetches, and __ldg where the path is apart */
    bool read_only_apart;         /* read-only global loads do not count as global loads */
    bool l1_stages;               /* tag-stage and data-stage wavefronts are counted */
    bool constant_half_warp;      /* passes of constant memory serve half-warps */
    enum bank_rule banks;
    bool increments_by_word; /* ACCESS_INCREMENT in shared memory: lanes on one word count once */
    enum profiler profiler;
};

enum { CARVE_OUTS_MAX = 10 };

struct capability {
    int64_t sm_first, sm_last; /* 12 and 13: sm_12 to sm_13 */
    const char *generation;    /* the vendor's name: "Tesla", "Fermi", ... */
    const struct rule_set *rules;
    bool doubles_register_unit; /* for some numbers of registers a thread (sim/rules/occupancy.c) */
    bool has_read_only_loads;   /* __ldg takes the path of texture fetches */
    bool managed_faults;        /* pages of managed arrays move when touched, not at the launch */
    bool
        stores_stay_in_l1; /* a global store brings its line to L1, with what it stores; before, it drops sectors that are there */
    bool lanes_apart;      /* lanes of a warp are in step only where a __syncwarp says so */
    bool increments_by_word; /* the compiler makes ATOMS.POPC.INC of additions of 1 */
    bool has_async_copies;   /* cp.async: copies to shared memory that a warp does not wait for */
    bool has_bulk_copies;    /* cp.async.bulk: copies of rows and boxes that one thread asks for */
    bool has_ldmatrix, has_stmatrix;
    bool l1_stages_measured; /* on this capability: no need to say that it was another one */
    /* Shared memory that the array shared with L1 can be cut into, in KB, growing; 0 behind the last.
     * All 0: L1 is what shared memory leaves, to the byte. */
    uint16_t carve_out_kilobytes[CARVE_OUTS_MAX];
    bool carves_out_for_more_blocks; /* than are resident (sim/time/carve_out.c) */
};

/* Oldest first; no two rows have a capability in common. */
extern const struct capability capabilities[];
extern const size_t capability_count;

/* The row of a compute capability, major and minor digit; NULL when there is none, which
 * rules_for says before anything else can ask. */
const struct capability *capability_find(int64_t sm);

/* The oldest row for which `has` holds; some has to. */
const struct capability *capability_first(bool (*has)(const struct capability *capability));

/* The rules of a GPU: those of its compute capability, with its own switches (L1 for global loads,
 * Kepler's bank mode) applied. False when its compute capability has none. */
bool rules_for(const struct arch *arch, struct rule_set *rules);

#endif
