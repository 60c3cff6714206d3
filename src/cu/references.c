/* references.c - texture<float, 2> and surface<void, 2>: CUDA's templates of before CUDA 12, which are no words of the
 * language since. So they have names of their own here, and a program's own `texture` is the program's: a variable, or a
 * type that it declares.
 */
#include "cu/declaration.h"

static const struct {
    const char *word, *instead;
} templates[] = {{"texture", "wl_texture"}, {"surface", "wl_surface"}};

static bool is_users(const struct tokens *tokens, uint32_t i, const char *word)
{
    return !tokens->items[i].system && tokens_is(tokens, i, word);
}

static bool is_declared(const struct tokens *tokens, const char *word)
{
    for (uint32_t i = 1; i < tokens->count; i++)
        if (is_users(tokens, i, word) &&
            (tokens_is(tokens, i - 1, "class") || tokens_is(tokens, i - 1, "struct")))
            return true;
    return false;
}

enum { ARGUMENT_TOKENS_MAX = 24 };

/* The token behind `<` ... `>` at `open`, where there are only words, numbers and commas between; TOKEN_NONE. */
static uint32_t behind_arguments(const struct tokens *tokens, uint32_t open)
{
    for (uint32_t i = open + 1; i < tokens->count && i < open + ARGUMENT_TOKENS_MAX; i++) {
        if (tokens_is_mark(tokens, i, '>'))
            return i + 1;
        const uint8_t kind = tokens->items[i].kind;
        if (kind != TOKEN_WORD && kind != TOKEN_LITERAL && kind != TOKEN_SCOPE &&
            !tokens_is_mark(tokens, i, ','))
            return TOKEN_NONE;
    }
    return TOKEN_NONE;
}

/* The type of a declaration: no comparison, no member, no name of another namespace. */
static bool is_reference(const struct tokens *tokens, uint32_t i, const char *word)
{
    if (!is_users(tokens, i, word) || !tokens_is_mark(tokens, i + 1, '<'))
        return false;
    if (i > 0 && (tokens_is_mark(tokens, i - 1, '.') || tokens->items[i - 1].kind == TOKEN_ARROW ||
                  tokens->items[i - 1].kind == TOKEN_SCOPE))
        return false;
    const uint32_t name = behind_arguments(tokens, i + 1);
    return name != TOKEN_NONE &&
           (tokens_is_word(tokens, name) || tokens_is_mark(tokens, name, '&') ||
            tokens_is_mark(tokens, name, '*'));
}

void references_edit(struct rewriter *r)
{
    const struct tokens *tokens = &r->tokens;
    for (size_t k = 0; k < sizeof templates / sizeof templates[0]; k++)
        for (uint32_t i = 0; i < tokens->count; i++)
            if (is_reference(tokens, i, templates[k].word)) {
                if (is_declared(tokens, templates[k].word))
                    break;
                edit_add(r, i, templates[k].instead);
            }
}
