/* gallery_lines.h - the source of the gallery's kernels, line by line, for a program that runs far
 * from it. Made by embed_lines.c. */
#ifndef WARPLENS_GALLERY_LINES_H
#define WARPLENS_GALLERY_LINES_H

#include <stddef.h>

struct gallery_line {
    const char *file; /* base name */
    unsigned line;
    const char *text; /* without its indentation */
};

/* Lines of device functions, in order; blank ones are left out. */
extern const struct gallery_line gallery_lines[];
extern const size_t gallery_line_count;

#endif
