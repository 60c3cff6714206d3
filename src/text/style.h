/* style.h - how words of a report look at a terminal: one look a meaning.
 *
 * It is one setting for the process, as there is one terminal; it is off until style_use, which only the
 * command line calls: a library never does. What stands in a styled text stays the same without: no
 * meaning is in a colour alone.
 */
#ifndef WARPLENS_TEXT_STYLE_H
#define WARPLENS_TEXT_STYLE_H

#include <stdbool.h>

enum style {
    STYLE_PLAIN,
    STYLE_STRONG, /* headings, what to look at first: bold */
    STYLE_GOOD,   /* green */
    STYLE_BAD,    /* red */
    STYLE_DIM,    /* what matters less */
};

enum style_choice { STYLES_AUTO, STYLES_ALWAYS, STYLES_NEVER };

/* Whether reports are styled: with STYLES_AUTO at a terminal, unless NO_COLOR is set or TERM is "dumb" (their
 * values; NULL: not set). */
bool style_is_wanted(enum style_choice choice, bool is_terminal, const char *no_color,
                     const char *term);

void style_use(bool is_on);

/* What stands before and behind a text: "" when it is off. Valid for good. */
const char *style_begin(enum style style);
const char *style_end(enum style style);

#endif
