/* words.c - names of arrays, lines of source, bytes. */
#include "advise/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "text/characters.h"

/* From here on "times as fast" says more than a part of the time; up to there tenths are worth a digit. */
#define LEAST_TIMES 1.15
enum { MOST_TIMES_WITH_TENTHS = 20 };

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
    text_make_characters(text + used); /* "%.100s" cuts them */
}

static const char *separator(const char *text, const char *between)
{
    return text[0] ? between : "";
}

/* Where a change is that is of no array. */
static const char ORDER_OF_BLOCKS[] = "the order of the blocks";

/* ---- Where ----------------------------------------------------------------------------------- */

/* Whether an earlier site of the object has the same line. */
static bool line_is_named(const struct observed *observed, size_t site)
{
    const struct trace_site *s = &observed->sites[site];
    bool is_named = false;
    for (size_t i = 0; i < site; i++)
        is_named |= observed->object_of_site[i] == observed->object_of_site[site] &&
                    observed->sites[i].line == s->line &&
                    strcmp(observed->sites[i].file, s->file) == 0;
    return is_named;
}

void words_add_place(char text[ADVICE_TEXT_BYTES], const struct observed *observed, uint16_t object)
{
    const char *file = "", *between = " (";
    add(text, "%s%.100s", separator(text, ", "), findings_name(&observed->objects[object]));
    for (size_t site = 0; site < observed->site_count; site++) {
        const struct trace_site *s = &observed->sites[site];
        if (observed->object_of_site[site] != object || s->line == 0 ||
            line_is_named(observed, site))
            continue;
        bool same_file = strcmp(s->file, file) == 0;
        add(text, "%s%.100s%s%" PRIu32, between, same_file ? "" : s->file, same_file ? "" : ":",
            s->line);
        file = s->file;
        between = ", ";
    }
    if (file[0])
        add(text, ")");
}

/* ---- Sentences ------------------------------------------------------------------------------- */

typedef const char *text_of(const struct candidate *c);

static const char *why_of(const struct candidate *c)
{
    return c->why;
}

static const char *change_of(const struct candidate *c)
{
    return c->change;
}

/* "in" or "in and out": the arrays of all candidates that say the same. */
static void add_names(char text[ADVICE_TEXT_BYTES], const struct observed *observed,
                      const struct candidate *const *members, size_t count, text_of *of,
                      const char *said)
{
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        if (members[i]->object == NO_OBJECT || strcmp(of(members[i]), said) != 0)
            continue;
        add(text, "%s%.100s", between, findings_name(&observed->objects[members[i]->object]));
        between = " and ";
    }
}

static void add_sentence(char text[ADVICE_TEXT_BYTES], const struct observed *observed,
                         const struct candidate *const *members, size_t count, text_of *of,
                         const char *said)
{
    add(text, "%s", separator(text, "; "));
    for (const char *rest = said; *rest;) {
        const size_t plain = strcspn(rest, OBJECT_MARK);
        add(text, "%.*s", (int)plain, rest);
        rest += plain;
        if (*rest == '\0')
            return;
        add_names(text, observed, members, count, of, said);
        rest++;
    }
}

static bool is_said(const struct candidate *const *members, size_t i, text_of *of)
{
    bool is = false;
    for (size_t k = 0; k < i; k++)
        is |= strcmp(of(members[k]), of(members[i])) == 0;
    return is;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void add_array(struct advice *advice, const struct observed *observed, uint16_t object)
{
    if (advice->array_count < ADVICE_ARRAYS_MAX)
        snprintf(advice->arrays[advice->array_count++], ADVICE_NAME_BYTES, "%s",
                 findings_name(&observed->objects[object]));
    for (size_t site = 0; site < observed->site_count && advice->line[0] == '\0'; site++) {
        const struct trace_site *s = &observed->sites[site];
        if (observed->object_of_site[site] == object && s->line)
            snprintf(advice->line, sizeof advice->line, "%s:%" PRIu32, s->file, s->line);
    }
}

void words_fill(struct advice *advice, const struct observed *observed,
                const struct candidate *const *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct regrouping *r = &members[i]->regrouping;
        if (members[i]->object == NO_OBJECT && r->kind != REGROUP_NONE)
            add(advice->where, "the threads of %.100s", r->kernel);
        else if (members[i]->object == NO_OBJECT)
            add(advice->where, "%s", ORDER_OF_BLOCKS);
        else {
            words_add_place(advice->where, observed, members[i]->object);
            add_array(advice, observed, members[i]->object);
        }
        if (!is_said(members, i, why_of))
            add_sentence(advice->why, observed, members, count, why_of, members[i]->why);
        if (!is_said(members, i, change_of))
            add_sentence(advice->change, observed, members, count, change_of, members[i]->change);
    }
}

