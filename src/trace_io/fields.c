/* fields.c - by hand, since strtoull and sscanf take signs, blanks and numbers that do not fit. */
#include "trace_io/fields.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *field_word(char **at)
{
    char *word = *at;
    while (is_blank(*word))
        word++;
    char *end = word;
    while (*end && !is_blank(*end))
        end++;
    *at = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 255;
}

static bool number(const char *text, const char *end, unsigned base, uint64_t *value)
{
    uint64_t sum = 0;
    if (text == end)
        return false;
    for (; text < end; text++) {
        unsigned digit = digit_value(*text);
        if (digit >= base || sum > (UINT64_MAX - digit) / base)
            return false;
        sum = sum * base + digit;
    }
    *value = sum;
    return true;
}

bool field_u64(const char *text, uint64_t *value)
{
    return number(text, text + strlen(text), 10, value);
}

static bool narrow(uint64_t wide, uint32_t *value)
{
    *value = (uint32_t)wide;
    return wide <= UINT32_MAX;
}

bool field_u32(const char *text, uint32_t *value)
{
    uint64_t wide;
    return field_u64(text, &wide) && narrow(wide, value);
}

bool field_i64(const char *text, int64_t *value)
{
    uint64_t size;
    bool negative = *text == '-';
    if (!field_u64(text + negative, &size) || size > (uint64_t)INT64_MAX + negative)
        return false;
    *value = (int64_t)(negative ? 0 - size : size);
    return true;
}

bool field_hex(const char *text, uint64_t *value)
{
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    return number(text, text + strlen(text), 16, value);
}

bool field_triple(const char *text, uint32_t value[3])
{
    for (unsigned i = 0; i < 3; i++) {
        const char *end = text + strcspn(text, ",");
        uint64_t wide;
        if (!number(text, end, 10, &wide) || !narrow(wide, &value[i]) || (*end == ',') != (i < 2))
            return false;
        text = end + 1;
    }
    return true;
}

char *field_after(char *text, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

char *field_cut_label(char *text, const char *label)
{
    char *last = NULL;
    for (char *at = strstr(text, label); at; at = strstr(at + 1, label))
        last = at;
    if (last == NULL)
        return NULL;
    *last = '\0';
    return last + strlen(label);
}

void field_trim(char *text)
{
    size_t length = strlen(text);
    while (length && is_blank(text[length - 1]))
        text[--length] = '\0';
}
