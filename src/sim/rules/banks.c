/* banks.c - shared and constant memory: one warp access -> passes.
 *
 * From Fermi on a pass serves one row of every bank, so the passes of a group of lanes are the most
 * distinct rows asked of one bank. The generations differ in the bank's width, in what counts as a
 * row, and in the groups that wide words are cut into: a row of a table each. sm_1x serves lanes,
 * not rows, and is stepped through.
 *
 * Modelling decisions:
 * - A word wider than a bank takes an aligned set of neighbouring banks, and no two words of one
 *   access overlap in part. One count for each such set therefore replaces one for each bank.
 * - sm_1x: each step broadcasts the word of the lowest lane left, and every other bank serves its
 *   lowest lane left. The guide leaves both choices open. The 4-byte parts of a wide word are the
 *   same pattern moved by one bank, so they take equally many steps.
 * - Fermi's extra pass for each quarter-warp of 16-byte words is a conflict, not part of the ideal.
 * - ldmatrix and stmatrix: a matrix, the 16-byte rows of 8 lanes, is a group of its own, and no two are merged.
 * - Atomics: a lane counts once in each bank that its word touches. Increments of words of 4 bytes
 *   (ATOMS.POPC.INC) are added up by word before they go to the banks, and pass as stores would.
 *
 * Sources: CUDA C Programming Guide 3.2 G.3.3 (sm_1x), 5.5 G.4.3 (sm_2x) and G.5.3 (sm_3x), 11.7 K
 * (sm_50 on); groups of wide words, pair merging, matrices and atomics measured on H200.
 */
#include "sim/rules/banks.h"

#include "sim/rules/banks_affine.h"
#include "sim/rules/keyset.h"
#include "sim/rules/lanes.h"

#include <string.h>

/* Bank of an address: its bits from bank_log2 up to span_log2. Row: its bits from row_log2 up. */
struct bank_shape {
    uint8_t bank_log2; /* bytes a bank */
    uint8_t span_log2; /* bytes all banks together */
    uint8_t row_log2;  /* bytes that one pass can reach */
    uint8_t group_lanes[WIDTH_KINDS];
};

static const struct bank_shape shapes[BANK_RULE_COUNT] = {
    [BANKS_HALF_WARP_16] = {2, 6, 6, {16, 16, 16, 16, 16}},
    [BANKS_FERMI_32] = {2, 7, 7, {32, 32, 32, 16, 8}},
    [BANKS_KEPLER_4] = {2, 7, 8, {32, 32, 32, 32, 16}},
    [BANKS_KEPLER_8] = {3, 8, 8, {32, 32, 32, 32, 16}},
    [BANKS_GROUPED_32] = {2, 7, 7, {32, 32, 32, 16, 8}},
    [BANKS_PAIRED_32] = {2, 7, 7, {32, 32, 32, 16, 8}},
};

static struct bank_request request_make(enum bank_rule rule, const struct warp_access *a)
{
    const struct bank_shape *shape = &shapes[rule];
    uint32_t width_log2 = access_width_log2(a);
    return (struct bank_request){
        .unit_log2 = width_log2 > shape->bank_log2 ? width_log2 : shape->bank_log2,
        .span_log2 = shape->span_log2,
        .row_log2 = shape->row_log2,
        .group_lanes = shape->group_lanes[width_log2],
    };
}

static uint32_t request_bank(const struct bank_request *r, uint64_t addr)
{
    return (uint32_t)(addr & ((UINT64_C(1) << r->span_log2) - 1)) >> r->unit_log2;
}

/* Drops rows that have come before; how many are left. No two neighbours are the same. */
static uint32_t drop_repeats(uint64_t *row, uint32_t count)
{
    uint32_t kept = 0, steps_up = 0;
    for (uint32_t i = 1; i < count; i++)
        steps_up += row[i] > row[i - 1];
    if (steps_up == 0 ||
        steps_up == count - 1) /* in order, as a column is read: up to 1.1 times the rate */
        return count;
    for (uint32_t i = 0, k; i < count; i++) {
        for (k = 0; k < kept && row[k] != row[i];)
            k++;
        row[kept] = row[i];
        kept += k == kept;
    }
    return kept;
}

