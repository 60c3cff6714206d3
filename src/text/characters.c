/* characters.c - UTF-8 by the tables of RFC 3629 and the production Char of XML 1.0, without control characters:
 * a terminal acts on those of U+0080 to U+009F as it does on ESC. */
#include "text/characters.h"
#include "text/memory.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a code stands in its shortest form and is no control character, surrogate or non-character. */
static bool is_allowed(uint32_t code, size_t bytes)
{
    static const uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
    return code >= least[bytes] && code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) &&
           code != 0xfffe && code != 0xffff;
}

size_t text_character_bytes(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (*at < 0x80)
        return (*at >= 0x20 && *at != 0x7f) || *at == '\t' || *at == '\n' ? 1 : 0;
    if (*at < 0xc2 || *at > 0xf4)
        return 0;
    size_t bytes = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
    uint32_t code = *at & (0xffU >> (bytes + 1));
    for (size_t i = 1; i < bytes; i++) {
        if ((at[i] & 0xc0U) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3fU);
    }
    return is_allowed(code, bytes) ? bytes : 0;
}

size_t text_mark_bytes(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    return strncmp(text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
}

size_t text_bytes_of_columns(const char *text, size_t columns)
{
    size_t at = 0;
    for (; text[at] && columns; columns--) {
        const size_t bytes = text_character_bytes(text + at);
        at += bytes ? bytes : 1;
    }
    return at;
}

size_t text_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; columns++)
        text += text_bytes_of_columns(text, 1);
    return columns;
}

void text_make_characters(char *text)
{
    while (*text) {
        size_t bytes = text_character_bytes(text);
        if (bytes == 0)
            *text = '?';
        text += bytes ? bytes : 1;
    }
}

/* Bytes of the character at the text's begin, when it can stand in a line; 0: none can. */
static size_t printable_bytes(const char *text)
{
    return *text == '\t' || *text == '\n' ? 0 : text_character_bytes(text);
}

void text_make_printable(char *text)
{
    while (*text) {
        const size_t bytes = printable_bytes(text);
        if (bytes == 0)
            *text = '?';
        text += bytes ? bytes : 1;
    }
}

bool text_is_printable(const char *text)
{
    size_t bytes = 1;
    for (; *text && bytes; text += bytes)
        bytes = printable_bytes(text);
    return bytes > 0;
}

char *text_printable_copy(const char *text)
{
    enum { ESCAPE_BYTES = sizeof "\\xff" - 1 };
    char *const copy = memory_take(ESCAPE_BYTES * strlen(text) + 1, 1), *to = copy;
    while (copy && *text) {
        const size_t bytes = printable_bytes(text);
        if (bytes)
            memcpy(to, text, bytes);
        else
            snprintf(to, ESCAPE_BYTES + 1, "\\x%02x", (unsigned char)*text);
        to += bytes ? bytes : ESCAPE_BYTES;
        text += bytes ? bytes : 1;
    }
    if (copy)
        *to = '\0';
    return copy;
}

char *text_trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}
