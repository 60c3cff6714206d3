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

/* Writes the text, or only counts its bytes when `out` is NULL. */
static size_t put_lines(const char *text, size_t length, char *out)
{
    size_t used = 0;
    bool library = false;
    for (size_t at = 0; at < length;) {
        const size_t end = line_end(text, at, length), next = end + (end < length);
        const struct line_marker marker =
            text[at] == '#' ? line_marker_read(text, at, end) : (struct line_marker){0};
        if (marker.line)
            library = marker.library;
        const bool changes = library && is_directive(text + at, end - at);
        const char *line = changes ? to : text + at;
        const size_t bytes = changes ? TO_BYTES : end - at;
        if (out) {
            memcpy(out + used, line, bytes);
            memcpy(out + used + bytes, text + end, next - end);
        }
        used += bytes + (next - end);
        at = next;
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
    bool system = false;
    for (size_t at = 0; at < length;) {
        const size_t end = line_end(text, at, length);
        const struct line_marker marker =
            text[at] == '#' ? line_marker_read(text, at, end) : (struct line_marker){0};
        if (marker.line)
            system = marker.system || marker.library;
        if (!system && end - at > FROM_BYTES && memcmp(text + at, from, FROM_BYTES) == 0)
            make_one(text + at, end - at);
        at = end + (end < length);
    }
}
