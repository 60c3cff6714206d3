/* oracle_banks.c - passes through the shared-memory banks and the constant port, written from the
 * rule text alone.
 *
 * Decisions: a word wider than a bank is a list of parts as wide as the bank, and every part counts
 * where it falls. On sm_1x a bank that is not broadcasting serves exactly one lane a step, even
 * when another lane has the same address. Atomics count lanes in a bank, and an 8-byte bank holds
 * an 8-byte word whole: a lone lane is one pass at any width. Increments count words, wherever they are
 * something apart.
 *
 * Sources: CUDA C Programming Guide 3.2, G.3.3 (sm_1x); 5.5, G.4.3 and G.5.3 (sm_2x, sm_3x); 11.7,
 * K.4 to K.8 (sm_5x to sm_90); pair merging and atomics as measured on sm_90.
 */
#include "oracle.h"

enum { MAX_BANKS = 32, MAX_PARTS = 4 };

/* For every bank the distinct words wanted from it; what a word is depends on the rule. */
struct bank_words {
    unsigned count[MAX_BANKS];
    uint64_t word[MAX_BANKS][WARP_LANES * MAX_PARTS];
};

static bool has_lane(uint32_t lanes, unsigned lane)
{
    return (lanes >> lane & 1U) != 0;
}

/* The lanes first, first + 1, ... of a group of `count`, which is at least 1. */
static uint32_t group_lanes(unsigned first, unsigned count)
{
    return UINT32_MAX >> (WARP_LANES - count) << first;
}

static uint32_t most_of(const unsigned count[MAX_BANKS])
{
    unsigned most = 0;
    for (unsigned bank = 0; bank < MAX_BANKS; bank++) {
        if (count[bank] > most)
            most = count[bank];
    }
    return most;
}

static void words_clear(struct bank_words *words)
{
    for (unsigned bank = 0; bank < MAX_BANKS; bank++)
        words->count[bank] = 0;
}

static void words_add(struct bank_words *words, unsigned bank, uint64_t word)
{
    for (unsigned i = 0; i < words->count[bank]; i++) {
        if (words->word[bank][i] == word)
            return;
    }
    words->word[bank][words->count[bank]] = word;
    words->count[bank]++;
}

unsigned oracle_bank_number(enum bank_rule rule)
{
    return rule == BANKS_HALF_WARP_16 ? 16 : 32;
}

static unsigned bank_bytes(enum bank_rule rule)
{
    return rule == BANKS_KEPLER_8 ? 8 : 4;
}

unsigned oracle_bank_of(enum bank_rule rule, uint64_t addr)
{
    return (unsigned)(addr / bank_bytes(rule) % oracle_bank_number(rule));
}

/* Two accesses of one bank do not conflict when their words are the same by this key. */
static uint64_t word_key(enum bank_rule rule, uint64_t addr)
{
    if (rule == BANKS_KEPLER_4)
        return addr / 4 / 64;
    return addr / bank_bytes(rule);
}

/* The parts of a lane's word that each fill one bank; 1 when the word is narrower than a bank. */
static unsigned parts_of(unsigned width, unsigned part_bytes)
{
    return width <= part_bytes ? 1 : width / part_bytes;
}

/* The most distinct words in one bank, over all parts of these lanes. */
static uint32_t most_words(enum bank_rule rule, const uint64_t addr[WARP_LANES], uint32_t lanes,
                           unsigned width)
{
    struct bank_words words;
    words_clear(&words);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!has_lane(lanes, lane))
            continue;
        for (unsigned part = 0; part < parts_of(width, bank_bytes(rule)); part++) {
            uint64_t at = addr[lane] + part * bank_bytes(rule);
            words_add(&words, oracle_bank_of(rule, at), word_key(rule, at));
        }
    }
    return most_of(words.count);
}

/* The most lanes on different 16-byte addresses of one bank, as sm_2x counts them. */
static uint32_t most_wide_addresses(const uint64_t addr[WARP_LANES], uint32_t lanes)
{
    struct bank_words words;
    words_clear(&words);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!has_lane(lanes, lane))
            continue;
        for (unsigned part = 0; part < 4; part++)
            words_add(&words, oracle_bank_of(BANKS_FERMI_32, addr[lane] + 4 * part), addr[lane]);
    }
    return most_of(words.count);
}

/* sm_1x: the lanes that one step serves, of those not yet served. */
static uint32_t serve_one_step(const uint64_t at[WARP_LANES], uint32_t unserved)
{
    unsigned lowest = 0;
    while (!has_lane(unserved, lowest))
        lowest++;
    uint64_t broadcast_word = at[lowest] / 4;
    uint32_t served = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (has_lane(unserved, lane) && at[lane] / 4 == broadcast_word)
            served |= (uint32_t)1 << lane;
    }
    for (unsigned bank = 0; bank < 16; bank++) {
        if (bank == oracle_bank_of(BANKS_HALF_WARP_16, at[lowest]))
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (has_lane(unserved, lane) && oracle_bank_of(BANKS_HALF_WARP_16, at[lane]) == bank) {
                served |= (uint32_t)1 << lane;
                break;
            }
        }
    }
    return served;
}

/* sm_1x: one half-warp, one 4-byte request for each part. */
static struct bank_passes half_warp_passes(const uint64_t addr[WARP_LANES], uint32_t lanes,
                                           unsigned width)
{
    struct bank_passes sum = {0, 0};
    for (unsigned part = 0; part < parts_of(width, 4); part++) {
        uint64_t at[WARP_LANES] = {0};
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            at[lane] = has_lane(lanes, lane) ? addr[lane] + 4 * part : 0;
        uint32_t unserved = lanes;
        while (unserved != 0) {
            unserved &= ~serve_one_step(at, unserved);
            sum.passes++;
        }
        sum.ideal++;
    }
    return sum;
}

