/* coalesce.c - global memory: one warp access -> memory transactions, sm_20 to sm_90.
 *
 * From Fermi on every rule has the same shape and is a row of a table: the warp is cut into groups
 * of lanes, and each group moves the distinct aligned segments that it touches. The rules differ in
 * the segment (128-byte line or 32-byte sector), in the groups that share traffic, and in the
 * groups that count as requests. sm_1x is in coalesce_half_warp.c.
 *
 * The rules are here twice: as lists that name every lane, plainly, and as sums, fast: 1.9 times the rate
 * of the rules alone over the gallery. The sums of an affine access of the whole warp are closed forms,
 * those of others come from its lines.
 *
 * Modelling decisions:
 * - A word belongs to the segment of its first byte; natural alignment keeps words whole.
 * - A group without an active lane makes neither a request nor traffic.
 * - Stores of sm_20 to sm_37 are one request a warp, whatever the width.
 *
 * Sources: CUDA C Programming Guide 5.5 G.4.2 and G.5.2 (sm_20 to sm_37), 11.7 K.4 to K.8 (sm_50 to
 * sm_90); the groups of sm_50 to sm_62 agree with nvprof on Tegra X1 and GTX 1080, the whole-warp
 * sectors of sm_70 on with ncu on V100, RTX 4090 and H200.
 */
#include "sim/rules/coalesce.h"

#include "sim/rules/coalesce_affine.h"
#include "sim/rules/coalesce_half_warp.h"
#include "sim/rules/coalesce_lines.h"
#include "sim/rules/coalesce_lists.h"
#include "sim/rules/keyset.h"
#include "sim/rules/lanes.h"
#include "sim/rules/transfers.h"

/* How a warp is cut into groups of lanes. */
enum split { WHOLE_WARP, BY_HALF_WARP, BY_128_BYTES, BY_32_BYTES };

static const uint8_t group_lanes[][WIDTH_KINDS] = {
    [WHOLE_WARP] = {32, 32, 32, 32, 32},
    [BY_HALF_WARP] = {16, 16, 16, 16, 16},
    [BY_128_BYTES] = {32, 32, 32, 16, 8},
    [BY_32_BYTES] = {8, 8, 8, 4, 2},
};

struct segment_rule {
    uint8_t segment_log2;
    uint8_t traffic_split; /* the lanes of a group share what they fetch */
    uint8_t request_split; /* a group is a request */
};

/* The segments of sm_1x are in coalesce_half_warp.c. */
static const struct segment_rule segment_rules[COALESCE_RULE_COUNT] = {
    [COALESCE_HALF_WARP_STRICT] = {.request_split = BY_HALF_WARP},
    [COALESCE_HALF_WARP_SEGMENT] = {.request_split = BY_HALF_WARP},
    [COALESCE_LANE] = {.request_split = BY_HALF_WARP},
    [COALESCE_LINE_128] = {LINE_LOG2, BY_128_BYTES, BY_128_BYTES},
    [COALESCE_SEGMENT_32] = {SECTOR_LOG2, BY_128_BYTES, BY_128_BYTES},
    [COALESCE_STORE_124] = {SECTOR_LOG2, WHOLE_WARP, WHOLE_WARP},
    [COALESCE_SECTOR_GROUPED] = {SECTOR_LOG2, BY_32_BYTES, BY_32_BYTES},
    [COALESCE_SECTOR_SPLIT_REQUESTS] = {SECTOR_LOG2, WHOLE_WARP, BY_32_BYTES},
    [COALESCE_SECTOR] = {SECTOR_LOG2, WHOLE_WARP, WHOLE_WARP},
    [COALESCE_SECTOR_ROUNDS] = {SECTOR_LOG2, WHOLE_WARP, WHOLE_WARP},
};

/* ---- Lists ------------------------------------------------------------------------------------
 */

static void sort_by_address(struct transaction *list, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct transaction moved = list[i];
        uint32_t to = i;
        for (; to != 0 && list[to - 1].addr > moved.addr; to--)
            list[to] = list[to - 1];
        list[to] = moved;
    }
}

/* The transactions from the first of `list` on that lie in the same aligned block. */
static uint32_t run_in_block(const struct transaction *list, uint32_t count, uint32_t block_log2)
{
    uint32_t run = 1;
    while (run < count && list[run].addr >> block_log2 == list[0].addr >> block_log2)
        run++;
    return run;
}

/* Four sectors of a 128-byte line become one transaction; where some are missing, the two of a
 * 64-byte half still do. */
static void merge_sectors(struct coalesced *out)
{
    sort_by_address(out->list, out->transactions);
    uint32_t merged = 0, line_left = 0, step;
    for (uint32_t i = 0; i < out->transactions; i += step, line_left -= step) {
        const struct transaction *from = out->list + i;
        if (line_left == 0)
            line_left = run_in_block(from, out->transactions - i, LINE_LOG2);
        step = line_left == 4 ? 4 : run_in_block(from, line_left, 6);
        struct transaction t = {from->addr, SECTOR_BYTES * step, 0};
        for (uint32_t k = 0; k < step; k++)
            t.lanes |= from[k].lanes;
        out->list[merged++] = t;
    }
    out->transactions = merged;
}

