/* words.c - words, numbers, and messages about them. */
#include "expression/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text/text.h"

enum {
    QUOTED_MOST = 20,   /* a longer word is cut in a message */
    COMPARED_MOST = 12, /* a longer word is near to none */
    NEAR_EDITS = 2,
    NEAREST_MOST = 3
};

bool words_fail(const struct words *words, const char *at, const char *format, ...)
{
    struct text t;
    char message[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    text_start(&t);
    text_add(&t, "column %zu: %s", (size_t)(at - words->text) + 1, message);
    if (words->error_bytes != 0)
        snprintf(words->error, words->error_bytes, "%s", t.s);
    return false;
}

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* Levenshtein distance: letters to insert, drop or change. */
static unsigned edit_distance(struct word word, const char *other)
{
    unsigned row[COMPARED_MOST + 1];
    if (word.length > COMPARED_MOST)
        return COMPARED_MOST;
    for (unsigned i = 0; i <= word.length; i++)
        row[i] = i;
    for (unsigned k = 0; other[k] != '\0'; k++) {
        unsigned diagonal = row[0];
        row[0] = k + 1;
        for (unsigned i = 1; i <= word.length; i++) {
            unsigned changed = diagonal + (word.s[i - 1] != other[k]);
            diagonal = row[i];
            row[i] = min3(changed, row[i] + 1, row[i - 1] + 1);
        }
    }
    return row[word.length];
}

static void add_nearest(struct text *t, struct word word, const char *const *allowed, size_t count)
{
    unsigned nearest = NEAR_EDITS, told = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned distance = edit_distance(word, allowed[i]);
        /* Of a word of two letters, two edits leave nothing. */
        if (distance < nearest || (distance == nearest && distance < word.length && told == 0)) {
            nearest = distance;
            told = 1;
        }
    }
    if (told == 0)
        return;
    told = 0;
    for (size_t i = 0; i < count && told < NEAREST_MOST; i++) {
        if (edit_distance(word, allowed[i]) == nearest)
            text_add(t, "%s'%s'", told++ == 0 ? ", nearest " : " or ", allowed[i]);
    }
}

/* The word as it can be shown on any terminal. */
static void add_quoted(struct text *t, struct word word)
{
    text_add(t, "'");
    for (size_t i = 0; i < word.length && i < QUOTED_MOST; i++)
        text_add(t, "%c", word.s[i] >= ' ' && word.s[i] <= '~' ? word.s[i] : '?');
    text_add(t, word.length > QUOTED_MOST ? "...'" : "'");
}

bool words_fail_near(const struct words *words, struct word word, const char *what,
                     const char *const *near, size_t count, const char *allowed)
{
    struct text t;
    text_start(&t);
    if (word.length == 0) {
        text_add(&t, "the %s is missing", what);
    } else {
        text_add(&t, "unknown %s ", what);
        add_quoted(&t, word);
        add_nearest(&t, word, near, count);
    }
    return words_fail(words, word.s, "%s; allowed: %s", t.s, allowed);
}

bool words_fail_unknown(const struct words *words, struct word word, const char *what,
                        const char *const *allowed, size_t count)
{
    struct text t;
    text_start(&t);
    for (size_t i = 0; i < count; i++)
        text_add(&t, "%s%s", i == 0 ? "" : ", ", allowed[i]);
    return words_fail_near(words, word, what, allowed, count, t.s);
}

struct word word_next(const char *s)
{
    s += strspn(s, " \t\n");
    return (struct word){s, strcspn(s, " \t\n")};
}

bool word_is(struct word word, const char *s)
{
    return strlen(s) == word.length && memcmp(word.s, s, word.length) == 0;
}

size_t word_find(struct word word, const char *const *list, size_t count)
{
    size_t i = 0;
    while (i < count && !word_is(word, list[i]))
        i++;
    return i;
}

struct word word_cut(struct word word, char end, struct word *rest)
{
    const char *found = memchr(word.s, end, word.length);
    if (found == NULL) {
        *rest = (struct word){NULL, 0};
        return word;
    }
    const size_t length = (size_t)(found - word.s);
    *rest = (struct word){found + 1, word.length - length - 1};
    return (struct word){word.s, length};
}

static unsigned digit_value(char c)
{
    if (isdigit((unsigned char)c))
        return (unsigned)(c - '0');
    if (isxdigit((unsigned char)c))
        return (unsigned)(tolower((unsigned char)c) - 'a') + 10;
    return 16;
}

static bool fail_number(const struct words *words, struct word word)
{
    struct text t;
    text_start(&t);
    if (word.length == 0)
        text_add(&t, "a number is missing");
    else
        add_quoted(&t, word);
    return words_fail(words, word.s, "%s%s; allowed: decimal (128) or hexadecimal (0x80)", t.s,
                      word.length == 0 ? "" : " is not a number");
}

bool words_number(const struct words *words, struct word word, uint64_t most, uint64_t *value)
{
    const bool is_hex = word.length > 2 && word.s[0] == '0' && (word.s[1] | 0x20) == 'x';
    const unsigned radix = is_hex ? 16 : 10;
    bool is_too_large = false;
    *value = 0;
    if (word.length == 0)
        return fail_number(words, word);
    for (size_t i = is_hex ? 2 : 0; i < word.length; i++) {
        unsigned digit = digit_value(word.s[i]);
        if (digit >= radix)
            return fail_number(words, word);
        is_too_large = is_too_large || *value > (most - digit) / radix;
        *value = is_too_large ? 0 : *value * radix + digit;
    }
    if (!is_too_large)
        return true;
    struct text t;
    text_start(&t);
    add_quoted(&t, word);
    return words_fail(words, word.s, "%s is too large; allowed: 0 to 0x%" PRIx64, t.s, most);
}