/* Every active lane t of the warp has its partner t ^ x inactive or on the same address. */
static bool is_paired(const uint64_t addr[WARP_LANES], uint32_t active, unsigned x)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned partner = lane ^ x;
        if (has_lane(active, lane) && has_lane(active, partner) && addr[lane] != addr[partner])
            return false;
    }
    return true;
}

/* Lanes whose passes are counted together. */
static unsigned lanes_in_group(enum bank_rule rule, enum mem_op op, const uint64_t addr[WARP_LANES],
                               uint32_t active, unsigned width)
{
    if (rule == BANKS_HALF_WARP_16)
        return 16;
    if (width <= 4)
        return 32;
    if (rule == BANKS_KEPLER_4 || rule == BANKS_KEPLER_8)
        return width == 8 ? 32 : 16;
    unsigned lanes = width == 8 ? 16 : 8;
    if (rule == BANKS_PAIRED_32 && op == OP_LOAD &&
        (is_paired(addr, active, 1) || is_paired(addr, active, 2)))
        return lanes * 2;
    return lanes;
}

static struct bank_passes group_passes(enum bank_rule rule, const uint64_t addr[WARP_LANES],
                                       uint32_t lanes, unsigned width)
{
    if (rule == BANKS_HALF_WARP_16)
        return half_warp_passes(addr, lanes, width);
    if (rule == BANKS_FERMI_32 && width == 16)
        return (struct bank_passes){1 + most_wide_addresses(addr, lanes), 1};
    return (struct bank_passes){most_words(rule, addr, lanes, width), 1};
}

struct bank_passes oracle_banks(enum bank_rule rule, enum mem_op op,
                                const uint64_t addr[WARP_LANES], uint32_t active, unsigned width)
{
    struct bank_passes sum = {0, 0};
    unsigned count = lanes_in_group(rule, op, addr, active, width);
    for (unsigned first = 0; first < WARP_LANES; first += count) {
        uint32_t lanes = active & group_lanes(first, count);
        if (lanes == 0)
            continue;
        struct bank_passes group = group_passes(rule, addr, lanes, width);
        sum.passes += group.passes;
        sum.ideal += group.ideal;
    }
    return sum;
}

struct bank_passes oracle_banks_atomic(enum bank_rule rule, const uint64_t addr[WARP_LANES],
                                       uint32_t active, unsigned width)
{
    struct bank_passes sum = {0, 0};
    bool kepler = rule == BANKS_KEPLER_4 || rule == BANKS_KEPLER_8;
    unsigned count = rule == BANKS_HALF_WARP_16 || (width == 8 && !kepler) ? 16 : 32;
    if (width == 16 && rule != BANKS_HALF_WARP_16)
        count = kepler ? 16 : 8;
    for (unsigned first = 0; first < WARP_LANES; first += count) {
        uint32_t lanes = active & group_lanes(first, count);
        unsigned in_bank[MAX_BANKS] = {0};
        if (lanes == 0)
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            for (unsigned part = 0;
                 has_lane(lanes, lane) && part < parts_of(width, bank_bytes(rule)); part++)
                in_bank[oracle_bank_of(rule, addr[lane] + part * bank_bytes(rule))]++;
        }
        sum.passes += most_of(in_bank);
        sum.ideal++;
    }
    return sum;
}

struct bank_passes oracle_banks_increment(const uint64_t addr[WARP_LANES], uint32_t active)
{
    unsigned in_bank[MAX_BANKS] = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool is_counted = false;
        for (unsigned other = 0; other < lane; other++)
            is_counted |= has_lane(active, other) && addr[other] == addr[lane];
        if (has_lane(active, lane) && !is_counted)
            in_bank[addr[lane] / 4 % MAX_BANKS]++;
    }
    return (struct bank_passes){most_of(in_bank), 1};
}

/* Whether no lower one of these lanes has the same value. */
static bool is_first_with_value(const uint64_t value[WARP_LANES], uint32_t lanes, unsigned lane)
{
    for (unsigned other = 0; other < lane; other++) {
        if (has_lane(lanes, other) && value[other] == value[lane])
            return false;
    }
    return true;
}

uint32_t oracle_constant_passes(const uint64_t addr[WARP_LANES], uint32_t active, bool half_warp)
{
    uint32_t passes = 0;
    unsigned count = half_warp ? 16 : 32;
    for (unsigned first = 0; first < WARP_LANES; first += count) {
        uint32_t lanes = active & group_lanes(first, count);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (has_lane(lanes, lane) && is_first_with_value(addr, lanes, lane))
                passes++;
        }
    }
    return passes;
}

static unsigned most_rows(const uint64_t addr[WARP_LANES], uint32_t active, unsigned first)
{
    unsigned most = 0;
    for (unsigned group = 0; group < 8; group++) {
        unsigned rows = 0;
        for (unsigned lane = first; lane < first + 8; lane++) {
            bool counts = has_lane(active, lane) && addr[lane] / 16 % 8 == group;
            for (unsigned before = first; before < lane; before++)
                if (has_lane(active, before) && addr[before] == addr[lane])
                    counts = false;
            rows += counts;
        }
        most = rows > most ? rows : most;
    }
    return most;
}

struct bank_passes oracle_banks_matrix(const uint64_t addr[WARP_LANES], uint32_t active)
{
    struct bank_passes sum = {0, 0};
    for (unsigned first = 0; first < WARP_LANES; first += 8) {
        const unsigned rows = most_rows(addr, active, first);
        sum.passes += rows;
        sum.ideal += rows > 0;
    }
    return sum;
}