static uint32_t find_longest(const uint8_t count[WARP_LANES])
{
    uint32_t longest = 0;
    for (uint32_t bank = 1; bank < WARP_LANES; bank++)
        longest = count[bank] > count[longest] ? bank : longest;
    return longest;
}

/* Each bank keeps the rows asked of it, but for one asked twice in a row. Its count is then too
 * high only where a row comes back after another one, so looking closer at the longest is enough,
 * which is 1.8 to 3 times the rate of the rules where banks conflict. */
static uint32_t count_group(const struct bank_request *r, const uint64_t addr[WARP_LANES],
                            uint32_t lanes)
{
    uint64_t rows[WARP_LANES][WARP_LANES], last[WARP_LANES];
    uint8_t count[WARP_LANES] = {0};
    uint32_t longest = 0, most = 0;
    memset(last, 0xff, sizeof last);
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t at = addr[lanes_lowest(lanes)], row = at >> r->row_log2;
        uint32_t bank = request_bank(r, at), now = count[bank];
        rows[bank][now] = row;
        now += row != last[bank];
        last[bank] = row;
        count[bank] = (uint8_t)now;
        longest = now > most ? bank : longest;
        most = now > most ? now : most;
    }
    for (;; longest = find_longest(count)) {
        most = drop_repeats(rows[longest], count[longest]);
        if (most == count[longest])
            return most;
        count[longest] = (uint8_t)most;
    }
}

/* Whether one row holds all that the lanes of a full warp want: 1.4 to 2.8 times the rate of
 * the rules where it does. */
static bool is_one_row(const struct bank_request *r, const uint64_t addr[WARP_LANES])
{
    uint64_t differs = addr[0] ^ addr[WARP_LANES - 1];
    if (differs >> r->row_log2 != 0)
        return false;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        differs |= addr[i] ^ addr[0];
    return differs >> r->row_log2 == 0;
}

static struct bank_passes count_groups(struct bank_request r, const struct warp_access *a)
{
    const uint32_t groups = lanes_count_groups(a->active, r.group_lanes);
    struct bank_passes sum = {0, groups};
    uint64_t room[WARP_LANES];
    if (banks_affine_fits(&r, a)) {
        for (uint32_t first = 0; first < WARP_LANES; first += r.group_lanes)
            sum.passes += banks_affine_group(r, a, first);
        return sum;
    }
    if (banks_affine_is_one_row(&r, a))
        return (struct bank_passes){groups, groups};
    const uint64_t *addr = access_addresses(a, room);
    if (a->active == UINT32_MAX && is_one_row(&r, addr))
        return (struct bank_passes){groups, groups};
    for (uint32_t first = 0; first < WARP_LANES; first += r.group_lanes)
        sum.passes += count_group(&r, addr, a->active & lanes_range(first, r.group_lanes));
    return sum;
}

/* Whether every two active lanes that differ in bit `apart` (1 or 2) alone share their address. */
static bool pairs_agree(const struct warp_access *a, uint32_t apart)
{
    uint32_t lower = apart == 1 ? 0x55555555U : 0x33333333U;
    for (uint32_t t = a->active & a->active >> apart & lower; t != 0; t &= t - 1) {
        uint32_t lane = lanes_lowest(t);
        if (access_addr(a, lane) != access_addr(a, lane + apart))
            return false;
    }
    return true;
}

static bool merges_pairs(enum bank_rule rule, const struct warp_access *a)
{
    return rule == BANKS_PAIRED_32 && a->op == OP_LOAD && a->width >= 8 && !access_is_matrix(a) &&
           (pairs_agree(a, 1) || pairs_agree(a, 2));
}

/* The most lanes in one bank. */
static uint32_t count_most_lanes(const struct bank_request *r, const struct warp_access *a,
                                 uint32_t lanes)
{
    uint8_t wanting[WARP_LANES] = {0}; /* by bank: lanes so far */
    uint32_t most = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint32_t now = ++wanting[request_bank(r, access_addr(a, lanes_lowest(lanes)))];
        most = now > most ? now : most;
    }
    return most;
}

