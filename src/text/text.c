/* text.c - short texts of fixed room.
 *
 * Decision: a set of lanes at a constant distance is written with its first two members and its
 * last one ("0,2,..,30"), because that shows the pattern; any other set is written as ranges.
 */
#include "text/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "text/characters.h"

enum { SERIES_MEMBERS_MIN = 4 };

void text_start(struct text *t)
{
    t->length = 0;
    t->s[0] = '\0';
}

void text_add(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *const begin = t->s + t->length;
    int added = vsnprintf(begin, TEXT_BYTES - t->length, format, arguments);
    va_end(arguments);
    text_make_characters(begin); /* "%.100s" cuts them */
    if (added > 0)
        t->length += (size_t)added;
    if (t->length >= TEXT_BYTES)
        t->length = TEXT_BYTES - 1;
}

static uint32_t lowest(uint32_t set)
{
    return (uint32_t)__builtin_ctz(set);
}

/* Whether the members of a set lie at one distance, of more than 1. */
static bool is_series(uint32_t set, uint32_t *distance)
{
    if (__builtin_popcount(set) < SERIES_MEMBERS_MIN)
        return false;
    uint32_t last = lowest(set);
    uint32_t rest = set & (set - 1);
    *distance = lowest(rest) - last;
    for (; rest != 0; rest &= rest - 1) {
        if (lowest(rest) - last != *distance)
            return false;
        last = lowest(rest);
    }
    return *distance > 1;
}

static void add_ranges(struct text *t, uint32_t set)
{
    const char *separator = "";
    while (set != 0) {
        uint32_t first = lowest(set), end = first;
        while (end < 32 && (set >> end & 1U) != 0)
            set &= ~(UINT32_C(1) << end++);
        text_add(t, "%s%" PRIu32, separator, first);
        if (end > first + 1)
            text_add(t, "-%" PRIu32, end - 1);
        separator = ",";
    }
}

void text_add_set(struct text *t, uint32_t set)
{
    uint32_t distance;
    if (is_series(set, &distance))
        text_add(t, "%" PRIu32 ",%" PRIu32 ",..,%d", lowest(set), lowest(set) + distance,
                 31 - __builtin_clz(set));
    else
        add_ranges(t, set);
}

void text_add_lanes(struct text *t, uint32_t lanes)
{
    text_add(t, (lanes & (lanes - 1)) == 0 ? "lane " : "lanes ");
    text_add_set(t, lanes);
}

void text_add_transactions(struct text *t, uint32_t indices)
{
    const char *separator = "";
    while (indices != 0) {
        uint32_t first = lowest(indices), end = first;
        while (end < 32 && (indices >> end & 1U) != 0)
            indices &= ~(UINT32_C(1) << end++);
        text_add(t, "%sT%" PRIu32, separator, first + 1);
        if (end > first + 1)
            text_add(t, "-T%" PRIu32, end);
        separator = ",";
    }
}

void text_add_range(struct text *t, uint64_t addr, uint64_t bytes)
{
    text_add(t, "0x%" PRIx64 "-0x%" PRIx64, addr, addr + bytes - 1);
}

void text_add_count(struct text *t, uint32_t count, const char *noun, const char *plural)
{
    text_add(t, "%" PRIu32 " %s%s", count, noun, count == 1 ? "" : plural);
}

void text_add_percent(struct text *t, uint32_t part, uint32_t whole)
{
    const uint32_t tenths = (part * 2000 + whole) / (2 * whole);
    text_add(t, "%" PRIu32 ".%" PRIu32 " %%", tenths / 10, tenths % 10);
}

/* Whether a comma separates thousands: a digit before it, three and no more behind. */
static bool is_in_number(const char *text, size_t comma)
{
    const char *behind = text + comma + 1;
    return comma > 0 && isdigit((unsigned char)text[comma - 1]) &&
           strspn(behind, "0123456789") == 3;
}

size_t text_cut_line(const char *s, size_t room, size_t *next)
{
    size_t best = 0, at = 0;
    for (; s[at] != '\0' && at < room; at++) {
        if (s[at] == ',' && s[at + 1] != ' ' && !is_in_number(s, at))
            best = at + 1;
        else if (s[at + 1] == ' ')
            best = at + 1;
    }
    if (s[at] == '\0' || best == 0)
        for (best = at; best > 1 && ((unsigned char)s[best] & 0xc0) == 0x80;)
            best--; /* a character stays whole */
    *next = best + (s[best] == ' ');
    return best;
}

void text_print_wrapped(FILE *out, const char *prefix, unsigned indent, const char *s)
{
    size_t room = PAGE_COLUMNS - strlen(prefix), next;
    fputs(prefix, out);
    for (;;) {
        size_t length = text_cut_line(s, room, &next);
        fprintf(out, "%.*s\n", (int)length, s);
        s += next;
        if (*s == '\0')
            return;
        fprintf(out, "%*s", (int)indent, "");
        room = PAGE_COLUMNS - indent;
    }
}
