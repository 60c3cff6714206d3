/* stored_words.h - what an SM has stored to lines of its L1 of which sectors are not there as a whole.
 *
 * Stores of Volta and later go to L2 and stay in L1: a line is made room for, and each byte that was stored is there for loads. A sector is
 * there once all of its words are, or a load has brought it.
 *
 * Source: an H200, validation/h200_l1_stores.csv (tools/cuda/l1_stores.cu). Here of the latest lines alone, and by words.
 */
#ifndef WARPLENS_SIM_RULES_STORED_WORDS_H
#define WARPLENS_SIM_RULES_STORED_WORDS_H

#include <stdint.h>

#include "sim/rules/sectors.h"

enum { STORED_LINES = 2048, SECTOR_WORDS = SECTOR_BYTES / 4 };

static inline uint32_t sector_words(uint32_t sector)
{
    return 0xffU << sector * SECTOR_WORDS;
}

struct stored_words {
    struct {
        uint32_t line, words; /* bit w: word w of the line */
    } latest[STORED_LINES];   /* line i at i modulo STORED_LINES */
};

/* The words that are there besides whole sectors. */
static inline uint32_t stored_words_of(const struct stored_words *stored, uint32_t line)
{
    const uint32_t at = line % STORED_LINES;
    return stored->latest[at].line == line ? stored->latest[at].words : 0;
}

/* Adds words; the sectors all of whose words are there, a bit each. */
static inline uint32_t stored_words_add(struct stored_words *stored, uint32_t line, uint32_t words)
{
    const uint32_t at = line % STORED_LINES;
    uint32_t whole = 0;
    words |= stored_words_of(stored, line);
    stored->latest[at].line = line;
    stored->latest[at].words = words;
    for (uint32_t s = 0; s < LINE_SECTORS; s++)
        whole |= (uint32_t)((words & sector_words(s)) == sector_words(s)) << s;
    return whole;
}

/* Sectors of the line are not there any more. */
static inline void stored_words_drop(struct stored_words *stored, uint32_t line, uint32_t sectors)
{
    const uint32_t at = line % STORED_LINES;
    for (uint32_t s = 0; s < LINE_SECTORS && stored->latest[at].line == line; s++)
        if (sectors >> s & 1)
            stored->latest[at].words &= ~sector_words(s);
}

#endif