void coalesce(enum coalesce_rule rule, const struct warp_access *a, struct coalesced *out)
{
    const struct segment_rule *row = &segment_rules[rule];
    const uint32_t width_log2 = access_width_log2(a);
    out->transactions = out->bytes_moved = 0;
    out->requests = lanes_count_groups(a->active, group_lanes[row->request_split][width_log2]);
    if (row->segment_log2 == 0) {
        coalesce_half_warp(rule, a, out);
        return;
    }
    if (rule == COALESCE_SECTOR_ROUNDS)
        coalesce_collect_rounds(a, out);
    else
        coalesce_collect(a, group_lanes[row->traffic_split][width_log2], row->segment_log2, out);
    out->bytes_moved = out->transactions << row->segment_log2;
    if (rule == COALESCE_STORE_124)
        merge_sectors(out);
}

/* ---- Sums -------------------------------------------------------------------------------------
 */

/* Groups of sm_50 to sm_62 are smaller than those of the words' masks. */
static uint32_t list_segments(const struct warp_access *a, uint32_t group, uint32_t segment_log2)
{
    struct coalesced list;
    list.transactions = 0;
    coalesce_collect(a, group, segment_log2, &list);
    return list.transactions;
}

static uint32_t count_segments(const struct segment_rule *rule, struct warp_lines *lines)
{
    const struct warp_access *a = lines->access;
    const uint32_t group = group_lanes[rule->traffic_split][access_width_log2(a)];
    const uint32_t line_words = access_line_words(a);
    uint32_t sum = 0;
    if (access_is_full_affine(a))
        return coalesce_affine_segments(a, group, rule->segment_log2);
    coalesce_lines_find(lines);
    if (lines->count == lanes_count(a->active))
        return lines->count;
    if (group < line_words)
        return list_segments(a, group, rule->segment_log2);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t words = lines_words(lines, i);
        if (group > line_words)
            words = lines_any_words(words, line_words);
        sum += rule->segment_log2 == LINE_LOG2 ? lanes_count_groups(words, line_words)
                                               : lanes_count(lines_mark_sectors(words, line_words));
    }
    return sum;
}

static struct store_sectors count_store(struct warp_lines *lines)
{
    const struct warp_access *a = lines->access;
    struct store_sectors sum = {0, 0, 0};
    if (coalesce_affine_is_run(a))
        return coalesce_affine_store(a);
    coalesce_lines_find(lines);
    if (lines->count == lanes_count(a->active))
        return (struct store_sectors){.sectors = lines->count};
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t m = lines_sectors(lines_words(lines, i), access_line_words(a));
        sum.sectors += sectors_count(m);
        sum.pairs += (m & m >> 1 & 1) + (m >> 2 & m >> 3);
        sum.lines += m == ALL_SECTORS;
    }
    return sum;
}

static uint32_t count_bytes_used(struct warp_lines *lines)
{
    const struct warp_access *a = lines->access;
    uint32_t words = 0;
    if (access_is_full_affine(a))
        return coalesce_affine_bytes(a);
    coalesce_lines_find(lines);
    if (lines->count == lanes_count(a->active))
        return lines->count * a->width;
    if (a->width < 4)
        return key_set_count_addresses(a, a->active) * a->width;
    for (uint32_t i = 0; i < lines->count; i++)
        words += lanes_count(lines_any_words(lines_words(lines, i), access_line_words(a)));
    return words * a->width;
}

uint32_t coalesce_distinct_bytes(const struct warp_access *a)
{
    struct warp_lines lines;
    coalesce_lines_start(&lines, a);
    return count_bytes_used(&lines);
}

static void list_transfers(enum coalesce_rule rule, struct warp_lines *lines, struct transfers *out)
{
    struct coalesced list;
    if (segment_rules[rule].segment_log2 == 0) {
        coalesce_half_warp_transfers(rule, lines, out);
        return;
    }
    coalesce(rule, lines->access, &list);
    transfers_start(out);
    for (uint32_t i = 0; i < list.transactions; i++)
        transfers_add(out, list.list[i].addr, list.list[i].bytes);
}

/* How many of 32, 64 and 128 bytes. */
static void set_sizes(struct coalesce_counts *counts, uint32_t sectors, uint32_t pairs,
                      uint32_t lines)
{
    counts->transactions_32b = sectors;
    counts->transactions_64b = pairs;
    counts->transactions_128b = lines;
    counts->transactions = sectors + pairs + lines;
    counts->bytes_moved = SECTOR_BYTES * (sectors + 2 * pairs + 4 * lines);
}

void coalesce_count(enum coalesce_rule rule, struct warp_lines *lines,
                    struct coalesce_counts *counts, struct transfers *transfers)
{
    const struct segment_rule *row = &segment_rules[rule];
    const struct warp_access *a = lines->access;
    struct transfers own, *moved = transfers == NULL ? &own : transfers;
    counts->bytes_used = count_bytes_used(lines);
    counts->requests =
        lanes_count_groups(a->active, group_lanes[row->request_split][access_width_log2(a)]);
    if (transfers != NULL || row->segment_log2 == 0) {
        list_transfers(rule, lines, moved);
        set_sizes(counts, moved->of_size[0], moved->of_size[1], moved->of_size[2]);
    } else if (rule == COALESCE_STORE_124) {
        const struct store_sectors sum = count_store(lines);
        set_sizes(counts, sum.sectors - 2 * sum.pairs, sum.pairs - 2 * sum.lines, sum.lines);
    } else {
        uint32_t n = rule == COALESCE_SECTOR_ROUNDS && !coalesce_is_one_round(a)
                         ? coalesce_count_rounds(a)
                         : count_segments(row, lines);
        set_sizes(counts, row->segment_log2 == SECTOR_LOG2 ? n : 0, 0,
                  row->segment_log2 == LINE_LOG2 ? n : 0);
    }
}