/* The steps of one half-warp of sm_1x, for one 4-byte part of the words. */
static uint32_t count_half_warp_steps(const struct warp_access *a, uint32_t lanes)
{
    uint64_t word[WARP_LANES];
    uint32_t steps = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        word[lanes_lowest(rest)] = access_addr(a, lanes_lowest(rest)) >> 2;
    for (; lanes != 0; steps++) {
        uint64_t broadcast = word[lanes_lowest(lanes)];
        uint32_t busy = 1U << (broadcast & 15);
        for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            uint64_t wanted = word[lanes_lowest(rest)];
            uint32_t bank = 1U << (wanted & 15);
            if (wanted == broadcast || (busy & bank) == 0)
                lanes ^= rest & -rest;
            busy |= bank;
        }
    }
    return steps;
}

static bool words_differ(const uint64_t addr[restrict WARP_LANES])
{
    uint64_t word[WARP_LANES];
    struct key_set set;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        word[i] = addr[i] >> 2;
    return key_set_all_differ(&set, word);
}

/* The steps of both half-warps. Where no word is wanted twice, no broadcast serves two lanes, and
 * they are the most lanes in one bank: 1.7 times the rate of the rules where a warp reads a tile. */
static uint32_t count_warp_steps(const struct bank_request *r, const struct warp_access *a)
{
    const uint32_t low = a->active & lanes_range(0, HALF_WARP_LANES), high = a->active ^ low;
    uint64_t room[WARP_LANES];
    const uint64_t *addr = access_addresses(a, room);
    if (a->active == UINT32_MAX && addr[0] >> 2 != addr[1] >> 2) {
        uint32_t steps = count_most_lanes(r, a, low) + count_most_lanes(r, a, high);
        if (steps == 2 || words_differ(addr))
            return steps;
    }
    return count_half_warp_steps(a, low) + count_half_warp_steps(a, high);
}

static struct bank_passes count_half_warps(struct bank_request r, const struct warp_access *a)
{
    const uint32_t parts = a->width > 4 ? a->width / 4U : 1;
    struct bank_passes sum = {0, parts * lanes_count_groups(a->active, HALF_WARP_LANES)};
    r.unit_log2 = 2;
    if (banks_affine_fits(&r, a))
        sum.passes = sum.ideal * banks_affine_group(r, a, 0);
    else
        sum.passes = parts * count_warp_steps(&r, a);
    return sum;
}

struct bank_passes banks_count(enum bank_rule rule, const struct warp_access *a)
{
    struct bank_request r = request_make(rule, a);
    if (rule == BANKS_HALF_WARP_16)
        return count_half_warps(r, a);
    if (merges_pairs(rule, a))
        r.group_lanes *= 2;
    struct bank_passes sum = count_groups(r, a);
    if (rule == BANKS_FERMI_32 && a->width == 16)
        sum.passes += sum.ideal;
    return sum;
}

struct bank_passes banks_count_atomic(enum bank_rule rule, const struct warp_access *a)
{
    const struct bank_request r = request_make(rule, a);
    const uint32_t group = rule == BANKS_HALF_WARP_16 ? HALF_WARP_LANES : r.group_lanes;
    struct bank_passes sum = {0, lanes_count_groups(a->active, group)};
    for (uint32_t first = 0; first < WARP_LANES; first += group)
        sum.passes += count_most_lanes(&r, a, a->active & lanes_range(first, group));
    return sum;
}

bool banks_serve_lanes(const struct rule_set *rules, const struct warp_access *a)
{
    const bool by_word = rules->increments_by_word && (a->flags & ACCESS_INCREMENT) != 0;
    return a->op == OP_ATOMIC && !by_word;
}

struct bank_passes banks_count_shared(const struct rule_set *rules, const struct warp_access *a)
{
    return banks_serve_lanes(rules, a) ? banks_count_atomic(rules->banks, a)
                                       : banks_count(rules->banks, a);
}

uint32_t banks_constant_passes(const struct warp_access *a, bool half_warp)
{
    if (!half_warp)
        return key_set_count_addresses(a, a->active);
    return key_set_count_addresses(a, a->active & UINT16_MAX) +
           key_set_count_addresses(a, a->active & ~(uint32_t)UINT16_MAX);
}

uint32_t banks_bank_of(enum bank_rule rule, uint64_t addr)
{
    return (uint32_t)(addr >> shapes[rule].bank_log2) & (banks_count_of(rule) - 1);
}

uint32_t banks_count_of(enum bank_rule rule)
{
    return 1U << (shapes[rule].span_log2 - shapes[rule].bank_log2);
}