/* ---- Headlines ------------------------------------------------------------------------------- */

/* What to do, in a few words. A remedy that is not here says what its change says. */
static const struct {
    const char *remedy, *order;
} orders[] = {
    {"pad", "Pad the rows"},
    {"swizzle", "Swizzle the columns"},
    {"sequential", "Use sequential addresses"},
    {"split", "Split the structs into an array for each field"},
    {"widen", "Align the structs and take each by one access"},
    {"pack", "Keep side by side what is used"},
    {"shift", "Begin at an aligned address"},
    {"tile", "Go through a tile in shared memory"},
    {"diagonal", "Take the blocks in diagonal order"},
    {"columns", "Take the blocks column by column"},
    {"pitch", "Make the rows longer"},
    {"aggregate", "Add up over the warp before the atomic"},
    {"privatise", "Add to a copy for each block in shared memory"},
    {"prefetch", "Prefetch to the GPU before the launch"},
    {"swap", "Swap threadIdx.x and threadIdx.y"},
    {"more-blocks", "Deal the loop out to more blocks if its iterations do not need each other"},
    {"larger-blocks", "Make the blocks larger"},
    {"smaller-blocks", "Make the blocks smaller"},
    {"wider", "Make the blocks 32 threads wide"},
    {"grid-stride", "Let fewer blocks go round a loop"},
    {"wide-words", "Take several neighbours with one wide access"},
    {"sort", "Sort the threads by how much they do"},
};

void words_order(char text[ADVICE_TEXT_BYTES], const struct advice *advice)
{
    text[0] = '\0';
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (strcmp(orders[i].remedy, advice->remedy) == 0)
            add(text, "%s", orders[i].order);
    if (text[0])
        return;
    add(text, "%s", advice->change);
    text[0] = (char)toupper((unsigned char)text[0]);
}

static void add_gain(char text[ADVICE_TEXT_BYTES], const struct advice *advice)
{
    char before[REPORT_NUMBER_BYTES], after[REPORT_NUMBER_BYTES];
    const double saved = advice_time_saved(advice), times = saved < 1 ? 1 / (1 - saved) : 0;
    if (!advice_saves_time(advice)) {
        add(text, ": fewer accesses, no time saved");
        return;
    }
    add(text, ": %s -> %s us, ", report_rounded((double)advice->before.elapsed_ns / 1000, before),
        report_rounded((double)advice->after.elapsed_ns / 1000, after));
    if (times < LEAST_TIMES)
        add(text, "%.1f %% less", 100 * saved);
    else
        add(text, "%.*f times as fast", times < MOST_TIMES_WITH_TENTHS, times);
}

void words_headline(char text[ADVICE_TEXT_BYTES], const struct advice *advice)
{
    words_order(text, advice);
    const bool has_place = advice->array_count || advice->line[0];
    if (!has_place && advice->where[0] && strcmp(advice->where, ORDER_OF_BLOCKS) != 0)
        add(text, " (%s)", advice->where);
    if (has_place)
        add(text, " (");
    for (size_t i = 0; i < advice->array_count; i++)
        add(text, "%s%s",
            i == 0                         ? ""
            : i + 1 == advice->array_count ? " and "
                                           : ", ",
            advice->arrays[i]);
    if (advice->line[0])
        add(text, "%s%s", advice->array_count ? ", " : "", advice->line);
    if (has_place)
        add(text, ")");
    add_gain(text, advice);
    add(text, ".");
}

void words_cost(struct advice *advice, const char *extra)
{
    char bytes[REPORT_NUMBER_BYTES];
    add(advice->cost, "%s", extra);
    if (advice->shared_bytes_more > 0)
        add(advice->cost, "%s%s bytes of shared memory a block", separator(advice->cost, ", "),
            report_number((uint64_t)advice->shared_bytes_more, bytes));
    if (advice->global_bytes_more > 0)
        add(advice->cost, "%s%s bytes of global memory", separator(advice->cost, ", "),
            report_number((uint64_t)advice->global_bytes_more, bytes));
}
