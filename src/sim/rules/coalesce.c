/* coalesce.c - global memory: one warp access -> memory transactions, sm_20 to sm_90.
 *
 * From Fermi on every rule has the same shape and is a row of a table: the warp is cut into groups
 * of lanes, and each group moves the distinct aligned segments that it touches. The rules differ in
 * the segment (128-byte line or 32-byte sector), in the groups that share traffic, and in the
 * groups that count as requests. sm_1x is in coalesce_half_warp.c.
 *
 * The rules are here twice: as lists that name every lane, plainly, and as sums, fast. The sums of
 * an affine access of the whole warp are closed forms, those of others come from its lines.
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

#include "sim/rules/coalesce_lines.h"
#include "sim/rules/coalesce_parts.h"
#include "sim/rules/coalesce_rounds.h"
#include "sim/rules/keyset.h"
#include "sim/rules/lanes.h"

/* How a warp is cut into groups of lanes. */
enum split { WHOLE_WARP, BY_128_BYTES, BY_32_BYTES };

static const uint8_t group_lanes[][WIDTH_KINDS] = {
    [WHOLE_WARP] = {32, 32, 32, 32, 32},
    [BY_128_BYTES] = {32, 32, 32, 16, 8},
    [BY_32_BYTES] = {8, 8, 8, 4, 2},
};

struct segment_rule {
    uint8_t segment_log2;
    uint8_t traffic_split; /* the lanes of a group share what they fetch */
    uint8_t request_split; /* a group is a request */
};

/* Zeros for the rules of sm_1x. */
static const struct segment_rule segment_rules[COALESCE_RULE_COUNT] = {
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

static void collect_group(const struct warp_access *a, uint32_t lanes, uint32_t segment_log2,
                          struct coalesced *out)
{
    struct transaction *list = out->list + out->transactions;
    uint32_t count = 0, i;
    for (; lanes != 0; lanes &= lanes - 1) {
        uint64_t start = access_addr(a, lanes_lowest(lanes)) >> segment_log2 << segment_log2;
        for (i = 0; i < count && list[i].addr != start;)
            i++;
        if (i == count)
            list[count++] = (struct transaction){start, 1U << segment_log2, 0};
        list[i].lanes |= lanes & -lanes;
    }
    out->transactions += count;
}

void coalesce_collect(const struct warp_access *a, uint32_t group, uint32_t segment_log2,
                      struct coalesced *out)
{
    for (uint32_t first = 0; first < WARP_LANES; first += group)
        collect_group(a, a->active & lanes_range(first, group), segment_log2, out);
}

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
        struct transaction t = {from->addr, 32 * step, 0};
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
    out->requests = out->transactions = out->bytes_moved = 0;
    if (row->segment_log2 == 0) {
        coalesce_half_warp(rule, a, out);
        return;
    }
    out->requests = lanes_count_groups(a->active, group_lanes[row->request_split][width_log2]);
    if (rule == COALESCE_SECTOR_ROUNDS)
        coalesce_collect_rounds(a, out);
    else
        coalesce_collect(a, group_lanes[row->traffic_split][width_log2], row->segment_log2, out);
    out->bytes_moved = out->transactions << row->segment_log2;
    if (rule == COALESCE_STORE_124)
        merge_sectors(out);
}

/* ---- Lines ------------------------------------------------------------------------------------
 */

void coalesce_lines_find(struct warp_lines *lines)
{
    enum { FEW = 4 };
    const struct warp_access *a = lines->access;
    uint64_t room[WARP_LANES];
    struct key_set set;
    if (lines->count != 0)
        return;
    const uint64_t *addr = access_addresses(a, room);
    if (lines_seem_apart(a, addr)) {
        lines_fill(lines, addr);
        if (access_is_ordered(a) || key_set_all_differ(&set, lines->line))
            return;
        lines_fill_words(lines, addr);
        lines_join_many(lines, &set);
        return;
    }
    uint32_t middle = lines_fill_runs(lines, addr);
    if (access_is_ordered(a)) {
        lines_join_ordered(lines, middle);
    } else if (lines->count <= FEW) {
        lines_join_few(lines);
    } else {
        for (uint32_t i = lines->count; i < WARP_LANES; i++)
            lines->line[i] = key_spare(i);
        if (!key_set_all_differ(&set, lines->line))
            lines_join_many(lines, &set);
    }
}

void coalesce_lines_find_words(struct warp_lines *lines)
{
    uint64_t room[WARP_LANES];
    coalesce_lines_find(lines);
    if (!lines->has_words)
        lines_fill_words(lines, access_addresses(lines->access, room));
}

/* ---- Sums -------------------------------------------------------------------------------------
 */

/* Distinct segments of the lanes first .. first + lanes - 1 of an affine access: each lane has its
 * own when they are further apart than a segment is long, and none is left out when they are not.
 * 4.5 times as fast, with the judging around it, as from the lines. */
