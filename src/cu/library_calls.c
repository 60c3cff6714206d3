/* library_calls.c - calls of Thrust's algorithms, which the host runs: each is noted, and may touch memory of the
 * device until its full expression ends.
 *
 *   thrust::sort(                first, last)
 *   thrust::sort(::wl::noted("thrust::sort")->*  first, last)
 *
 * ->* binds tighter than anything that a first argument has but what belongs to one operand, and gives it back.
 */
#include <stdlib.h>
#include <string.h>

#include "cu/rewriter.h"
#include "text/memory.h"

static const struct {
    const char *name, *noted;
} algorithms[] = {
#define ALGORITHM(name) {#name, "::wl::noted(\"thrust::" #name "\")->*"},
#include "cu/thrust_algorithms.def"
#undef ALGORITHM
};

/* In a header of Thrust's, which need not be among the system's. */
static bool is_thrust_itself(const struct tokens *tokens, uint32_t i)
{
    const struct token_place place = tokens_place(tokens, i);
    return strstr(place.file, "/thrust/detail/") || strstr(place.file, "/thrust/system/");
}

/* What stands behind the bracket at `i`; NULL: it opens no call of an algorithm. */
static const char *noted_at(const struct tokens *tokens, uint32_t i)
{
    if (i < 3 || !tokens_is_mark(tokens, i, '(') || tokens_is_mark(tokens, i + 1, ')') ||
        tokens->items[i].system || tokens->items[i - 2].kind != TOKEN_SCOPE ||
        !tokens_is(tokens, i - 3, "thrust"))
        return NULL;
    for (size_t k = 0; k < sizeof algorithms / sizeof algorithms[0]; k++)
        if (tokens_is(tokens, i - 1, algorithms[k].name))
            return is_thrust_itself(tokens, i) ? NULL : algorithms[k].noted;
    return NULL;
}

static uint32_t count_calls(const struct tokens *tokens)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < tokens->count; i++)
        count += noted_at(tokens, i) != NULL;
    return count;
}

/* Edits stay in the order of their tokens. */
void library_calls_note(struct rewriter *r)
{
    const struct tokens *tokens = &r->tokens;
    const uint32_t count = count_calls(tokens);
    struct edit *all = count ? memory_take(r->edit_count + count, sizeof *all) : NULL;
    uint32_t used = 0, next = 0;
    if (count == 0)
        return;
    if (all == NULL) {
        rewriter_fail_memory(r);
        return;
    }
    for (uint32_t i = 0; i < tokens->count; i++) {
        const char *noted = noted_at(tokens, i);
        while (next < r->edit_count && r->edits[next].token <= i)
            all[used++] = r->edits[next++];
        if (noted)
            all[used++] = (struct edit){.token = i, .name = TOKEN_NONE, .after = noted};
    }
    while (next < r->edit_count)
        all[used++] = r->edits[next++];
    free(r->edits);
    r->edits = all;
    r->edit_count = used;
    r->edit_room = used;
}
