/* bank_plan.c - which pass through the banks serves which lane.
 *
 * Loads and stores from Fermi on: in each group of lanes a bank serves its rows in the order in
 * which the lanes first ask for them, one row a pass. Atomics: a bank serves its lanes in order,
 * one a pass; increments that the GPU adds up by word go as loads and stores do. sm_1x: the steps of the guide, one pass a step, each 4-byte part on its own.
 *
 * Decision: the order of the passes inside a group is not documented by any source; lane order is
 * the simplest one, and only the number of passes is a fact.
 *
 * Sources: those of sim/rules/banks.c.
 */
#include "explain/bank_plan.h"

#include <string.h>

enum { BANK_ROWS = WARP_LANES };

/* The rows that one group has asked of each bank so far. */
struct bank_rows {
    uint32_t count[PLAN_BANKS];
    uint64_t row[PLAN_BANKS][BANK_ROWS];
};

static uint32_t row_bytes(enum bank_rule rule)
{
    return rule == BANKS_KEPLER_4 || rule == BANKS_KEPLER_8 ? 256 : 128;
}

static uint32_t group_lanes(enum bank_rule rule, const struct warp_access *a)
{
    bool is_kepler = rule == BANKS_KEPLER_4 || rule == BANKS_KEPLER_8;
    if (rule == BANKS_HALF_WARP_16)
        return 16;
    if (a->width <= 4 || (is_kepler && a->width == 8))
        return 32;
    return a->width == 8 || is_kepler ? 16 : 8;
}

static bool partners_agree(const struct warp_access *a, unsigned apart)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (access_lane_active(a, lane) && access_lane_active(a, lane ^ apart) &&
            access_addr(a, lane) != access_addr(a, lane ^ apart))
            return false;
    }
    return true;
}

static uint32_t merged_partners(enum bank_rule rule, const struct warp_access *a)
{
    if (rule != BANKS_PAIRED_32 || a->op != OP_LOAD || a->width <= 4 || access_is_matrix(a))
        return 0;
    return partners_agree(a, 1) ? 1 : partners_agree(a, 2) ? 2 : 0;
}

static uint32_t part_count(const struct warp_access *a)
{
    return a->width > 4 ? a->width / 4U : 1;
}

static struct bank_pass *add_pass(struct bank_plan *plan, uint32_t group, uint32_t first_part,
                                  uint32_t parts)
{
    struct bank_pass *pass = &plan->pass[plan->passes++];
    memset(pass, 0, sizeof *pass);
    pass->group = (uint8_t)group;
    pass->first_part = (uint8_t)first_part;
    pass->parts = (uint8_t)parts;
    return pass;
}

/* sm_1x: one half-warp and one 4-byte part, step by step. */
static void add_steps(struct bank_plan *plan, const struct warp_access *a, uint32_t lanes,
                      uint32_t group, uint32_t part)
{
    while (lanes != 0) {
        struct bank_pass *pass = add_pass(plan, group, part, 1);
        unsigned lowest = (unsigned)__builtin_ctz(lanes);
        pass->broadcast = (access_addr(a, lowest) / 4 + part) * 4;
        for (unsigned lane = lowest; lane < WARP_LANES; lane++) {
            uint64_t word = access_addr(a, lane) / 4 + part;
            if ((lanes >> lane & 1U) == 0)
                continue;
            if (word * 4 != pass->broadcast && pass->lanes[word % 16] != 0)
                continue;
            pass->lanes[word % 16] |= UINT32_C(1) << lane;
            lanes &= ~(UINT32_C(1) << lane);
        }
    }
}

/* How many rows of a bank come before this one; a new row goes to the end. */
static uint32_t find_row(struct bank_rows *rows, uint32_t bank, uint64_t row)
{
    uint32_t i = 0;
    while (i < rows->count[bank] && rows->row[bank][i] != row)
        i++;
    if (i == rows->count[bank])
        rows->row[bank][rows->count[bank]++] = row;
    return i;
}

