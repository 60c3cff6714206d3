/* messages_launch.c - the first error of gcc or clang, as far as it is about code that warplens put there.
 *
 *   k.cu:8:16: error: too few arguments to function 'void wl::launch(... [with P = {int*, float}]'
 *   k.cu:8: launch of k: too few arguments: its parameters are (int*, float)
 *
 * gcc says in front of an error what it was required from, clang behind it. Of all places the first that is
 * not in a header of warplens's own is the program's.
 */
#define _GNU_SOURCE
#include "cu/messages_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/line_marker.h"
#include "text/memory.h"

enum { WORDS = 256 };
#define REFUSED "warplens refuses: " /* WL_REFUSED of include/warplens/cuda_program.h */

struct place {
    char file[WORDS];
    unsigned line;
};

/* ---- Places ----------------------------------------------------------------------------------- */

/* "file:12:5: ..." that is no header of ours. */
static bool read_place(const char *at, const char *include, struct place *place)
{
    const size_t bytes = strcspn(at, ":\n");
    if (at[bytes] != ':' || bytes >= sizeof place->file || *at == ' ' ||
        strncmp(at, "In file ", 8) == 0 || strncmp(at, include, strlen(include)) == 0 ||
        sscanf(at + bytes, ":%u:", &place->line) != 1)
        return false;
    snprintf(place->file, sizeof place->file, "%.*s", (int)bytes, at);
    return true;
}

static const char *line_begin(const char *text, const char *at)
{
    while (at > text && at[-1] != '\n')
        at--;
    return at;
}

/* The line behind that of `at`; NULL behind the last. */
static const char *next_line(const char *at)
{
    const char *end = strchr(at, '\n');
    return end && end[1] ? end + 1 : NULL;
}

/* Of the error at `error`, or of what it was required from. */
static bool find_place(const char *messages, const char *error, const char *include,
                       struct place *place)
{
    const char *own = line_begin(messages, error);
    if (read_place(own, include, place))
        return true;
    for (const char *at = messages; at && at < own; at = next_line(at))
        if (strstr(at, "required from") && read_place(at, include, place))
            return true;
    for (const char *at = next_line(own); at; at = next_line(at))
        if (read_place(at, include, place))
            return true;
    return false;
}

/* The last launch that begins in the place's line or before it: its name, in the string behind its
 * configuration. */
static void find_launch(const char *rewritten, const struct place *place, char *name)
{
    static const char call[] = "::wl::launch", config[] = "(::wl::config(";
    const size_t length = strlen(rewritten);
    const char *found = NULL;
    unsigned line = 1;
    bool here = false;
    for (size_t at = 0; at < length;) {
        const size_t end = line_end(rewritten, at, length);
        struct line_marker marker = {0};
        if (rewritten[at] == '#')
            marker = line_marker_read(rewritten, at, end);
        if (marker.line) {
            here = strlen(place->file) == marker.file_bytes &&
                   memcmp(place->file, rewritten + marker.file_at, marker.file_bytes) == 0;
            line = marker.line - 1;
        }
        for (const char *p = rewritten + at; here && line <= place->line && p < rewritten + end;
             p++) {
            p = memmem(p, (size_t)(rewritten + end - p), call, strlen(call));
            if (p == NULL)
                break;
            found = strstr(p, config) ? p : found;
        }
        line++;
        at = end + 1;
    }
    found = found ? strchr(found, '"') : NULL;
    snprintf(name, WORDS, "%.*s", found ? (int)strcspn(found + 1, "\"") : 0,
             found ? found + 1 : "");
}

/* ---- What it says ----------------------------------------------------------------------------- */

/* What stands behind `before`, up to `until`. */
static bool read_words(const char *text, const char *before, const char *until, char *words)
{
    const char *at = strstr(text, before);
    if (at == NULL)
        return false;
    at += strlen(before);
    const char *end = strstr(at, until);
    if (end == NULL)
        return false;
    snprintf(words, WORDS, "%.*s", (int)(end - at), at);
    return true;
}

/* "... 'A' to 'B' {aka 'C'}", or with (aka 'C'): A, and C rather than B. */
static bool read_conversion(const char *text, char *from, char *to)
{
    const char *at = strstr(text, "onvert '");
    if (at == NULL)
        at = strstr(text, "onversion from '");
    if (at == NULL || !read_words(at, " '", "' to '", from) || !read_words(at, " to '", "'", to))
        return false;
    at = strstr(at, "' to '") + strlen("' to '") + strlen(to) + 1;
    if (strncmp(at, " {aka '", 7) == 0 || strncmp(at, " (aka '", 7) == 0)
        read_words(at, "aka '", "'", to);
    return true;
}

/* The number of the argument that a note is about; 0. */
static unsigned read_argument(const char *text)
{
    const char *at = strstr(text, "initializing argument ");
    unsigned number = 0;
    if (at)
        return sscanf(at, "initializing argument %u", &number) == 1 ? number : 0;
    for (at = strstr(text, " argument"); at; at = strstr(at + 1, " argument")) {
        const char *digit = at > text + 2 ? at - 2 : text; /* "4th argument" */
        while (digit > text && digit[-1] >= '0' && digit[-1] <= '9')
            digit--;
        if (sscanf(digit, "%u", &number) == 1 && number)
            return number;
    }
    return 0;
}

