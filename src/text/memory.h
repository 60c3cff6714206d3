/* memory.h - memory for what is written. Whoever writes leaves out what there is no memory for, and goes on; whoever
 * closes the output asks memory_failures() whether it is whole. So all of what writes takes its memory here.
 */
#ifndef WARPLENS_TEXT_MEMORY_H
#define WARPLENS_TEXT_MEMORY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* How many times the functions here, and list_grow, have had no memory, in this process so far. */
size_t memory_failures(void);
void memory_note_failure(void);

/* As calloc, realloc, strdup, vasprintf and asprintf; NULL: no memory, or a text that cannot be written. free() frees them. */
void *memory_take(size_t count, size_t item_bytes);
void *memory_grow(void *memory, size_t bytes);
char *memory_copy(const char *text);
char *memory_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As fopen; having had no memory for it, which errno says as well, is a failure here. */
FILE *memory_open_file(const char *path, const char *mode);

/* A stream into memory, as open_memstream, whose text is there once it is closed, and whose errors, other than that one's,
 * are those of a file: ferror() says that there was no memory, and so does fclose(), after which *text is NULL.
 * NULL: no memory. */
FILE *memory_stream(char **text, size_t *bytes);

#endif