/* Puts one lane into the passes of its group, which start at pass `start`. */
static void add_lane(struct bank_plan *plan, const struct warp_access *a, unsigned lane,
                     uint32_t group, uint32_t start, struct bank_rows *rows)
{
    for (uint32_t offset = 0; offset < a->width; offset += plan->bank_bytes) {
        uint64_t addr = access_addr(a, lane) + offset;
        uint32_t bank = banks_bank_of(plan->rule, addr);
        /* An atomic never shares a pass: the lane itself stands for the row. */
        uint64_t row = plan->by_lane ? lane : addr / row_bytes(plan->rule);
        uint32_t index = start + find_row(rows, bank, row);
        while (plan->passes <= index)
            add_pass(plan, group, 0, part_count(a));
        plan->pass[index].lanes[bank] |= UINT32_C(1) << lane;
    }
}

static void add_group(struct bank_plan *plan, const struct warp_access *a, uint32_t group)
{
    struct bank_rows rows;
    const uint32_t start = plan->passes, first = group * plan->group_lanes;
    memset(rows.count, 0, sizeof rows.count);
    for (unsigned lane = first; lane < first + plan->group_lanes; lane++) {
        if (access_lane_active(a, lane))
            add_lane(plan, a, lane, group, start, &rows);
    }
    if (plan->passes > start && plan->rule == BANKS_FERMI_32 && a->width == 16 && !plan->by_lane)
        add_pass(plan, group, 0, part_count(a))->is_overhead = true;
}

void bank_plan_make(const struct rule_set *rules, const struct warp_access *a,
                    struct bank_plan *plan)
{
    const enum bank_rule rule = plan->rule = rules->banks;
    plan->by_lane = banks_serve_lanes(rules, a);
    plan->banks = banks_count_of(rule);
    plan->bank_bytes = rule == BANKS_KEPLER_8 ? 8 : 4;
    plan->merged = merged_partners(rule, a);
    plan->group_lanes = group_lanes(rule, a) * (plan->merged != 0 ? 2 : 1);
    plan->passes = 0;
    for (uint32_t group = 0; group < WARP_LANES / plan->group_lanes; group++) {
        if (rule != BANKS_HALF_WARP_16 || plan->by_lane) {
            add_group(plan, a, group);
            continue;
        }
        for (uint32_t part = 0; part < part_count(a); part++)
            add_steps(plan, a, a->active & UINT32_C(0xffff) << 16 * group, group, part);
    }
}

static void add_word(uint64_t words[WARP_LANES], uint32_t *count, uint64_t word)
{
    for (uint32_t i = 0; i < *count; i++) {
        if (words[i] == word)
            return;
    }
    words[(*count)++] = word;
}

uint32_t bank_plan_words(const struct bank_plan *plan, const struct warp_access *a,
                         const struct bank_pass *pass, uint32_t bank, uint64_t words[WARP_LANES])
{
    uint32_t count = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if ((pass->lanes[bank] >> lane & 1U) == 0)
            continue;
        for (uint32_t part = pass->first_part; part < pass->first_part + pass->parts; part++) {
            uint64_t word = access_addr(a, lane) / 4 * 4 + part * UINT64_C(4);
            if (banks_bank_of(plan->rule, word) == bank)
                add_word(words, &count, word);
        }
    }
    return count;
}

uint32_t bank_plan_group_passes(const struct bank_plan *plan, uint32_t group)
{
    uint32_t passes = 0;
    for (uint32_t i = 0; i < plan->passes; i++)
        passes += plan->pass[i].group == group;
    return passes;
}

void constant_plan_make(const struct warp_access *a, bool half_warp, struct constant_plan *plan)
{
    uint32_t first_of_half = 0;
    plan->passes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (half_warp && lane == WARP_LANES / 2)
            first_of_half = plan->passes;
        if (!access_lane_active(a, lane))
            continue;
        uint32_t i = first_of_half;
        while (i < plan->passes && plan->addr[i] != access_addr(a, lane))
            i++;
        if (i == plan->passes) {
            plan->addr[plan->passes] = access_addr(a, lane);
            plan->lanes[plan->passes++] = 0;
        }
        plan->lanes[i] |= UINT32_C(1) << lane;
    }
}
