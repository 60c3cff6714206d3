/* unroll_factors.c - #pragma unroll N in front of a user's loop -> a variable that says so, a struct wl_unroll of
 * src/tracer/waits/unroll_factors.h by what it is made of, since the text may be without any header. N that is no
 * number as it stands there, a template's parameter for one, is not known: such a loop is unrolled as one without.
 */
#include <string.h>

#include "cu/writer.h"

enum { TIMES_MAX = 1 << 16, TIMES_DIGITS_MAX = 5 };

static size_t skip_spaces(const char *text, size_t at, size_t end)
{
    while (at < end && (text[at] == ' ' || text[at] == '\t'))
        at++;
    return at;
}

/* Behind the word when it stands there, with the spaces around it; `end`: it does not. */
static size_t behind_word(const char *text, size_t at, size_t end, const char *word)
{
    const size_t bytes = strlen(word);
    at = skip_spaces(text, at, end);
    return end - at > bytes && memcmp(text + at, word, bytes) == 0
               ? skip_spaces(text, at + bytes, end)
               : end;
}

/* N of the directive on the line [at, end); 0: it is none, or has none. */
static unsigned times_on_line(const char *text, size_t at, size_t end)
{
    unsigned times = 0, digits = 0;
    at = behind_word(text, at, end, "#");
    at = behind_word(text, at, end, "pragma");
    at = behind_word(text, at, end, "unroll");
    if (at < end && text[at] == '(')
        at = skip_spaces(text, at + 1, end);
    for (; at < end && text[at] >= '0' && text[at] <= '9' && digits < TIMES_DIGITS_MAX; digits++)
        times = times * 10 + (unsigned)(text[at++] - '0');
    at = skip_spaces(text, at, end);
    if (at < end && text[at] == ')')
        at = skip_spaces(text, at + 1, end);
    return at == end && times <= TIMES_MAX ? times : 0;
}

/* N of the last directive between the token and the one before. */
static unsigned times_before(const struct tokens *tokens, uint32_t i)
{
    const size_t end = tokens->items[i].at;
    size_t at = i > 0 ? tokens->items[i - 1].at + tokens->items[i - 1].length : 0;
    unsigned times = 0;
    while (at < end) {
        const char *newline = memchr(tokens->text + at, '\n', end - at);
        const size_t line = newline ? (size_t)(newline - tokens->text) : end;
        const unsigned found = newline ? times_on_line(tokens->text, at, line) : 0;
        times = found ? found : times;
        at = line + 1;
    }
    return times;
}

/* The word in front of the condition of the loop that begins at `i`; TOKEN_NONE. */
static uint32_t condition_of(const struct tokens *tokens, uint32_t i)
{
    if (tokens_is(tokens, i, "do"))
        i = tokens_is_mark(tokens, i + 1, '{') && tokens->items[i + 1].match != TOKEN_NONE
                ? tokens->items[i + 1].match + 1
                : TOKEN_NONE;
    else if (!tokens_is(tokens, i, "for") && !tokens_is(tokens, i, "while"))
        return TOKEN_NONE;
    return i != TOKEN_NONE && tokens_is_mark(tokens, i + 1, '(') &&
                   tokens->items[i + 1].match != TOKEN_NONE
               ? i
               : TOKEN_NONE;
}

static void put_factor(struct writer *w, uint32_t word, unsigned times, uint32_t number)
{
    const struct tokens *tokens = &w->r->tokens;
    const struct token_place first = tokens_place(tokens, word);
    const struct token_place last = tokens_place(tokens, tokens->items[word + 1].match);
    const char *folder = strrchr(first.file, '/');
    writer_put(w, number == 1 ? "\n" : " ");
    writer_put(
        w,
        "static const struct { const char *file; unsigned long first, last, times; } wl_unroll_");
    writer_put_number(w, number);
    writer_put(w, " __attribute__((section(\"wl_unrolls\"), used, aligned(32))) = {\"");
    writer_put(w, folder ? folder + 1 : first.file);
    writer_put(w, "\", ");
    writer_put_number(w, first.line);
    writer_put(w, ", ");
    writer_put_number(w, last.line);
    writer_put(w, ", ");
    writer_put_number(w, times);
    writer_put(w, "};");
}

void writer_put_unroll_factors(struct writer *w)
{
    const struct tokens *tokens = &w->r->tokens;
    uint32_t number = 0;
    for (uint32_t i = 0; i < tokens->count; i++) {
        const uint32_t word = tokens->items[i].system ? TOKEN_NONE : condition_of(tokens, i);
        const unsigned times = word == TOKEN_NONE ? 0 : times_before(tokens, i);
        if (times)
            put_factor(w, word, times, ++number);
    }
}
