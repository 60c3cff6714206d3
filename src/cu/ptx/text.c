/* text.c - the text of a PTX template: lists, names, arguments. */
#include "cu/ptx/ptx.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/memory.h"

void ptx_put(struct ptx_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (text->failed || n < 0)
        return;
    if (text->room - text->length <= (size_t)n) {
        size_t room = 2 * text->room + (size_t)n + 256;
        char *grown = memory_grow(text->bytes, room);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->room = room;
    }
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)n + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)n;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

struct ptx_word ptx_trim(struct ptx_word word)
{
    while (word.length && is_space(word.at[0])) {
        word.at++;
        word.length--;
    }
    while (word.length && is_space(word.at[word.length - 1]))
        word.length--;
    return word;
}

bool ptx_is(struct ptx_word word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.at, text, word.length) == 0;
}

bool ptx_begins(struct ptx_word word, const char *text)
{
    size_t n = strlen(text);
    return word.length >= n && memcmp(word.at, text, n) == 0;
}

bool ptx_has(const char *text, struct ptx_word word)
{
    for (size_t n; *text; text += n + (text[n] != '\0')) {
        n = strcspn(text, " ");
        if (n == word.length && memcmp(text, word.at, n) == 0)
            return true;
    }
    return false;
}

/* The parts of `text` between separators that are outside of brackets; false: more than `most`. */
static bool split(struct ptx_word text, char separator, struct ptx_word *parts, unsigned most,
                  unsigned *count)
{
    unsigned depth = 0;
    size_t begin = 0;
    *count = 0;
    for (size_t i = 0; i <= text.length; i++) {
        char c = i < text.length ? text.at[i] : separator;
        if (c == '{' || c == '[')
            depth++;
        if ((c == '}' || c == ']') && depth)
            depth--;
        if (i < text.length && (c != separator || depth))
            continue;
        if (*count == most)
            return false;
        parts[(*count)++] = ptx_trim((struct ptx_word){text.at + begin, i - begin});
        begin = i + 1;
    }
    return true;
}

unsigned ptx_list(struct ptx_word argument, struct ptx_word *lanes, unsigned most)
{
    unsigned count;
    if (argument.length < 2 || argument.at[0] != '{' || argument.at[argument.length - 1] != '}')
        return 0;
    argument.at++;
    argument.length -= 2;
    return split(argument, ',', lanes, most, &count) ? count : 0;
}

static struct ptx_word take_word(struct ptx_word *text)
{
    size_t n = 0;
    while (n < text->length && !is_space(text->at[n]))
        n++;
    struct ptx_word word = {text->at, n};
    *text = ptx_trim((struct ptx_word){text->at + n, text->length - n});
    return word;
}

/* "shared::cta" is one part, as is "L1::no_allocate": they have no dot. */
bool ptx_instruction_read(struct ptx_word text, struct ptx_instruction *instruction)
{
    *instruction = (struct ptx_instruction){.whole = text};
    text = ptx_trim(text);
    if (ptx_begins(text, "@"))
        instruction->guard = take_word(&text);
    instruction->whole = take_word(&text);
    if (!split(instruction->whole, '.', instruction->parts, PTX_PARTS_MAX,
               &instruction->part_count))
        return false;
    if (instruction->part_count == 3 && ptx_is(instruction->parts[0], "prmt")) {
        struct ptx_word mode = instruction->parts[2]; /* the one whose type is not the last */
        instruction->parts[2] = instruction->parts[1];
        instruction->parts[1] = mode;
    }
    return text.length == 0 || split(text, ',', instruction->arguments, PTX_ARGUMENTS_MAX,
                                     &instruction->argument_count);
}
