/* declarations.c - CUDA's qualifiers: what each marker becomes in its declaration.
 *
 *   marker of a variable     | storage class and attributes stand in its place
 *   marker of a function     | nothing, or noinline
 *
 * A declaration begins behind the nearest ; { } or : before the marker. Whether it is a function's is
 * decided by what comes first behind the marker: a parenthesis that is no attribute's, or one of
 * ; = [ {.
 */
#include <stdlib.h>

#include "cu/rewrite_parts.h"

enum marker {
    MARKER_NONE = 0,
    MARKER_GLOBAL = 1,
    MARKER_SHARED = 2,
    MARKER_CONSTANT = 4,
    MARKER_DEVICE = 8,
    MARKER_MANAGED = 16,
    MARKER_HOST = 32,
    MARKER_NOINLINE = 64,
};

static const struct {
    const char *word;
    enum marker marker;
} markers[] = {
    {"__wl_global__", MARKER_GLOBAL},     {"__wl_shared__", MARKER_SHARED},
    {"__wl_constant__", MARKER_CONSTANT}, {"__wl_device__", MARKER_DEVICE},
    {"__wl_managed__", MARKER_MANAGED},   {"__wl_host__", MARKER_HOST},
    {"__noinline__", MARKER_NOINLINE},
};

/* 256: an array starts at bank 0, and at the beginning of a line. `used`: host code writes these
 * variables by their addresses, so initial values must not be taken for granted. */
#define PLACED(name) "static __attribute__((section(\"" name "\"), aligned(256), used))"
enum { STATIC_BYTES = sizeof "static " - 1 };
#define NOINLINE "__attribute__((noinline))"
#define SHARED_LABEL " __asm__(\"warplens_dynamic_shared\")"

