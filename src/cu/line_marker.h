/* line_marker.h - what a preprocessor writes to say where a text comes from: # 12 "file" 3. */
#ifndef WARPLENS_CU_LINE_MARKER_H
#define WARPLENS_CU_LINE_MARKER_H

#include <stdbool.h>
#include <stddef.h>

struct line_marker {
    size_t file_at, file_bytes; /* as it is written between the quotes */
    unsigned line;              /* of the line behind the marker; 0: this is no marker */
    bool system;                /* the text is a system header's */
    bool library; /* ... is a header's of CUB or libcu++, whose device code is as the user's */
};

/* Reads the line [at, end) of the text; it begins with #. */
struct line_marker line_marker_read(const char *text, size_t at, size_t end);

/* Where the line that holds `at` ends: its newline, or the text's end. */
size_t line_end(const char *text, size_t at, size_t length);

#endif
