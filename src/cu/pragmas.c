/* pragmas.c - #pragma unroll that a macro has made. It stands within a line, where g++ takes it for a part of a statement; nvcc takes it
 * for a directive. Loops are unrolled as the compiler likes, so it goes.
 */
#include "cu/declaration.h"

enum { FACTOR_TOKENS_MAX = 8 }; /* "(4)", "4", "N": what may follow the word */

static bool begins_loop(const struct tokens *tokens, uint32_t i)
{
    return tokens_is(tokens, i, "for") || tokens_is(tokens, i, "while") ||
           tokens_is(tokens, i, "do");
}

/* The loop behind the directive whose # is token `i`; `i`: it is none. */
static uint32_t find_loop(const struct tokens *tokens, uint32_t i)
{
    if (!tokens_is_mark(tokens, i, '#') || !tokens_is(tokens, i + 1, "pragma") ||
        !tokens_is(tokens, i + 2, "unroll"))
        return i;
    for (uint32_t k = i + 3; k <= i + 3 + FACTOR_TOKENS_MAX; k++)
        if (begins_loop(tokens, k))
            return k;
    return i;
}

void pragmas_edit(struct rewriter *r)
{
    for (uint32_t i = 0; i < r->tokens.count && r->error[0] == '\0'; i++)
        for (const uint32_t loop = find_loop(&r->tokens, i); i < loop; i++)
            edit_add(r, i, "");
}