/* A declaration with a marker. */
struct declaration {
    uint32_t begin;  /* its first token */
    uint32_t stop;   /* the token behind specifiers and name: ; = [ { or (; TOKEN_NONE */
    unsigned marked; /* enum marker bits in it */
    bool function, is_extern, is_static, is_template, constant;
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

static unsigned marker_at(const struct tokens *tokens, uint32_t i)
{
    return i < tokens->count ? tokens->items[i].marker : MARKER_NONE;
}

/* How far from its marker a declaration is looked at: a text of markers alone would otherwise take
 * the square of its length. */
enum { DECLARATION_TOKENS_MAX = 512 };

static uint32_t search_end(const struct tokens *tokens, uint32_t i)
{
    uint32_t rest = tokens->count - i;
    return i + (rest < DECLARATION_TOKENS_MAX ? rest : DECLARATION_TOKENS_MAX);
}

/* The words whose parentheses are no parameters. */
static bool takes_parentheses(const struct tokens *tokens, uint32_t i)
{
    static const char *const words[] = {"__attribute__", "__attribute", "alignas",    "decltype",
                                        "__typeof__",    "__typeof",    "__decltype", "sizeof",
                                        "alignof",       "__alignof__", "noexcept",   "explicit"};
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

/* Goes from the marker to what ends specifiers and name, and says whether that is a function's. */
static void find_stop(const struct tokens *tokens, uint32_t i, struct declaration *d)
{
    uint32_t end = search_end(tokens, i);
    d->stop = TOKEN_NONE;
    d->function = true;
    for (i++; i < end; i++) {
        uint32_t match = tokens->items[i].match;
        bool round = tokens_is_mark(tokens, i, '('), curly = tokens_is_mark(tokens, i, '{');
        if (tokens_is(tokens, i, "operator"))
            return;
        if (match != TOKEN_NONE && match > i &&
            ((round && !follows_name(tokens, i)) || (round && takes_parentheses(tokens, i - 1)) ||
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

/* ---- Edits ------------------------------------------------------------------------------------ */

static struct edit *edit_add(struct rewriter *r, uint32_t token, const char *replace)
{
    struct edit *edits = rewriter_grow(r, r->edits, r->edit_count, &r->edit_room, sizeof *r->edits);
    if (edits == NULL)
        return NULL;
    r->edits = edits;
    struct edit *edit = &edits[r->edit_count++];
    *edit = (struct edit){.token = token, .replace = replace, .name = TOKEN_NONE};
    return edit;
}

/* The first of the markers [i, stop) becomes `text`, the others nothing, as do the storage classes
 * when `text` has its own. */
static void replace_markers(struct rewriter *r, const struct declaration *d, const char *text,
                            bool has_storage)
{
    for (uint32_t i = d->begin; i < d->stop; i++) {
        if (marker_at(&r->tokens, i) != MARKER_NONE) {
            edit_add(r, i, text);
            text = "";
        } else if (has_storage &&
                   (tokens_is(&r->tokens, i, "extern") || tokens_is(&r->tokens, i, "static"))) {
            edit_add(r, i, "");
        }
    }
}

/* extern __shared__ T a[][4], b[]: each name is the one symbol. The first is what reports call it.
 */
static void edit_dynamic_shared(struct rewriter *r, const struct declaration *d)
{
    const struct tokens *tokens = &r->tokens;
    replace_markers(r, d, "extern __thread", true);
    bool labelled = false;
    uint32_t i = d->stop, end = search_end(tokens, i);
    for (; i < end && !tokens_is_mark(tokens, i, ';'); i++) {
        uint32_t match = tokens->items[i].match;
        if (match == TOKEN_NONE || match <= i)
            continue;
        i = match;
        if (!tokens_is_mark(tokens, i, ']') || tokens_is_mark(tokens, i + 1, '['))
            continue;
        struct edit *edit = edit_add(r, i, NULL);
        if (edit)
            edit->after = SHARED_LABEL;
        labelled = true;
    }
    if (i >= end)
        return;
    struct edit *edit = edit_add(r, i, labelled ? NULL : SHARED_LABEL ";");
    if (edit)
        edit->name = d->stop - 1;
}

static void edit_shared(struct rewriter *r, const struct declaration *d)
{
    if (d->stop == TOKEN_NONE)
        return;
    if (d->is_extern)
        edit_dynamic_shared(r, d);
    else
        replace_markers(r, d, "static thread_local __attribute__((aligned(256)))", true);
}

/* The kinds of variables, each with the attributes of its const ones: gcc wants no section to hold
 * both. */
static const struct {
    unsigned marker;
    const char *text, *constant;
} homes[] = {
    {MARKER_MANAGED, PLACED("warplens_managed"), PLACED("warplens_managed")},
    {MARKER_CONSTANT, PLACED("warplens_constant"), PLACED("warplens_constant_const")},
    {MARKER_DEVICE, PLACED("warplens_device"), PLACED("warplens_device_const")},
};
enum { HOME_COUNT = sizeof homes / sizeof homes[0] };

/* As in CUDA a variable belongs to its file, unless it is declared extern. */
static void edit_variable(struct rewriter *r, const struct declaration *d)
{
    bool shared_name = d->stop > 0 && tokens_is_word(&r->tokens, d->stop - 1) &&
                       names_bits(&r->names, &r->tokens, d->stop - 1) & NAME_EXTERN_VARIABLE;
    size_t home = 0;
    while (home + 1 < HOME_COUNT && !(d->marked & homes[home].marker))
        home++;
    const char *text = d->constant ? homes[home].constant : homes[home].text;
    bool file_own = !d->is_static && !d->is_extern && !shared_name;
    replace_markers(r, d, file_own ? text : text + STATIC_BYTES, false);
}

/* ---- Functions -------------------------------------------------------------------------------- */

/* The name before the parameters at `paren`: over template arguments of a specialization. */
static uint32_t function_name(const struct tokens *tokens, uint32_t paren)
{
    uint32_t i = paren ? paren - 1 : 0;
    if (tokens_is_mark(tokens, i, '>')) {
        uint32_t angle = tokens_open_angle(tokens, i, 0);
        i = angle == TOKEN_NONE || angle == 0 ? 0 : angle - 1;
    }
    return tokens_is_word(tokens, i) ? i : TOKEN_NONE;
}

/* The { of a function whose parameters begin at `paren`; TOKEN_NONE for a declaration. */
static uint32_t function_body(const struct tokens *tokens, uint32_t paren)
{
    uint32_t i = paren;
    if (!tokens_is_mark(tokens, i, '{') && tokens->items[i].match == TOKEN_NONE)
        return TOKEN_NONE;
    uint32_t end = search_end(tokens, i);
    for (; i < end && !tokens_is_mark(tokens, i, ';'); i++) {
        uint32_t match = tokens->items[i].match;
        if (tokens_is_mark(tokens, i, '{'))
            return match != TOKEN_NONE && match > i ? i : TOKEN_NONE;
        if (match != TOKEN_NONE && match > i)
            i = match;
        else if (tokens_is_mark(tokens, i, '}'))
            break;
    }
    return TOKEN_NONE;
}

static void note_body(struct rewriter *r, uint32_t open)
{
    struct body *bodies =
        rewriter_grow(r, r->bodies, r->body_count, &r->body_room, sizeof *r->bodies);
    if (bodies == NULL)
        return;
    r->bodies = bodies;
    bodies[r->body_count++] = (struct body){open, r->tokens.items[open].match};
}

static void note_kernel(struct rewriter *r, const struct declaration *d, bool defined)
{
    uint32_t name = function_name(&r->tokens, d->stop);
    if (name == TOKEN_NONE)
        return;
    uint32_t bits = NAME_KERNEL | (d->is_template ? NAME_TEMPLATE : 0U);
    if (defined && names_bits(&r->names, &r->tokens, name) & NAME_DEFINED)
        bits |= NAME_OVERLOAD;
    if (!names_add(&r->names, &r->tokens, name, bits | (defined ? NAME_DEFINED : 0U)))
        rewriter_fail_memory(r);
}

static void edit_function(struct rewriter *r, const struct declaration *d, uint32_t marker)
{
    const char *text = d->marked & (MARKER_GLOBAL | MARKER_NOINLINE) ? NOINLINE : "";
    if (d->stop == TOKEN_NONE) {
        edit_add(r, marker, text);
        return;
    }
    replace_markers(r, d, text, false);
    uint32_t body = function_body(&r->tokens, d->stop);
    if (body != TOKEN_NONE && d->marked & (MARKER_GLOBAL | MARKER_DEVICE) &&
        !(d->marked & MARKER_HOST))
        note_body(r, body);
    if (d->marked & MARKER_GLOBAL)
        note_kernel(r, d, body != TOKEN_NONE);
}

/* ---- All of them ------------------------------------------------------------------------------ */

static void edit_declaration(struct rewriter *r, const struct declaration *d, uint32_t marker)
{
    if (d->marked & MARKER_SHARED)
        edit_shared(r, d);
    else if (d->function || !(d->marked & (MARKER_CONSTANT | MARKER_DEVICE | MARKER_MANAGED)))
        edit_function(r, d, marker);
    else
        edit_variable(r, d);
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

static void for_each_declaration(struct rewriter *r, bool edit)
{
    const struct tokens *tokens = &r->tokens;
    for (uint32_t i = 0; i < tokens->count && r->error[0] == '\0'; i++) {
        if (marker_at(tokens, i) == MARKER_NONE)
            continue;
        struct declaration d = read_declaration(tokens, i);
        if (edit)
            edit_declaration(r, &d, i);
        else
            note_extern(r, &d);
        i = last_marker(tokens, &d, i);
    }
}

static int by_token(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    return (x->token > y->token) - (x->token < y->token);
}

void declarations_read(struct rewriter *r)
{
    for (uint32_t i = 0; i < r->tokens.count; i++)
        r->tokens.items[i].marker = (uint8_t)read_marker(&r->tokens, i);
    for_each_declaration(r, false);
    for_each_declaration(r, true);
    if (r->edit_count)
        qsort(r->edits, r->edit_count, sizeof *r->edits, by_token);
}
