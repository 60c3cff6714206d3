/* declarations.c - finds the declarations that have one of CUDA's qualifiers.
 *
 * A declaration begins behind the nearest ; { } or : before the marker. Whether it is a function's is
 * decided by what comes first behind the marker: a parenthesis that is no attribute's, or one of
 * ; = [ {.
 */
#include <stdlib.h>

#include "cu/declaration.h"

static const struct {
    const char *word;
    enum marker marker;
} markers[] = {
    {"__wl_global__", MARKER_GLOBAL},     {"__wl_shared__", MARKER_SHARED},
    {"__wl_constant__", MARKER_CONSTANT}, {"__wl_device__", MARKER_DEVICE},
    {"__wl_managed__", MARKER_MANAGED},   {"__wl_host__", MARKER_HOST},
    {"__noinline__", MARKER_NOINLINE},
};

/* __attribute__((__noinline__)) is no marker. */
static bool is_in_attribute(const struct tokens *tokens, uint32_t i)
{
    return i > 0 && tokens_is(tokens, i, "__noinline__") &&
           (tokens_is_mark(tokens, i - 1, '(') || tokens_is_mark(tokens, i - 1, ','));
}

static enum marker read_marker(const struct tokens *tokens, uint32_t i)
{
    if (!tokens_is_word(tokens, i) || tokens->text[tokens->items[i].at] != '_' ||
        is_in_attribute(tokens, i))
        return MARKER_NONE;
    for (size_t k = 0; k < sizeof markers / sizeof markers[0]; k++)
        if (tokens_is(tokens, i, markers[k].word))
            return markers[k].marker;
    return MARKER_NONE;
}

unsigned marker_at(const struct tokens *tokens, uint32_t i)
{
    return i < tokens->count ? tokens->items[i].marker : MARKER_NONE;
}

/* How far from its marker a declaration is looked at: a text of markers alone would otherwise take
 * the square of its length. */
enum { DECLARATION_TOKENS_MAX = 512 };

uint32_t declaration_search_end(const struct tokens *tokens, uint32_t i)
{
    uint32_t rest = tokens->count - i;
    return i + (rest < DECLARATION_TOKENS_MAX ? rest : DECLARATION_TOKENS_MAX);
}

