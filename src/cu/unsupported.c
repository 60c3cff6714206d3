/* unsupported.c - looks for what cannot run in the user's own files. */
#include <stdio.h>
#include <string.h>

#include "cu/rewriter.h"

enum where { ANYWHERE, IN_DEVICE };

static const struct {
    const char *word;
    char next;
    enum where where;
    const char *what, *instead;
} words[] = {
#define WORD(word, next, where, what, instead) {word, next, where, what, instead},
#include "cu/unsupported.def"
};

static const struct {
    const char *prefix, *what, *instead;
} headers[] = {
#define HEADER(prefix, what, instead) {prefix, what, instead},
#include "cu/unsupported.def"
};

static const struct {
    const char *prefix, *what, *header, *instead; /* header NULL: there is nothing of it */
} libraries[] = {
#define LIBRARY(prefix, what, header) {prefix, what, header, "write a kernel for it"},
#define NAMES(prefix, what, header, instead) {prefix, what, header, instead},
#define DRIVER(prefix)                                                                             \
    {prefix, "the driver API", NULL, "use the runtime API: cudaMalloc, kernel<<<grid, block>>>()"},
#include "cu/unsupported.def"
};

static void check_word(struct rewriter *r, uint32_t i, bool in_device)
{
    const struct tokens *tokens = &r->tokens;
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) {
        if ((words[k].where == IN_DEVICE && !in_device) || !tokens_is(tokens, i, words[k].word) ||
            (words[k].next && !tokens_is_mark(tokens, i + 1, words[k].next)))
            continue;
        bool member = i > 0 && (tokens_is_mark(tokens, i - 1, '.') ||
                                tokens->items[i - 1].kind == TOKEN_ARROW);
        if (!member)
            rewriter_fail(r, i, "%s (%s) cannot run under warplens: %s", words[k].what,
                          words[k].word, words[k].instead);
    }
}

/* new (place) allocates nothing; what new (type) does is found when it runs. */
static bool allocates(const struct tokens *tokens, uint32_t i)
{
    const bool in_parentheses = tokens_is_mark(tokens, i + 1, '(');
    return (tokens_is(tokens, i, "new") && !in_parentheses) ||
           (tokens_is(tokens, i, "malloc") && in_parentheses);
}

/* Bodies are in the order of the text; they nest only where lambdas do. */
void unsupported_check(struct rewriter *r)
{
    const struct tokens *tokens = &r->tokens;
    uint32_t next = 0, device_end = 0;
    for (uint32_t i = 0; i < tokens->count && r->error[0] == '\0'; i++) {
        while (next < r->body_count && r->bodies[next].begin <= i) {
            if (!r->bodies[next].host && r->bodies[next].end > device_end)
                device_end = r->bodies[next].end;
            next++;
        }
        bool in_device = i < device_end;
        if (tokens->items[i].system)
            continue;
        if (tokens->items[i].kind == TOKEN_WORD)
            check_word(r, i, in_device);
        r->uses_heap |= in_device && allocates(tokens, i);
    }
}

const char *cu_rewrite_header_advice(const char *header)
{
    static char advice[256];
    for (size_t k = 0; k < sizeof headers / sizeof headers[0]; k++)
        if (strncmp(header, headers[k].prefix, strlen(headers[k].prefix)) == 0) {
            snprintf(advice, sizeof advice, "%s cannot run under warplens: %s", headers[k].what,
                     headers[k].instead);
            return advice;
        }
    return NULL;
}

const char *cu_rewrite_name_advice(const char *name, size_t length)
{
    static char advice[256];
    for (size_t k = 0; k < sizeof libraries / sizeof libraries[0]; k++) {
        const size_t prefix_length = strlen(libraries[k].prefix);
        if (length <= prefix_length || strncmp(name, libraries[k].prefix, prefix_length) != 0)
            continue;
        const int shown = length > 80 ? 80 : (int)length;
        if (libraries[k].header)
            snprintf(advice, sizeof advice,
                     "%.*s is not among what warplens has of %s (%s lists that): %s", shown, name,
                     libraries[k].what, libraries[k].header, libraries[k].instead);
        else
            snprintf(advice, sizeof advice, "%s (%.*s) cannot run under warplens: %s",
                     libraries[k].what, shown, name, libraries[k].instead);
        return advice;
    }
    return NULL;
}
