/* line_marker.c - reads line markers. */
#define _GNU_SOURCE
#include "cu/line_marker.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter_or_space(char c)
{
    return (c >= 'a' && c <= 'z') || c == ' ' || c == '\t';
}

static bool has(const char *text, size_t bytes, const char *part)
{
    return memmem(text, bytes, part, strlen(part)) != NULL;
}

/* By its folder, wherever that is: CUB's older versions do not say that they are of the system. */
static bool is_library(const char *file, size_t bytes, bool system)
{
    const bool is_cuh = bytes > 4 && memcmp(file + bytes - 4, ".cuh", 4) == 0;
    return (is_cuh && has(file, bytes, "/cub/")) || (system && has(file, bytes, "/cuda/"));
}

/* # 12 "file" 1 3, or #line 12 "file". */
struct line_marker line_marker_read(const char *text, size_t at, size_t end)
{
    struct line_marker marker = {0};
    unsigned line = 0;
    for (at++; at < end && (is_letter_or_space(text[at])); at++)
        ;
    for (; at < end && is_digit(text[at]); at++)
        line = line * 10 + (unsigned)(text[at] - '0');
    if (line == 0 || at + 1 >= end || text[at] != ' ' || text[at + 1] != '"')
        return marker;
    marker.file_at = at += 2;
    for (; at < end && text[at] != '"'; at++)
        if (text[at] == '\\' && at + 1 < end)
            at++;
    marker.file_bytes = at - marker.file_at;
    for (; at < end; at++)
        if (text[at] == '3' && text[at - 1] == ' ')
            marker.system = true;
    marker.library = is_library(text + marker.file_at, marker.file_bytes, marker.system);
    marker.line = line;
    return marker;
}

size_t line_end(const char *text, size_t at, size_t length)
{
    const char *end = memchr(text + at, '\n', length - at);
    return end ? (size_t)(end - text) : length;
}
