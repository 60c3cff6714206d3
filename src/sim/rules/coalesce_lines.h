/* coalesce_lines.h - the 128-byte lines of one access and the words that lanes want of them, found once
 * and read by coalesce, footprint and l1stage.
 */
#ifndef WARPLENS_SIM_RULES_COALESCE_LINES_H
#define WARPLENS_SIM_RULES_COALESCE_LINES_H

#include "sim/rules/lanes.h"

/* The 128-byte lines of one access, in the order of the lowest lane that wants each. What asks for
 * them first has them found and the others share them, so one access needs one search.
 *
 * Words are of 4 bytes, or of the access's width when that is more. A line of n words and a group
 * of n lanes go together (n is 32, or 16 at 8 bytes, or 8 at 16), so that one mask of 32 bits holds
 * the words that each group wants of a line: n bits a group, the first group in the lowest. */
struct warp_lines {
    const struct warp_access *access;
    uint32_t count;                /* 0: not yet found */
    bool has_words;                /* words is filled in */
    uint64_t line[WARP_LANES];     /* address / 128 */
    uint32_t words[2][WARP_LANES]; /* by half-warp and line; 0 from count on */
};

/* The lines of an access, not yet found; `a` must outlive them. */
static inline void coalesce_lines_start(struct warp_lines *lines, const struct warp_access *a)
{
    lines->access = a;
    lines->count = 0;
    lines->has_words = false;
}

/* Finds the lines, whether that has been done or not. */
void coalesce_lines_search(struct warp_lines *lines);

/* Fill in the lines, and the words too, unless that has been done. The former leaves the words out
 * when each lane has a line of its own, which makes scattered accesses 1.4 to 1.7 times as fast. */
static inline void coalesce_lines_find(struct warp_lines *lines)
{
    if (lines->count == 0)
        coalesce_lines_search(lines);
}
void coalesce_lines_find_words(struct warp_lines *lines);

/* The words that lanes of the whole warp want of a line. */
static inline uint32_t lines_words(const struct warp_lines *lines, uint32_t i)
{
    return lines->words[0][i] | lines->words[1][i];
}

/* The words that any group wants. */
static inline uint32_t lines_any_words(uint32_t words, uint32_t line_words)
{
    if (line_words <= 16)
        words |= words >> 16;
    if (line_words <= 8)
        words |= words >> 8;
    return words & lanes_range(0, line_words);
}

/* The lowest bit of each sector of each group: whether the group wants a word in it. */
static inline uint32_t lines_mark_sectors(uint32_t words, uint32_t line_words)
{
    static const uint32_t lowest[] = {[1] = 0x55555555, 0x11111111, 0x01010101};
    const uint32_t sector_words = line_words / 4;
    for (uint32_t step = sector_words / 2; step != 0; step /= 2)
        words |= words >> step;
    return words & lowest[lanes_lowest(sector_words)];
}

/* The sectors, a bit each, in which any group wants a word. */
static inline uint32_t lines_sectors(uint32_t words, uint32_t line_words)
{
    const uint32_t next = line_words / 4 - 1; /* from a sector's mark to the place of its bit */
    uint32_t marks = lines_mark_sectors(lines_any_words(words, line_words), line_words);
    return (marks & 1) | (marks >> next & 2) | (marks >> 2 * next & 4) | (marks >> 3 * next & 8);
}

#endif
