/* oracle_l1.c - the two stages of the L1, written from the rule text alone: tag wavefronts, data
 * passes of loads, stores and atomics.
 *
 * Source: as measured on sm_90 (docs/model.md, chapters 6 and 7).
 */
#include "oracle.h"

enum { TAG_BANKS = 4 };

static bool has_lane(uint32_t lanes, unsigned lane)
{
    return (lanes >> lane & 1U) != 0;
}

uint32_t oracle_tag_bank(uint64_t line)
{
    static const unsigned code_01[] = {0, 2, 5, 9, 11, 13, 16, 18, 22};
    static const unsigned code_10[] = {1, 3, 6, 8, 10, 15, 20};
    static const unsigned code_11[] = {4, 7, 12, 14, 17, 19, 21};
    uint32_t bank = 0;
    for (unsigned i = 0; i < sizeof code_01 / sizeof *code_01; i++)
        bank ^= (line >> code_01[i] & 1) != 0 ? 1 : 0;
    for (unsigned i = 0; i < sizeof code_10 / sizeof *code_10; i++)
        bank ^= (line >> code_10[i] & 1) != 0 ? 2 : 0;
    for (unsigned i = 0; i < sizeof code_11 / sizeof *code_11; i++)
        bank ^= (line >> code_11[i] & 1) != 0 ? 3 : 0;
    return bank;
}

/* Gives every active lane the tag wavefront, from 0, that looks up its line; their number. */
static uint32_t assign_wavefronts(const uint64_t addr[WARP_LANES], uint32_t active,
                                  unsigned wavefront[WARP_LANES])
{
    unsigned lines_in_bank[TAG_BANKS] = {0}, most = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!has_lane(active, lane))
            continue;
        bool is_new = true;
        for (unsigned other = 0; other < lane; other++) {
            if (has_lane(active, other) && addr[other] / 128 == addr[lane] / 128) {
                is_new = false;
                wavefront[lane] = wavefront[other];
            }
        }
        if (is_new) {
            uint32_t bank = oracle_tag_bank(addr[lane] / 128);
            wavefront[lane] = lines_in_bank[bank];
            lines_in_bank[bank]++;
            most = lines_in_bank[bank] > most ? lines_in_bank[bank] : most;
        }
    }
    return most;
}

/* The lines of a tag wavefront: its lanes, but for those on the line of a lower lane. */
static unsigned lines_of(const uint64_t addr[WARP_LANES], uint32_t active,
                         const unsigned wavefront[WARP_LANES], unsigned k)
{
    unsigned lines = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool counts = has_lane(active, lane) && wavefront[lane] == k;
        for (unsigned other = 0; other < lane; other++)
            counts = counts && !(has_lane(active, other) && addr[other] / 128 == addr[lane] / 128);
        lines += counts;
    }
    return lines;
}

/* Stores, the times of the rule: a line leaves in 5, a wavefront comes 1 after the last and when
 * the one `places` before it begins to leave, and joins it when it comes within 6. */
static void find_times(const uint64_t addr[WARP_LANES], uint32_t active,
                       const unsigned wavefront[WARP_LANES], unsigned places,
                       unsigned comes[WARP_LANES])
{
    unsigned begins[WARP_LANES] = {0};
    comes[0] = 0;
    for (unsigned k = 1; k < WARP_LANES; k++) {
        comes[k] = comes[k - 1] + 1;
        if (k >= places && begins[k - places] > comes[k])
            comes[k] = begins[k - places];
        begins[k] = begins[k - 1] + 5 * lines_of(addr, active, wavefront, k - 1);
        if (begins[k] < comes[k])
            begins[k] = comes[k];
    }
}

/* Passes of a store, batch by batch. */
static uint32_t store_passes(const uint64_t addr[WARP_LANES], uint32_t active, unsigned width,
                             const unsigned wavefront[WARP_LANES], unsigned tag)
{
    const unsigned places = width < 4 ? 4 : 8;
    unsigned comes[WARP_LANES], first = 0;
    uint32_t passes = 0, lanes = 0;
    find_times(addr, active, wavefront, places, comes);
    for (unsigned k = 0; k < tag; k++) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            lanes |= has_lane(active, lane) && wavefront[lane] == k ? (uint32_t)1 << lane : 0;
        bool is_last = k + 1 == tag, is_full = k + 1 - first == places;
        if (!is_last && !is_full && (k + 1 < places || comes[k + 1] - comes[k] <= 6))
            continue;
        uint32_t batch = oracle_banks(BANKS_GROUPED_32, OP_STORE, addr, lanes, width).passes;
        passes += batch;
        if (!is_last && width < 4 && batch > 8)
            passes += batch > 15 ? 7 : batch - 8;
        first = k + 1;
        lanes = 0;
    }
    return passes;
}

struct l1_wavefronts oracle_l1stage(enum mem_op op, const uint64_t addr[WARP_LANES],
                                    uint32_t active, unsigned width)
{
    unsigned wavefront[WARP_LANES] = {0};
    uint32_t served[WARP_LANES] = {0}; /* by wavefront */
    struct l1_wavefronts result = {assign_wavefronts(addr, active, wavefront), 0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (has_lane(active, lane))
            served[wavefront[lane]] |= (uint32_t)1 << lane;
    }
    if (op == OP_STORE)
        result.data += store_passes(addr, active, width, wavefront, result.tag);
    for (unsigned k = 0; op != OP_STORE && k < result.tag; k++)
        result.data += oracle_banks(BANKS_GROUPED_32, OP_LOAD, addr, served[k], width).passes;
    return result;
}

uint32_t oracle_l1stage_atomic(const uint64_t addr[WARP_LANES], uint32_t active, unsigned width)
{
    uint32_t passes = 0, left = active;
    while (left != 0) {
        unsigned wavefront[WARP_LANES] = {0};
        uint32_t round = oracle_round(addr, left);
        uint32_t wavefronts = assign_wavefronts(addr, round, wavefront);
        for (unsigned k = 0; k < wavefronts; k++) {
            uint32_t served = 0;
            for (unsigned lane = 0; lane < WARP_LANES; lane++) {
                if (has_lane(round, lane) && wavefront[lane] == k)
                    served |= (uint32_t)1 << lane;
            }
            passes += oracle_banks_atomic(BANKS_GROUPED_32, addr, served, width).passes;
        }
        left &= ~round;
    }
    return passes;
}
