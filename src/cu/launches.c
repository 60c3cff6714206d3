/* launches.c - NAME<<<CONFIG>>>(ARGUMENTS) in the tokens.
 *
 * NAME is what stands before <<< as far as it is one postfix expression: a name with its qualifiers
 * and template arguments, a member, a subscript, a call, anything in parentheses. CONFIG ends with
 * three > that touch, outside of every bracket, as nvcc reads it, or with `>> >` in front of a
 * parenthesis.
 */
#include "cu/rewriter.h"

#include "text/list.h"

/* Words that end an expression before NAME. */
static bool is_keyword(const struct tokens *tokens, uint32_t i)
{
    static const char *const words[] = {"return",    "else", "do",    "case", "throw",
                                        "co_return", "if",   "while", "for",  "switch"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (tokens_is(tokens, i, words[k]))
            return true;
    return false;
}

static bool is_name(const struct tokens *tokens, uint32_t i)
{
    return tokens_is_word(tokens, i) && !is_keyword(tokens, i);
}

/* The first token of `name`, `name<...>`, `(...)`, `name(...)` or `name[...]` that ends with token
 * `i`; TOKEN_NONE when there is none. *base: the name. */
static uint32_t primary_begin(const struct tokens *tokens, uint32_t i, uint32_t *base)
{
    for (unsigned groups = 0; groups < 64; groups++) {
        bool round = tokens_is_mark(tokens, i, ')'), square = tokens_is_mark(tokens, i, ']');
        uint32_t open = tokens->items[i].match;
        if (!round && !square)
            break;
        if (open == TOKEN_NONE || (square && open == 0))
            return TOKEN_NONE;
        bool more =
            square ||
            (open > 0 && (is_name(tokens, open - 1) || tokens_is_mark(tokens, open - 1, ']')));
        if (!more)
            return open;
        i = open - 1;
    }
    if (tokens_is_mark(tokens, i, '>')) {
        i = tokens_open_angle(tokens, i, 0);
        if (i == TOKEN_NONE || i == 0)
            return TOKEN_NONE;
        i--;
    }
    *base = i;
    return is_name(tokens, i) ? i : TOKEN_NONE;
}

/* The first token of the expression that ends with token `last`. */
static uint32_t name_begin(const struct tokens *tokens, uint32_t last, uint32_t *base)
{
    uint32_t begin = primary_begin(tokens, last, base), ignored;
    for (unsigned parts = 0; parts < 64 && begin != TOKEN_NONE && begin > 0; parts++) {
        uint32_t at = begin;
        if (tokens_is(tokens, at - 1, "template"))
            at--;
        uint8_t kind = at > 0 ? tokens->items[at - 1].kind : TOKEN_OTHER;
        bool member = at > 0 && (kind == TOKEN_ARROW || tokens_is_mark(tokens, at - 1, '.'));
        if (kind != TOKEN_SCOPE && !member)
            return begin;
        begin = at - 1;
        uint32_t before = begin > 0 ? primary_begin(tokens, begin - 1, &ignored) : TOKEN_NONE;
        if (kind == TOKEN_SCOPE && (before == TOKEN_NONE || tokens_is_mark(tokens, begin - 1, ')')))
            return begin; /* ::name */
        begin = before;
    }
    return begin;
}

static bool touches(const struct tokens *tokens, uint32_t i)
{
    const struct token *a = &tokens->items[i], *b = &tokens->items[i + 1];
    return a->at + a->length == b->at;
}

static bool is_close(const struct tokens *tokens, uint32_t i)
{
    return tokens_is_mark(tokens, i, '>') && tokens_is_mark(tokens, i + 1, '>') &&
           tokens_is_mark(tokens, i + 2, '>') && touches(tokens, i) &&
           (touches(tokens, i + 1) || tokens_is_mark(tokens, i + 3, '('));
}

/* The first > of the >>> that ends what begins behind `open`; TOKEN_NONE. */
static uint32_t find_close(const struct tokens *tokens, uint32_t open)
{
    for (uint32_t i = open + 1; i < tokens->count; i++) {
        uint32_t match = tokens->items[i].match;
        if (is_close(tokens, i))
            return i;
        bool opener = match != TOKEN_NONE && match > i;
        bool closer = tokens_is_mark(tokens, i, ')') || tokens_is_mark(tokens, i, '}') ||
                      tokens_is_mark(tokens, i, ']');
        if (closer || tokens_is_mark(tokens, i, ';') || tokens->items[i].kind == TOKEN_LAUNCH)
            return TOKEN_NONE;
        if (opener)
            i = match;
    }
    return TOKEN_NONE;
}

static void launch_add(struct rewriter *r, const struct launch *launch)
{
    if (LIST_MAKE_ROOM(r->launches, r->launch_count, r->launch_room))
        r->launches[r->launch_count++] = *launch;
    else
        rewriter_fail_memory(r);
}

static void read_launch(struct rewriter *r, uint32_t open)
{
    const struct tokens *tokens = &r->tokens;
    uint32_t base = TOKEN_NONE;
    struct launch launch = {.open = open};
    launch.start = open ? name_begin(tokens, open - 1, &base) : TOKEN_NONE;
    if (launch.start == TOKEN_NONE) {
        rewriter_fail(r, open,
                      "<<< without a kernel before it: a launch is "
                      "kernel<<<grid, block>>>(arguments)");
        return;
    }
    launch.close = find_close(tokens, open);
    if (launch.close == TOKEN_NONE) {
        rewriter_fail(r, open,
                      "<<< without its >>>: a launch is kernel<<<grid, block>>>(arguments)");
        return;
    }
    launch.paren = launch.close + 3;
    if (!tokens_is_mark(tokens, launch.paren, '(') ||
        tokens->items[launch.paren].match == TOKEN_NONE) {
        rewriter_fail(r, open,
                      "a launch without arguments in parentheses: it is "
                      "kernel<<<grid, block>>>(arguments)");
        return;
    }
    launch.end = tokens->items[launch.paren].match;
    uint32_t bits = base == TOKEN_NONE ? 0 : names_bits(&r->names, tokens, base);
    if (bits)
        launch.restricts = names_restricts(&r->names, tokens, base);
    launch.known = (bits & NAME_KERNEL) != 0;
    launch.generic = (bits & (NAME_TEMPLATE | NAME_OVERLOAD)) != 0;
    launch.defaults = (bits & NAME_DEFAULTS) != 0 && !launch.generic;
    launch_add(r, &launch);
}

void launches_read(struct rewriter *r)
{
    for (uint32_t i = 0; i < r->tokens.count && r->error[0] == '\0'; i++)
        if (r->tokens.items[i].kind == TOKEN_LAUNCH)
            read_launch(r, i);
}

/* ---- Arguments -------------------------------------------------------------------------------- */

/* The comma or the end behind the argument that begins at `i`; TOKEN_NONE where that is not certain. */
static uint32_t argument_end(const struct tokens *tokens, uint32_t i, uint32_t end)
{
    while (i < end && !tokens_is_mark(tokens, i, ',')) {
        const uint32_t match = tokens->items[i].match;
        if (tokens_is_mark(tokens, i, '<') ||
            (tokens_is_mark(tokens, i, '.') && tokens_is_mark(tokens, i + 1, '.')))
            return TOKEN_NONE;
        i = match != TOKEN_NONE && match > i ? match + 1 : i + 1;
    }
    return i;
}

void launch_arguments_read(const struct tokens *tokens, const struct launch *launch,
                           struct launch_arguments *arguments)
{
    *arguments = (struct launch_arguments){0};
    for (uint32_t i = launch->paren + 1; i < launch->end; i++) {
        struct launch_argument argument = {.begin = i, .end = argument_end(tokens, i, launch->end)};
        if (argument.end == TOKEN_NONE || arguments->count == LAUNCH_ARGUMENTS_MAX) {
            arguments->any_null = false;
            return;
        }
        argument.null =
            argument.end == i + 1 && (tokens_is(tokens, i, "0") || tokens_is(tokens, i, "__null"));
        arguments->any_null |= argument.null;
        arguments->items[arguments->count++] = argument;
        i = argument.end;
    }
}
