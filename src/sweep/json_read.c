/* json_read.c - strict: blanks and tabs between values, no other escapes than those that reports
 * have (quote.c), and a limit to the depth. */
#include "sweep/json_read.h"

#include <stdlib.h>
#include <string.h>

#include "text/characters.h"
#include "text/memory.h"

enum { DEPTH_MAX = 16 };

static bool fail(struct json_reader *reader)
{
    reader->failed = true;
    return false;
}

static char peek(const struct json_reader *reader)
{
    return reader->failed || reader->at == reader->end ? '\0' : *reader->at;
}

static char peek_past_blanks(struct json_reader *reader)
{
    while (peek(reader) == ' ' || peek(reader) == '\t')
        reader->at++;
    return peek(reader);
}

bool json_read_bytes(struct json_reader *reader, const char *bytes)
{
    for (; *bytes; bytes++, reader->at++)
        if (peek(reader) != *bytes)
            return fail(reader);
    return !reader->failed;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool json_read_uint(struct json_reader *reader, uint64_t *value)
{
    const char *start = reader->at;
    for (*value = 0; is_digit(peek(reader)); reader->at++) {
        unsigned digit = (unsigned)(*reader->at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return fail(reader);
        *value = *value * 10 + digit;
    }
    bool padded = reader->at - start > 1 && *start == '0';
    return reader->at > start && !padded ? true : fail(reader);
}

bool json_read_int(struct json_reader *reader, int64_t *value)
{
    bool negative = peek(reader) == '-';
    uint64_t size;
    reader->at += negative;
    if (!json_read_uint(reader, &size) || size > INT64_MAX)
        return fail(reader);
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

/* A backslash is next: \" \\ or \u00 and two digits. */
static bool read_escape(struct json_reader *reader, char *c)
{
    if (reader->end - reader->at < 6) /* at least a quote, two brackets and a brace follow */
        reader->at = reader->end;
    *c = peek(reader) ? reader->at[1] : '\0';
    if (*c == '"' || *c == '\\') {
        reader->at += 2;
        return true;
    }
    unsigned code = 0;
    if (*c != 'u' || memcmp(reader->at + 2, "00", 2) != 0)
        return fail(reader);
    for (const char *at = reader->at + 4; at < reader->at + 6; at++) {
        const char *digits = "0123456789abcdef", *digit = *at ? strchr(digits, *at) : NULL;
        if (digit == NULL)
            return fail(reader);
        code = code * 16 + (unsigned)(digit - digits);
    }
    if (code == 0 || code >= 0x20)
        return fail(reader);
    *c = (char)code;
    reader->at += 6;
    return true;
}

/* The string's characters go to `text`, when there is one; returns their count. */
static size_t read_string(struct json_reader *reader, char *text)
{
    size_t length = 0;
    json_read_bytes(reader, "\"");
    while (!reader->failed && peek(reader) != '"') {
        char c = peek(reader);
        if (c == '\\')
            read_escape(reader, &c);
        else if ((unsigned char)c < 0x20)
            fail(reader);
        else
            reader->at++;
        if (text)
            text[length] = c;
        length++;
    }
    json_read_bytes(reader, "\"");
    return length;
}

char *json_read_string(struct json_reader *reader)
{
    struct json_reader ahead = *reader;
    size_t length = read_string(&ahead, NULL);
    char *text = ahead.failed ? NULL : memory_take(1, length + 1);
    if (text == NULL) {
        *reader = ahead;
        fail(reader);
        return NULL;
    }
    read_string(reader, text);
    text[length] = '\0';
    text_make_characters(text);
    return text;
}

static void skip_digits(struct json_reader *reader)
{
    if (!is_digit(peek(reader)))
        fail(reader);
    while (is_digit(peek(reader)))
        reader->at++;
}

static bool skip_number(struct json_reader *reader)
{
    reader->at += peek(reader) == '-';
    skip_digits(reader);
    if (peek(reader) == '.') {
        reader->at++;
        skip_digits(reader);
    }
    if (peek(reader) == 'e') {
        reader->at++;
        reader->at += peek(reader) == '+' || peek(reader) == '-';
        skip_digits(reader);
    }
    return !reader->failed;
}

/* At the start of an object or array: its bracket. Later: a comma, or the closing bracket. */
static bool next_member(struct json_reader *reader, bool *first, const char *open, char close)
{
    if (*first)
        json_read_bytes(reader, open);
    if (peek_past_blanks(reader) == close) {
        reader->at++;
        return false;
    }
    if (!*first)
        json_read_bytes(reader, ",");
    *first = false;
    peek_past_blanks(reader);
    return !reader->failed;
}

bool json_next_value(struct json_reader *reader, bool *first)
{
    return next_member(reader, first, "[", ']');
}

bool json_next_name(struct json_reader *reader, bool *first, char name[JSON_NAME_BYTES])
{
    if (!next_member(reader, first, "{", '}'))
        return false;
    const char *start = reader->at + 1;
    read_string(reader, NULL);
    if (reader->failed || reader->at - start > JSON_NAME_BYTES)
        return fail(reader);
    size_t length = (size_t)(reader->at - start) - 1;
    memcpy(name, start, length);
    name[length] = '\0';
    return json_read_bytes(reader, ":");
}

bool json_read_bool(struct json_reader *reader, bool *value)
{
    *value = peek(reader) == 't';
    return json_read_bytes(reader, *value ? "true" : "false");
}

static bool skip_value(struct json_reader *reader, unsigned depth)
{
    bool first = true;
    char name[JSON_NAME_BYTES], c = peek_past_blanks(reader);
    if (depth == DEPTH_MAX)
        return fail(reader);
    if (c == '{')
        while (json_next_name(reader, &first, name))
            skip_value(reader, depth + 1);
    else if (c == '[')
        while (json_next_value(reader, &first))
            skip_value(reader, depth + 1);
    else if (c == '"')
        read_string(reader, NULL);
    else if (c == 'n')
        json_read_bytes(reader, "null");
    else if (c == 't' || c == 'f')
        json_read_bool(reader, &first);
    else
        skip_number(reader);
    return !reader->failed;
}

bool json_skip_value(struct json_reader *reader)
{
    return skip_value(reader, 0);
}