/* How many arguments stand in front of the kernel's in a call that the rewriter writes. */
static unsigned arguments_before(const char *text)
{
    return strstr(text, "launch_defaults(") || strstr(text, "'launch_defaults'") ? 4
           : strstr(text, "wl::launch(") || strstr(text, "'launch'")             ? 3
                                                                                 : 0;
}

static bool say_conversion(const char *error, char *what)
{
    char from[WORDS], to[WORDS] = "another type";
    const char *lost = strstr(error, "argument ('");
    if (lost && strstr(error, "would lose const qualifier"))
        read_words(lost, "argument ('", "'", from);
    else if (!read_conversion(error, from, to))
        return false;
    const unsigned before = arguments_before(error), argument = read_argument(error);
    if (argument <= before)
        return false;
    if (lost)
        snprintf(what, 2 * WORDS, "argument %u is of type %s, the parameter is not const",
                 argument - before, from);
    else
        snprintf(what, 2 * WORDS, "argument %u is of type %s, the parameter of type %s",
                 argument - before, from, to);
    return true;
}

static bool say_count(const char *error, char *what)
{
    char parameters[WORDS];
    const bool few = strncmp(error, "too few", 7) == 0, many = strncmp(error, "too many", 8) == 0;
    if (!few && !many && strstr(error, "different lengths") == NULL &&
        strstr(error, "candidate expects") == NULL)
        return false;
    if (!read_words(error, "P = {", "}", parameters) &&
        !read_words(error, "parameter 'P' (<", "> vs", parameters))
        return false;
    snprintf(what, 2 * WORDS, "%s: its parameters are (%s)",
             few    ? "too few arguments"
             : many ? "too many arguments"
                    : "not as many arguments as parameters",
             parameters);
    return true;
}

static void say_launch(const char *error, char *what)
{
    char text[WORDS];
    const size_t bytes = strcspn(error, "\n");
    if (memmem(error, bytes, "wl::config::config", 18) ||
        memmem(error, bytes, "'::wl::config'", 14))
        snprintf(what, 2 * WORDS,
                 "between <<< and >>> stand the grid and the block, then, if wanted, bytes of "
                 "shared memory and a stream");
    else if (!say_count(error, what) && !say_conversion(error, what)) {
        const bool more = read_words(error, "not viable: ", "\n", text);
        snprintf(what, 2 * WORDS, "%.*s%s%s", (int)bytes, error, more ? ": " : "",
                 more ? text : "");
    }
}

/* Whether the error is about the call that a launch becomes, and not about a kernel that it makes of a template. */
static bool is_launch(const char *messages, const char *error, const struct place *place)
{
    const size_t bytes = strcspn(error, "\n");
    if (memmem(error, bytes, "wl::", 4) || memmem(error, bytes, "'launch", 7))
        return true;
    bool through_launch = false;
    for (const char *at = messages; at; at = next_line(at)) {
        struct place from = {0};
        const size_t length = strcspn(at, "\n");
        if (!memmem(at, length, "required from", 13) &&
            !memmem(at, length, "in instantiation of", 19))
            continue;
        through_launch |= memmem(at, length, "wl::launch", 10) != NULL;
        if (through_launch && read_place(at, "/", &from) && from.line == place->line &&
            strcmp(from.file, place->file) == 0)
            return true;
    }
    return false;
}

/* ' for the quotes that compilers write in UTF-8. */
static char *with_plain_quotes(const char *messages)
{
    char *text = memory_copy(messages), *out = text;
    for (const char *in = messages; text && *in; in++)
        if (strncmp(in, "\xe2\x80\x98", 3) == 0 || strncmp(in, "\xe2\x80\x99", 3) == 0) {
            *out++ = '\'';
            in += 2;
        } else {
            *out++ = *in;
        }
    if (text)
        *out = '\0';
    return text;
}

static bool say(const char *messages, const char *rewritten, const char *include, char *line,
                size_t room)
{
    struct place place;
    char what[2 * WORDS], name[WORDS];
    const char *error = strstr(messages, "error: ");
    if (error == NULL || !find_place(messages, error, include, &place))
        return false;
    error += strlen("error: ");
    if (read_words(error, REFUSED, "\n", what)) {
        what[strcspn(what, "\"")] = '\0';
        snprintf(line, room, "%s:%u: %s", place.file, place.line, what);
        return true;
    }
    if (!is_launch(messages, error, &place))
        return false;
    find_launch(rewritten, &place, name);
    say_launch(error, what);
    snprintf(line, room, "%s:%u: launch of %s: %s", place.file, place.line,
             *name ? name : "a kernel", what);
    return true;
}

bool messages_explain_launch(const char *messages, const char *rewritten, const char *include,
                             char *line, size_t room)
{
    char *plain = with_plain_quotes(messages);
    const bool said = plain && say(plain, rewritten, include, line, room);
    free(plain);
    return said;
}
