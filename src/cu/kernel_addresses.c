/* kernel_addresses.c - (void *)kernel and (const void *)kernel<T>: a pointer that says nothing of the parameters any more,
 * which cudaLaunchCooperativeKernel and graphs' nodes are given. What stands there then notes the type:
 *
 *     (void *)::wl::kernel_address(kernel<T>)
 *
 * So does auto *pointer = &kernel<T>, which may be cast later; where a type other than auto stands there, it may be what chooses the kernel.
 */
#include "cu/declaration.h"

enum { ARGUMENT_TOKENS_MAX = 256 };

/* Whether the tokens [begin, end) are a pointer to void, which may be const. */
static bool is_void_pointer(const struct tokens *tokens, uint32_t begin, uint32_t end)
{
    while (begin < end && tokens_is(tokens, begin, "const"))
        begin++;
    return begin < end && tokens_is(tokens, begin, "void") &&
           tokens_is_mark(tokens, end - 1, '*') &&
           (begin + 2 == end || (begin + 3 == end && tokens_is(tokens, begin + 1, "const")));
}

/* Whether the `)` at `i` ends (void *), or the `(` there follows reinterpret_cast<void *>. */
static bool is_cast(const struct tokens *tokens, uint32_t i)
{
    if (tokens_is_mark(tokens, i, ')') && tokens->items[i].match != TOKEN_NONE)
        return is_void_pointer(tokens, tokens->items[i].match + 1, i);
    if (!tokens_is_mark(tokens, i, '(') || i < 4 || !tokens_is_mark(tokens, i - 1, '>'))
        return false;
    const uint32_t angle = tokens_open_angle(tokens, i - 1, 0);
    return angle != TOKEN_NONE && angle > 0 && tokens_is(tokens, angle - 1, "reinterpret_cast") &&
           is_void_pointer(tokens, angle + 1, i - 1);
}

/* Whether `auto name =`, with * and const, is in front of token `i`. */
static bool is_auto(const struct tokens *tokens, uint32_t i)
{
    if (i < 3 || !tokens_is_mark(tokens, i - 1, '=') || !tokens_is_word(tokens, i - 2))
        return false;
    i -= 3;
    while (i > 0 && (tokens_is_mark(tokens, i, '*') || tokens_is(tokens, i, "const")))
        i--;
    return tokens_is(tokens, i, "auto");
}

/* The first token of a name with its namespaces, and the & in front of it. */
static uint32_t name_begin(const struct tokens *tokens, uint32_t i)
{
    while (i > 0 && tokens->items[i - 1].kind == TOKEN_SCOPE)
        i -= i > 1 && tokens_is_word(tokens, i - 2) ? 2 : 1;
    return i > 0 && tokens_is_mark(tokens, i - 1, '&') ? i - 1 : i;
}

/* The last token of a name with its template arguments; TOKEN_NONE where these do not end. */
static uint32_t name_end(const struct tokens *tokens, uint32_t i)
{
    if (!tokens_is_mark(tokens, i + 1, '<'))
        return i;
    uint32_t depth = 0;
    for (uint32_t at = i + 1; at < tokens->count && at < i + ARGUMENT_TOKENS_MAX; at++) {
        const uint32_t match = tokens->items[at].match;
        if (tokens_is_mark(tokens, at, ';') || tokens_is_mark(tokens, at, ')'))
            return TOKEN_NONE;
        if (match != TOKEN_NONE && match > at)
            at = match;
        else if (tokens_is_mark(tokens, at, '<'))
            depth++;
        else if (tokens_is_mark(tokens, at, '>') && --depth == 0)
            return at;
    }
    return TOKEN_NONE;
}

static void note_after(struct rewriter *r, uint32_t token, const char *text)
{
    struct edit *edit = edit_add(r, token, NULL);
    if (edit)
        edit->after = text;
}

void kernel_addresses_edit(struct rewriter *r)
{
    const struct tokens *tokens = &r->tokens;
    for (uint32_t i = 1; i < tokens->count; i++) {
        if (tokens->items[i].system || !tokens_is_word(tokens, i) ||
            !(names_bits(&r->names, tokens, i) & NAME_KERNEL))
            continue;
        const uint32_t begin = name_begin(tokens, i), end = name_end(tokens, i);
        if (begin == 0 || end == TOKEN_NONE || tokens_is_mark(tokens, end + 1, '(') ||
            (!is_cast(tokens, begin - 1) && !is_auto(tokens, begin)))
            continue;
        note_after(r, begin - 1, " ::wl::kernel_address(");
        note_after(r, end, ")");
    }
}