static uint32_t affine_segments(const struct warp_access *a, uint32_t first, uint32_t lanes,
                                uint32_t segment_log2)
{
    uint64_t from = access_addr(a, first) >> segment_log2;
    uint64_t to = access_addr(a, first + lanes - 1) >> segment_log2;
    if (access_step(a) >> segment_log2 != 0)
        return lanes;
    return (uint32_t)(from < to ? to - from : from - to) + 1;
}

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
    if (access_is_full_affine(a)) {
        for (uint32_t first = 0; first < WARP_LANES; first += group)
            sum += affine_segments(a, first, group, rule->segment_log2);
        return sum;
    }
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

/* Sums from the sectors, the aligned pairs of sectors that go together, and the whole lines. */
static void set_sizes(struct coalesce_counts *counts, uint32_t sectors, uint32_t pairs,
                      uint32_t lines)
{
    counts->transactions_128b = lines;
    counts->transactions_64b = pairs - 2 * lines;
    counts->transactions_32b = sectors - 2 * pairs;
    counts->transactions = sectors - pairs - lines;
    counts->bytes_moved = SECTOR_BYTES * sectors;
}

/* Stores of sm_20 to sm_37 over sectors in a row; 4.5 times as fast as from the lines. */
static void count_store_run(const struct warp_access *a, struct coalesce_counts *counts)
{
    uint64_t x = a->base >> SECTOR_LOG2, y = access_addr(a, WARP_LANES - 1) >> SECTOR_LOG2;
    uint64_t from = x < y ? x : y, end = (x < y ? y : x) + 1;
    uint64_t line = (from + 3) / 4, line_end = end / 4;
    set_sizes(counts, (uint32_t)(end - from), (uint32_t)(end / 2 - (from + 1) / 2),
              line < line_end ? (uint32_t)(line_end - line) : 0);
}

static void count_store(struct warp_lines *lines, struct coalesce_counts *counts)
{
    const struct warp_access *a = lines->access;
    uint32_t sectors = 0, pairs = 0, whole = 0;
    if (access_is_full_affine(a) && access_step(a) <= SECTOR_BYTES) {
        count_store_run(a, counts);
        return;
    }
    coalesce_lines_find(lines);
    if (lines->count == lanes_count(a->active)) {
        set_sizes(counts, lines->count, 0, 0);
        return;
    }
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t m = lines_sectors(lines_words(lines, i), access_line_words(a));
        sectors += (m & 1) + (m >> 1 & 1) + (m >> 2 & 1) + (m >> 3);
        pairs += (m & m >> 1 & 1) + (m >> 2 & m >> 3);
        whole += m == 15;
    }
    set_sizes(counts, sectors, pairs, whole);
}

static uint32_t count_bytes_used(struct warp_lines *lines)
{
    const struct warp_access *a = lines->access;
    uint32_t words = 0;
    if (access_is_full_affine(a))
        return a->stride == 0 ? a->width : WARP_LANES * (uint32_t)a->width;
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

static void count_half_warp(enum coalesce_rule rule, struct warp_lines *lines,
                            struct coalesce_counts *counts, struct transfers *transfers)
{
    struct transfers own, *moved = transfers == NULL ? &own : transfers;
    coalesce_half_warp_transfers(rule, lines, moved);
    counts->requests = lanes_count_groups(lines->access->active, HALF_WARP_LANES);
    counts->transactions = moved->count;
    counts->transactions_32b = moved->of_size[0];
    counts->transactions_64b = moved->of_size[1];
    counts->transactions_128b = moved->of_size[2];
    counts->bytes_moved = 32 * moved->of_size[0] + 64 * moved->of_size[1] + 128 * moved->of_size[2];
}

static void list_transfers(enum coalesce_rule rule, const struct warp_access *a,
                           struct transfers *out)
{
    struct coalesced list;
    coalesce(rule, a, &list);
    transfers_start(out);
    for (uint32_t i = 0; i < list.transactions; i++)
        transfers_add(out, list.list[i].addr, list.list[i].bytes);
}

void coalesce_count(enum coalesce_rule rule, struct warp_lines *lines,
                    struct coalesce_counts *counts, struct transfers *transfers)
{
    const struct segment_rule *row = &segment_rules[rule];
    const struct warp_access *a = lines->access;
    counts->bytes_used = count_bytes_used(lines);
    if (row->segment_log2 == 0) {
        count_half_warp(rule, lines, counts, transfers);
        return;
    }
    counts->requests =
        lanes_count_groups(a->active, group_lanes[row->request_split][access_width_log2(a)]);
    if (rule == COALESCE_STORE_124) {
        count_store(lines, counts);
    } else {
        uint32_t n = rule == COALESCE_SECTOR_ROUNDS && !coalesce_is_one_round(a)
                         ? coalesce_count_rounds(a)
                         : count_segments(row, lines);
        counts->transactions = n;
        counts->transactions_32b = row->segment_log2 == SECTOR_LOG2 ? n : 0;
        counts->transactions_64b = 0;
        counts->transactions_128b = row->segment_log2 == LINE_LOG2 ? n : 0;
        counts->bytes_moved = n << row->segment_log2;
    }
    if (transfers != NULL)
        list_transfers(rule, a, transfers);
}
