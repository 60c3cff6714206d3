/* memory.c - failures are counted for the whole process: a thread's failure may be what another one writes. A stream
 * of open_memstream loses what it has no memory for without a word, unless every single call is asked; so these
 * streams are built on fopencookie, where a write that fails marks the stream. */
#define _GNU_SOURCE
#include "text/memory.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 256 };

static atomic_size_t failures;

size_t memory_failures(void)
{
    return failures;
}

void memory_note_failure(void)
{
    failures++;
}

static void *noted(void *memory)
{
    if (memory == NULL)
        memory_note_failure();
    return memory;
}

void *memory_take(size_t count, size_t item_bytes)
{
    return noted(calloc(count, item_bytes));
}

void *memory_grow(void *memory, size_t bytes)
{
    return noted(realloc(memory, bytes));
}

char *memory_copy(const char *text)
{
    return noted(strdup(text));
}

char *memory_format_list(const char *format, va_list arguments)
{
    char *text;
    return noted(vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    return text;
}

FILE *memory_open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (file == NULL && errno == ENOMEM)
        memory_note_failure();
    return file;
}

/* ---- Streams ----------------------------------------------------------------------------------- */

struct memory_text {
    char **text, *s; /* s: of `room` bytes, `length` of them in use */
    size_t *bytes, length, room;
    bool failed;
};

/* Room for `more` bytes and a zero byte behind them. */
static bool make_room(struct memory_text *m, size_t more)
{
    size_t room = m->room ? m->room : FIRST_ROOM;
    while (room - m->length <= more && room <= SIZE_MAX / 2)
        room *= 2;
    if (room == m->room)
        return true;
    char *grown = noted(room - m->length > more ? realloc(m->s, room) : NULL);
    m->failed |= grown == NULL;
    if (grown) {
        m->s = grown;
        m->room = room;
    }
    return grown;
}

static ssize_t put(void *cookie, const char *from, size_t bytes)
{
    struct memory_text *m = cookie;
    if (m->failed || !make_room(m, bytes))
        return 0;
    memcpy(m->s + m->length, from, bytes);
    m->length += bytes;
    return (ssize_t)bytes;
}

static int end(void *cookie)
{
    struct memory_text *m = cookie;
    const bool fine = !m->failed && make_room(m, 0);
    if (fine)
        m->s[m->length] = 0;
    else
        free(m->s);
    *m->text = fine ? m->s : NULL;
    *m->bytes = fine ? m->length : 0;
    free(m);
    return fine ? 0 : EOF;
}

FILE *memory_stream(char **text, size_t *bytes)
{
    struct memory_text *m = noted(calloc(1, sizeof *m));
    if (m == NULL)
        return NULL;
    m->text = text;
    m->bytes = bytes;
    *text = NULL;
    *bytes = 0;
    FILE *stream = fopencookie(m, "w", (cookie_io_functions_t){.write = put, .close = end});
    if (noted(stream) == NULL)
        free(m);
    return stream;
}
