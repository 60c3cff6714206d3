/* text_line.h - a line of a text trace as words: WORD, NAME=VALUE, and texts in quotes. */
#ifndef WARPLENS_TRACE_IO_TEXT_TEXT_LINE_H
#define WARPLENS_TRACE_IO_TEXT_TEXT_LINE_H

#include "expression/words.h"

struct text_line {
    struct words words;
    char *at; /* what comes next */
};

/* A word of a line; quotes are taken away, "\n" and the like are one character. */
struct text_word {
    const char *at;    /* where it begins; at the line's end name.length is 0 */
    struct word name;  /* what stands before '=', or all of it */
    struct word value; /* s is NULL when there is no '=' */
    bool is_end;
};

/* One of the words that may follow: NAME=NUMBER, NAME=TEXT, or a bare NAME. */
struct line_option {
    const char *name;
    uint64_t most;    /* of a number */
    uint64_t *number; /* one of these three is where it goes */
    struct word *text;
    bool *flag;
    bool is_needed;
    const char *at; /* where it was given; NULL: it was not */
};

/* The next word. False, with a message, when a quote is wrong. */
bool line_word(struct text_line *line, struct text_word *word);

/* A word that has to be there and has no '='; `what` names it in the message. */
bool line_name(struct text_line *line, const char *what, struct word *name);

/* A number that has to be there. */
bool line_number(struct text_line *line, uint64_t most, uint64_t *number);

/* All words that are left. */
bool line_options(struct text_line *line, struct line_option *options, size_t count);

/* That there are none. */
bool line_is_over(struct text_line *line);

/* "8", "8,4" or "8,4,2": the sides of a grid or block; 1 where nothing is said. */
bool line_sides(const struct text_line *line, struct word word, uint32_t sides[3]);

/* Ends the line where its comment begins: at a '#' at its begin or behind a blank. Not for lines with
 * texts in quotes. */
void line_cut_comment(char *line);

#endif
