/* coalesce_lines.c - how the lines of an access are found.
 *
 * Two ways to begin. Where the first lanes are all on different lines, as in a gather, each lane is
 * taken to have a line of its own (1.4 times as fast when it has), and when the key set confirms
 * it, that is all. Otherwise neighbouring lanes on one line make a run (2.2 times as fast with a
 * line a half-warp), and equal runs are joined: by search while they are few (1.9 times as fast),
 * by the key set when they are many.
 */
#include "sim/rules/coalesce_lines.h"

#include "sim/rules/keyset.h"
#include "sim/rules/lanes.h"

/* The bit of each lane's word in the masks of struct warp_lines. */
static void lines_find_bits(const struct warp_access *a, const uint64_t addr[WARP_LANES],
                            uint32_t bit[WARP_LANES])
{
    const uint32_t words = access_line_words(a), word_log2 = LINE_LOG2 - lanes_lowest(words);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        bit[i] = ((uint32_t)addr[i] >> word_log2 & (words - 1)) | (i & -words);
}

/* The line of each lane. */
static void lines_fill(struct warp_lines *lines, const uint64_t addr[restrict WARP_LANES])
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        lines->line[i] = addr[i] >> LINE_LOG2;
    lines->count = WARP_LANES;
}

/* The word of each lane. */
static void lines_fill_words(struct warp_lines *lines, const uint64_t addr[WARP_LANES])
{
    uint32_t bit[WARP_LANES];
    lines_find_bits(lines->access, addr, bit);
    lanes_clear(lines->words[0]);
    lanes_clear(lines->words[1]);
    for (uint32_t i = 0; i < WARP_LANES; i++)
        lines->words[i / HALF_WARP_LANES][i] = 1U << bit[i];
    lines->has_words = true;
}

/* A line for each run of neighbouring active lanes; the number of those of lanes 0 to 15, since a
 * run ends with its half-warp. */
static uint32_t lines_fill_runs(struct warp_lines *lines, const uint64_t addr[WARP_LANES])
{
    uint32_t bit[WARP_LANES], count = 0, middle = 0;
    lines_find_bits(lines->access, addr, bit);
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t first = half * HALF_WARP_LANES;
        uint32_t rest = lines->access->active & lanes_range(first, HALF_WARP_LANES), wanted = 0;
        uint64_t last = UINT64_MAX;
        lanes_clear(lines->words[half]);
        for (middle = count; rest != 0; rest &= rest - 1) {
            uint32_t lane = lanes_lowest(rest);
            uint64_t line = addr[lane] >> LINE_LOG2;
            if (line != last) {
                lines->line[count++] = last = line;
                wanted = 0;
            }
            wanted |= 1U << bit[lane];
            lines->words[half][count - 1] = wanted;
        }
    }
    lines->count = count;
    lines->has_words = true;
    return middle;
}

/* Adds line `from` to line `to` of the `count` lines before it, or makes it their last. */
static void lines_join(struct warp_lines *lines, uint32_t from, uint32_t to, uint32_t *count)
{
    *count += to == *count;
    if (from == to)
        return;
    lines->line[to] = lines->line[from];
    for (uint32_t half = 0; half < 2; half++) {
        lines->words[half][to] |= lines->words[half][from];
        lines->words[half][from] = 0;
    }
}

static void lines_join_few(struct warp_lines *lines)
{
    uint32_t count = 0, to;
    for (uint32_t i = 0; i < lines->count; i++) {
        for (to = 0; to < count && lines->line[to] != lines->line[i];)
            to++;
        lines_join(lines, i, to, &count);
    }
    lines->count = count;
}

/* Lines that only rise or only fall: the two around the middle alone can be equal. 1.2 times as
 * fast as the general case with 8 or 16 lines. */
static void lines_join_ordered(struct warp_lines *lines, uint32_t middle)
{
    if (middle == 0 || middle == lines->count || lines->line[middle] != lines->line[middle - 1])
        return;
    for (uint32_t i = middle; i < lines->count; i++) {
        lines->line[i - 1] = lines->line[i];
        lines->words[1][i - 1] = lines->words[1][i];
    }
    lines->words[1][--lines->count] = 0;
}

/* The lines are the keys entered in the set. */
static void lines_join_many(struct warp_lines *lines, struct key_set *set)
{
    uint8_t to[WARP_LANES];
    uint32_t count = 0;
    key_set_find_owners(set, lines->line);
    for (uint32_t i = 0; i < lines->count; i++) {
        uint32_t owner = set->owner[i];
        to[i] = (uint8_t)(owner == i ? count : to[owner]);
        lines_join(lines, i, to[i], &count);
    }
    lines->count = count;
}

/* Whether each lane seems to have a line of its own; of ordered lines it is certain. */
static bool lines_seem_apart(const struct warp_access *a, const uint64_t addr[WARP_LANES])
{
    if (access_is_ordered(a) || a->active != UINT32_MAX)
        return access_is_full_affine(a) && access_step(a) >> LINE_LOG2 != 0;
    return (addr[0] ^ addr[1]) >> LINE_LOG2 != 0 && (addr[1] ^ addr[2]) >> LINE_LOG2 != 0 &&
           (addr[2] ^ addr[3]) >> LINE_LOG2 != 0;
}

void coalesce_lines_search(struct warp_lines *lines)
{
    enum { FEW = 4 };
    const struct warp_access *a = lines->access;
    uint64_t room[WARP_LANES];
    struct key_set set;
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
