/* text.h - short texts of fixed room: numbers, lane sets and address ranges in words, and wrapping
 * to the page. Internal to explain.
 */
#ifndef WARPLENS_TEXT_TEXT_H
#define WARPLENS_TEXT_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The longest text is a step that lists addresses; the lists are cut well below this. */
enum { TEXT_BYTES = 1024, PAGE_COLUMNS = 100 };

struct text {
    size_t length;
    char s[TEXT_BYTES]; /* always ends with a zero byte; what does not fit is dropped */
};

void text_start(struct text *t);
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "3", "0-15", "0,2,..,30", "0-2,7": the bits of a set, not empty, without spaces. */
void text_add_set(struct text *t, uint32_t set);

/* "lane 3", "lanes 0-15". */
void text_add_lanes(struct text *t, uint32_t lanes);

/* "T1", "T1-T7", "T3,T9": transactions by their index, bit 0 being T1. */
void text_add_transactions(struct text *t, uint32_t indices);

/* "0x80-0xff". */
void text_add_range(struct text *t, uint64_t addr, uint64_t bytes);

/* "1 pass", "2 passes": a count with its noun, `plural` being what a number other than 1 adds. */
void text_add_count(struct text *t, uint32_t count, const char *noun, const char *plural);

/* "55.4 %", rounded in integers so that every machine writes the same digit. */
void text_add_percent(struct text *t, uint32_t part, uint32_t whole);

/* How much of a text goes on a line of `room` columns, and where the next line starts: lines break at
 * spaces and after commas, but not within a number. */
size_t text_cut_line(const char *s, size_t room, size_t *next);

/* Prints `prefix` and the text, in lines of at most PAGE_COLUMNS columns; lines after the first are
 * indented. Ends the last line. */
void text_print_wrapped(FILE *out, const char *prefix, unsigned indent, const char *s);

#endif
