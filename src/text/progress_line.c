/* progress_line.c - parts of a line, separated by commas. */
#include "text/progress_line.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "text/characters.h"
#include "text/text.h"

double progress_seconds_left(double done, double all, double seconds)
{
    return done > 0 && done < all ? seconds * (all - done) / done : -1;
}

static void add_part(struct text *parts, const char *part)
{
    text_add(parts, "%s%s", parts->length ? ", " : "", part);
}

static void add_launch(struct text *parts, const struct progress_line *line)
{
    char part[160];
    const bool is_named = strncmp(line->title, line->kernel, strlen(line->kernel)) == 0;
    const size_t used = (size_t)snprintf(part, sizeof part, "launch %" PRIu64, line->launch);
    if (!is_named)
        snprintf(part + used, sizeof part - used, " (%.64s)", line->kernel);
    add_part(parts, part);
    snprintf(part, sizeof part, "%" PRIu64 " of %" PRIu64 " blocks", line->blocks_done,
             line->blocks);
    add_part(parts, part);
}

/* Until a job takes longer than those before. */
static double jobs_seconds_left(const struct progress_line *line)
{
    const double left =
        progress_seconds_left((double)line->jobs_done, (double)line->jobs, line->jobs_seconds);
    return left - (line->seconds - line->jobs_seconds);
}

static double seconds_left(const struct progress_line *line)
{
    if (line->jobs > 1)
        return jobs_seconds_left(line);
    if (*line->note)
        return -1;
    if (line->launch)
        return progress_seconds_left((double)line->blocks_done, (double)line->blocks,
                                     line->launch_seconds);
    return progress_seconds_left((double)line->bytes_read, (double)line->bytes, line->seconds);
}

static void add_time(struct text *parts, const struct progress_line *line)
{
    char part[64];
    const double left = seconds_left(line), shown = left < 0 ? line->seconds : left;
    const int digits = shown < 100 ? 0 : 1;
    const char *unit = shown < 100 ? "s" : shown < 6000 ? "min" : "h";
    const double in_unit = shown < 100 ? shown : shown < 6000 ? shown / 60 : shown / 3600;
    snprintf(part, sizeof part, "%.*f %s %s", digits, in_unit, unit, left < 0 ? "so far" : "left");
    add_part(parts, part);
}

void progress_line_text(const struct progress_line *line, size_t columns,
                        char text[PROGRESS_LINE_BYTES])
{
    struct text parts;
    char part[64];
    text_start(&parts);
    if (line->jobs > 1) {
        snprintf(part, sizeof part, "%zu of %zu jobs done", line->jobs_done, line->jobs);
        add_part(&parts, part);
    }
    if (*line->note)
        add_part(&parts, line->note);
    else if (line->launch)
        add_launch(&parts, line);
    if (line->bytes && line->bytes_read <= line->bytes) {
        snprintf(part, sizeof part, "%.0f %% read",
                 100.0 * (double)line->bytes_read / (double)line->bytes);
        add_part(&parts, part);
    }
    add_time(&parts, line);
    if (line->hint && *line->hint)
        add_part(&parts, line->hint);
    const size_t behind = text_columns(parts.s) + 2;
    const size_t room = columns > behind ? columns - behind : 0;
    snprintf(text, PROGRESS_LINE_BYTES, "%.*s%s%.255s",
             (int)text_bytes_of_columns(line->title, room), line->title, room ? ": " : "", parts.s);
    text_make_printable(text);
    text[text_bytes_of_columns(text, columns)] = '\0';
}