/* The words whose parentheses are no parameters. */
static bool takes_parentheses(const struct tokens *tokens, uint32_t i)
{
    static const char *const words[] = {
        "__attribute__",      "__attribute", "alignas", "decltype",    "__typeof__", "__typeof",
        "__decltype",         "sizeof",      "alignof", "__alignof__", "noexcept",   "explicit",
        "__wl_cluster_dims__"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
        if (tokens_is(tokens, i, words[k]))
            return true;
    return false;
}

/* One token back within a declaration, over a whole attribute or whole template arguments;
 * TOKEN_NONE when token `i` does not belong to it. */
static uint32_t step_back(const struct tokens *tokens, uint32_t i)
{
    uint32_t match = tokens->items[i].match;
    uint8_t kind = tokens->items[i].kind;
    if (kind == TOKEN_WORD || kind == TOKEN_SCOPE || tokens_is_mark(tokens, i, '*') ||
        tokens_is_mark(tokens, i, '&'))
        return i;
    if (kind == TOKEN_LITERAL && i > 0 && tokens_is(tokens, i - 1, "extern"))
        return i - 1;
    if (tokens_is_mark(tokens, i, ')') && match != TOKEN_NONE && match > 0 &&
        takes_parentheses(tokens, match - 1))
        return match - 1;
    if (tokens_is_mark(tokens, i, ']') && match != TOKEN_NONE &&
        tokens_is_mark(tokens, match + 1, '['))
        return match;
    if (tokens_is_mark(tokens, i, '>'))
        return tokens_open_angle(tokens, i, 0);
    return TOKEN_NONE;
}

static uint32_t find_begin(const struct tokens *tokens, uint32_t i)
{
    uint32_t marker = i;
    while (i > 0 && marker - i < DECLARATION_TOKENS_MAX) {
        uint32_t back = step_back(tokens, i - 1);
        if (back == TOKEN_NONE)
            break;
        i = back;
    }
    return i;
}

static bool opens_class(const struct tokens *tokens, uint32_t i)
{
    static const char *const keys[] = {"struct", "union", "class", "enum"};
    for (uint32_t back = 1; back <= 2 && back <= i; back++)
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            if (tokens_is(tokens, i - back, keys[k]))
                return true;
    return false;
}

/* Parameters and function pointers do; a parenthesis in template arguments does not. */
static bool follows_name(const struct tokens *tokens, uint32_t i)
{
    return tokens_is_word(tokens, i - 1) || tokens_is_mark(tokens, i - 1, '>') ||
           tokens_is_mark(tokens, i - 1, '*') || tokens_is_mark(tokens, i - 1, '&');
}

/* The (*) or the [] of a type without a name, in template arguments: enable_if_t<is_convertible_v<A (*)[], B (*)[]>> */
static bool is_nameless(const struct tokens *tokens, uint32_t i)
{
    if (tokens_is_mark(tokens, i, '['))
        return i > 0 && tokens_is_mark(tokens, i - 1, ')');
    return tokens_is_mark(tokens, i, '(') && tokens_is_mark(tokens, i + 2, ')') &&
           (tokens_is_mark(tokens, i + 1, '*') || tokens_is_mark(tokens, i + 1, '&'));
}

/* Goes from the marker to what ends specifiers and name, and says whether that is a function's. */
static void find_stop(const struct tokens *tokens, uint32_t i, struct declaration *d)
{
    uint32_t end = declaration_search_end(tokens, i);
    d->stop = TOKEN_NONE;
    d->function = true;
    for (i++; i < end; i++) {
        uint32_t match = tokens->items[i].match;
        bool round = tokens_is_mark(tokens, i, '('), curly = tokens_is_mark(tokens, i, '{');
        if (tokens_is(tokens, i, "operator"))
            return;
        if (match != TOKEN_NONE && match > i &&
            (is_nameless(tokens, i) || (round && !follows_name(tokens, i)) ||
             (round && takes_parentheses(tokens, i - 1)) ||
             (curly && opens_class(tokens, i) && !d->is_template) ||
             (tokens_is_mark(tokens, i, '[') && tokens_is_mark(tokens, i + 1, '[')))) {
            i = match;
            continue;
        }
        if (round || curly || tokens_is_mark(tokens, i, ';') || tokens_is_mark(tokens, i, '=') ||
            tokens_is_mark(tokens, i, '[')) {
            d->stop = i;
            bool lambda = marker_at(tokens, i - 1) != MARKER_NONE;
            d->function = lambda || (round && !tokens_is_mark(tokens, i + 1, '*'));
            return;
        }
        if (tokens_is_mark(tokens, i, ':') || tokens_is_mark(tokens, i, ')') ||
            tokens_is_mark(tokens, i, '}'))
            return;
    }
}

/* What the words of the declaration say. A const before a * is of what is pointed to. */
static void read_specifiers(const struct tokens *tokens, struct declaration *d)
{
    for (uint32_t i = d->begin; i < d->stop; i++) {
        if (tokens_is_mark(tokens, i, '*'))
            d->constant = false;
        d->marked |= marker_at(tokens, i);
        d->function |= tokens_is(tokens, i, "typedef");
        d->is_extern |= tokens_is(tokens, i, "extern");
        d->is_static |= tokens_is(tokens, i, "static");
        d->constant |= tokens_is(tokens, i, "const") || tokens_is(tokens, i, "constexpr");
    }
}

static struct declaration read_declaration(const struct tokens *tokens, uint32_t i)
{
    struct declaration d = {.begin = find_begin(tokens, i), .marked = marker_at(tokens, i)};
    d.is_template = tokens_is(tokens, d.begin, "template");
    find_stop(tokens, i, &d);
    if (d.stop != TOKEN_NONE)
        read_specifiers(tokens, &d);
    return d;
}

/* ---- All of them ------------------------------------------------------------------------------ */

static void edit_declaration(struct rewriter *r, const struct declaration *d, uint32_t marker)
{
    if (d->marked & MARKER_SHARED)
        qualifiers_edit_shared(r, d);
    else if (d->function || !(d->marked & (MARKER_CONSTANT | MARKER_DEVICE | MARKER_MANAGED)))
        qualifiers_edit_function(r, d, marker);
    else
        qualifiers_edit_variable(r, d);
}

static void note_extern(struct rewriter *r, const struct declaration *d)
{
    if (d->is_extern && !d->function && d->stop > 0 && tokens_is_word(&r->tokens, d->stop - 1) &&
        !names_add(&r->names, &r->tokens, d->stop - 1, NAME_EXTERN_VARIABLE))
        rewriter_fail_memory(r);
}

/* The last marker of the declaration, at `marker` or behind it. */
static uint32_t last_marker(const struct tokens *tokens, const struct declaration *d,
                            uint32_t marker)
{
    for (uint32_t i = marker; i < d->stop && d->stop != TOKEN_NONE; i++)
        if (marker_at(tokens, i) != MARKER_NONE)
            marker = i;
    return marker;
}

/* namespace a { and extern "C" { are no blocks. */
static bool opens_block(const struct tokens *tokens, uint32_t i)
{
    for (uint32_t back = 1; back <= i && back < 16; back++) {
        if (tokens_is(tokens, i - back, "namespace"))
            return false;
        if (!tokens_is_word(tokens, i - back) && tokens->items[i - back].kind != TOKEN_SCOPE)
            break;
    }
    return !(i > 1 && tokens_is(tokens, i - 2, "extern") &&
             tokens->items[i - 1].kind == TOKEN_LITERAL);
}

/* How many blocks are open at token `i`. */
static void count_block(const struct tokens *tokens, uint32_t i, uint32_t *blocks)
{
    uint32_t match = tokens->items[i].match;
    bool opens = tokens_is_mark(tokens, i, '{'), closes = tokens_is_mark(tokens, i, '}');
    if (match == TOKEN_NONE || (!opens && !closes) || !opens_block(tokens, opens ? i : match))
        return;
    *blocks += opens ? 1U : UINT32_MAX;
}

static void for_each_declaration(struct rewriter *r, bool edit)
{
    const struct tokens *tokens = &r->tokens;
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < tokens->count && r->error[0] == '\0'; i++) {
        count_block(tokens, i, &blocks);
        if (marker_at(tokens, i) == MARKER_NONE)
            continue;
        struct declaration d = read_declaration(tokens, i);
        d.in_block = blocks > 0;
        if (edit)
            edit_declaration(r, &d, i);
        else
            note_extern(r, &d);
        i = last_marker(tokens, &d, i);
    }
}

