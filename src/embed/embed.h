/* embed.h - text files that the program carries with it. */
#ifndef WARPLENS_EMBED_EMBED_H
#define WARPLENS_EMBED_EMBED_H

#include <stddef.h>

struct embedded_file {
    const char *name; /* without folders */
    const char *text; /* ends with '\0' */
};

/* The file of that name in a list that ends with a row without a name; NULL: there is none. */
const char *embedded_text(const struct embedded_file *files, const char *name);

/* A line of such a file, from 1 on, without its indentation and end: where it begins, and *length. NULL:
 * there is no such file or line, or it is blank. */
const char *embedded_line(const struct embedded_file *files, const char *name, size_t line,
                          size_t *length);

extern const struct embedded_file gallery_texts[]; /* the kernels of the gallery */
extern const struct embedded_file page_texts[];    /* style and script of pages */

#endif
