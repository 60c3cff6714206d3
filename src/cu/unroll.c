/* unroll.c - #pragma unroll of libraries' headers -> gcc's; of the user's, as clang is to see it. */
#include "cu/unroll.h"

#include <string.h>

#include "cu/line_marker.h"
#include "text/memory.h"

/* 64: more than a thread has items, and little enough where a loop has no constant bound. */
static const char from[] = "#pragma unroll", to[] = "#pragma GCC unroll 64";
enum { FROM_BYTES = sizeof from - 1, TO_BYTES = sizeof to - 1 };

/* The directive alone; with a number it stays. */
static bool is_directive(const char *line, size_t bytes)
{
    while (bytes > FROM_BYTES && (line[bytes - 1] == ' ' || line[bytes - 1] == '\t'))
        bytes--;
    return bytes == FROM_BYTES && memcmp(line, from, FROM_BYTES) == 0;
}

/* A line of the text, and whose file it is in. Zero: in front of the first. */
struct line {
    size_t at, end, next;
    bool system, library;
};

/* False behind the last. */
static bool next_line(const char *text, size_t length, struct line *line)
{
    line->at = line->next;
    if (line->at >= length)
        return false;
    line->end = line_end(text, line->at, length);
    line->next = line->end + (line->end < length);
    const struct line_marker marker = text[line->at] == '#'
                                          ? line_marker_read(text, line->at, line->end)
                                          : (struct line_marker){0};
    if (marker.line) {
        line->system = marker.system;
        line->library = marker.library;
    }
    return true;
}

/* Writes the text, or only counts its bytes when `out` is NULL. */
static size_t put_lines(const char *text, size_t length, char *out)
{
    size_t used = 0;
    for (struct line line = {0}; next_line(text, length, &line);) {
        const size_t written = line.end - line.at, newline = line.next - line.end;
        const bool changes = line.library && is_directive(text + line.at, written);
        const size_t bytes = changes ? TO_BYTES : written;
        if (out) {
            memcpy(out + used, changes ? to : text + line.at, bytes);
            memcpy(out + used + bytes, text + line.end, newline);
        }
        used += bytes + newline;
    }
    return used;
}

char *unroll_libraries(const char *text, size_t length, size_t *result_length)
{
    *result_length = put_lines(text, length, NULL);
    char *out = memory_take(*result_length + 1, 1);
    if (out) {
        put_lines(text, length, out);
        out[*result_length] = '\0';
    }
    return out;
}

/* A number's first digit becomes 1, its others blanks; a name stays. */
static void make_one(char *line, size_t bytes)
{
    size_t i = FROM_BYTES;
    while (i < bytes && (line[i] == ' ' || line[i] == '\t' || line[i] == '('))
        i++;
    for (char digit = '1'; i < bytes && line[i] >= '0' && line[i] <= '9'; digit = ' ')
        line[i++] = digit;
}

void unroll_not_by_number(char *text, size_t length)
{
    for (struct line line = {0}; next_line(text, length, &line);) {
        const size_t bytes = line.end - line.at;
        if (!line.system && !line.library && bytes > FROM_BYTES &&
            memcmp(text + line.at, from, FROM_BYTES) == 0)
            make_one(text + line.at, bytes);
    }
}