/* A function of the host's that has a kernel's name: which is launched depends on the arguments. */
static void note_namesake(struct rewriter *r, uint32_t i)
{
    const struct tokens *tokens = &r->tokens;
    const uint32_t close =
        tokens_is_mark(tokens, i + 1, '(') ? tokens->items[i + 1].match : TOKEN_NONE;
    if (close == TOKEN_NONE ||
        !(tokens_is_mark(tokens, close + 1, '{') || tokens_is_mark(tokens, close + 1, ';')) ||
        !(names_bits(&r->names, tokens, i) & NAME_KERNEL))
        return;
    const struct declaration d = read_declaration(tokens, i);
    if (d.stop == i + 1 && d.begin < i && !(d.marked & MARKER_GLOBAL) &&
        !names_add(&r->names, tokens, i, NAME_OVERLOAD))
        rewriter_fail_memory(r);
}

/* Where the names of all kernels are known. */
static void note_namesakes(struct rewriter *r)
{
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < r->tokens.count && r->error[0] == '\0'; i++) {
        count_block(&r->tokens, i, &blocks);
        if (blocks == 0 && tokens_is_word(&r->tokens, i))
            note_namesake(r, i);
    }
}

static int by_token(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return x->token != y->token ? (x->token > y->token) - (x->token < y->token)
                                : (x->number > y->number) - (x->number < y->number);
}

void declarations_read(struct rewriter *r)
{
    for (uint32_t i = 0; i < r->tokens.count; i++)
        r->tokens.items[i].marker = (uint8_t)read_marker(&r->tokens, i);
    for_each_declaration(r, false);
    for_each_declaration(r, true);
    note_namesakes(r);
    references_edit(r);
    pragmas_edit(r);
    kernel_addresses_edit(r);
    if (r->edit_count)
        qsort(r->edits, r->edit_count, sizeof *r->edits, by_token);
}
