/* style.c - colours of the terminal's own table, which fit its background (ECMA-48, SGR).  */
#include "text/style.h"

#include <string.h>

static const char *const begins[] = {
    [STYLE_PLAIN] = "",       [STYLE_STRONG] = "\033[1m", [STYLE_GOOD] = "\033[32m",
    [STYLE_BAD] = "\033[31m", [STYLE_DIM] = "\033[2m",
};

static bool is_used;

bool style_is_wanted(enum style_choice choice, bool is_terminal, const char *no_color,
                     const char *term)
{
    const bool is_dumb = term && strcmp(term, "dumb") == 0;
    const bool is_refused = no_color && *no_color;
    return choice == STYLES_ALWAYS ||
           (choice == STYLES_AUTO && is_terminal && !is_refused && !is_dumb);
}

void style_use(bool is_on)
{
    is_used = is_on;
}

const char *style_begin(enum style style)
{
    return is_used ? begins[style] : "";
}

const char *style_end(enum style style)
{
    return is_used && style != STYLE_PLAIN ? "\033[0m" : "";
}
