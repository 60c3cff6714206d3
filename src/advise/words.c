/* words.c - names of arrays, lines of source, bytes. */
#include "advise/words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

/* Adds to a text; what does not fit is left out. */
static void add(char text[ADVICE_TEXT_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(char text[ADVICE_TEXT_BYTES], const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, ADVICE_TEXT_BYTES - used, format, arguments);
    va_end(arguments);
}

static void add_once(char text[ADVICE_TEXT_BYTES], const char *between, const char *what)
{
    if (strstr(text, what) == NULL)
        add(text, "%s%s", text[0] ? between : "", what);
}

/* "file.c:3" of each site of the object. */
static void add_lines(struct advice *advice, const struct observed *observed, uint16_t object)
{
    for (size_t site = 0; site < observed->site_count; site++) {
        const struct trace_site *s = &observed->sites[site];
        char line[ADVICE_TEXT_BYTES / 2];
        if (observed->object_of_site[site] != object || s->line == 0)
            continue;
        snprintf(line, sizeof line, "%.120s:%" PRIu32, s->file, s->line);
        add_once(advice->where, ", ", line);
    }
}

void words_add(struct advice *advice, const struct observed *observed, const struct candidate *c)
{
    if (c->object == NO_OBJECT) {
        add_once(advice->where, ", ", "the order of the blocks");
    } else {
        add_once(advice->where, ", ", findings_name(&observed->objects[c->object]));
        add_lines(advice, observed, c->object);
    }
    add_once(advice->why, "; ", c->why);
    add_once(advice->change, "; ", c->change);
}

void words_cost(struct advice *advice, const char *extra)
{
    if (extra[0])
        add_once(advice->cost, ", ", extra);
    if (advice->shared_bytes_more > 0)
        add(advice->cost, "%s%" PRId64 " bytes of shared memory a block",
            advice->cost[0] ? ", " : "", advice->shared_bytes_more);
    if (advice->global_bytes_more > 0)
        add(advice->cost, "%s%" PRId64 " bytes of global memory", advice->cost[0] ? ", " : "",
            advice->global_bytes_more);
}
