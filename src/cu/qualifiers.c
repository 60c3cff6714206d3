/* qualifiers.c - what CUDA's qualifiers become in their declarations.
 *
 *   marker of a variable   storage class and attributes stand in its place
 *   marker of a function   nothing, or noinline
 *
 * Dynamic shared memory is one array, of many types and names:
 *
 *   in a function   extern __shared__ T s[][4];
 *                   typedef T wl_shared_1[][4]; wl_shared_1 &s = *(wl_shared_1 *)wl_dynamic_shared("s");
 *   elsewhere       extern __thread T s[][4] __asm__("warplens_dynamic_shared");
 *
 * since the label of an extern declaration in a template is lost when gcc makes the function, and a
 * reference that is not a function's own would be read at each use.
 */
#include "cu/declaration.h"

#include "text/list.h"

/* 256: an array starts at bank 0, and at the beginning of a line. `used`: host code writes these
 * variables by their addresses, so initial values must not be taken for granted. */
#define PLACED(name) "static __attribute__((section(\"" name "\"), aligned(256), used))"
enum { STATIC_BYTES = sizeof "static " - 1 };
#define NOINLINE "__attribute__((noinline))"
#define SHARED_LABEL " __asm__(\"warplens_dynamic_shared\")"

/* ---- Edits ------------------------------------------------------------------------------------ */

struct edit *edit_add(struct rewriter *r, uint32_t token, const char *replace)
{
    if (!LIST_MAKE_ROOM(r->edits, r->edit_count, r->edit_room)) {
        rewriter_fail_memory(r);
        return NULL;
    }
    struct edit *edit = &r->edits[r->edit_count++];
    *edit = (struct edit){.token = token, .replace = replace, .name = TOKEN_NONE};
    return edit;
}

/* The end of an alignas(...) that stands behind a marker, where C++ has none, or TOKEN_NONE. */
static uint32_t alignment_behind(const struct tokens *tokens, const struct declaration *d)
{
    bool marked = false;
    for (uint32_t i = d->begin; i + 1 < d->stop; i++) {
        marked |= marker_at(tokens, i) != MARKER_NONE;
        if (marked && tokens_is(tokens, i, "alignas") && tokens_is_mark(tokens, i + 1, '('))
            return tokens->items[i + 1].match;
    }
    return TOKEN_NONE;
}

/* What stands in the marker's place goes behind the alignas that follows it; dynamic shared memory needs none, since it is
 * aligned anyway. True when `text` has its place. */
static bool place_alignment(struct rewriter *r, const struct declaration *d, const char *text,
                            bool has_storage)
{
    const uint32_t end = alignment_behind(&r->tokens, d);
    if (end == TOKEN_NONE || text[0] == '\0')
        return false;
    const bool is_dynamic = d->is_extern && has_storage;
    for (uint32_t i = r->tokens.items[end].match - 1; is_dynamic && i <= end; i++)
        edit_add(r, i, "");
    struct edit *edit = is_dynamic ? NULL : edit_add(r, end, NULL);
    if (edit)
        edit->after = text;
    return !is_dynamic;
}

/* The first of the markers [i, stop) becomes `text`, the others nothing, as do the storage classes
 * when `text` has its own. With an alignas behind it the text stands behind that. */
static void replace_markers(struct rewriter *r, const struct declaration *d, const char *text,
                            bool has_storage)
{
    if (place_alignment(r, d, text, has_storage))
        text = "";
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

/* The token that is the name of the declarator behind the comma at `i`. */
static uint32_t next_name(const struct tokens *tokens, uint32_t i)
{
    for (i++; tokens_is_mark(tokens, i, '*') || tokens_is_mark(tokens, i, '&'); i++)
        ;
    return i;
}

/* Each name becomes a type's, and behind the declaration there is a reference of that name. */
static void edit_dynamic_name(struct rewriter *r, uint32_t name, uint32_t end)
{
    if (!tokens_is_word(&r->tokens, name))
        return;
    struct edit *type = edit_add(r, name, "");
    if (type)
        type->number = r->dynamic_count + 1;
    struct edit *reference = edit_add(r, end, NULL);
    if (reference) {
        reference->name = name;
        reference->number = ++r->dynamic_count;
    }
}

static uint32_t declaration_end(const struct tokens *tokens, uint32_t i)
{
    uint32_t end = declaration_search_end(tokens, i);
    while (i < end && !tokens_is_mark(tokens, i, ';'))
        i = tokens->items[i].match != TOKEN_NONE && tokens->items[i].match > i
                ? tokens->items[i].match
                : i + 1;
    return i < end ? i : TOKEN_NONE;
}

static void edit_dynamic_in_block(struct rewriter *r, const struct declaration *d, uint32_t end)
{
    replace_markers(r, d, "typedef", true);
    edit_dynamic_name(r, d->stop - 1, end);
    for (uint32_t i = d->stop; i < end; i++) {
        uint32_t match = r->tokens.items[i].match;
        if (tokens_is_mark(&r->tokens, i, ','))
            edit_dynamic_name(r, next_name(&r->tokens, i), end);
        else if (match != TOKEN_NONE && match > i)
            i = match;
    }
}

/* The label stands behind each declarator's dimensions. */
static void edit_dynamic_in_file(struct rewriter *r, const struct declaration *d, uint32_t end)
{
    const struct tokens *tokens = &r->tokens;
    bool labelled = false;
    replace_markers(r, d, "extern __thread", true);
    for (uint32_t i = d->stop; i < end; i++) {
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
    struct edit *edit = edit_add(r, end, labelled ? NULL : SHARED_LABEL ";");
    if (edit && tokens_is_word(tokens, d->stop - 1))
        edit->name = d->stop - 1;
}

void qualifiers_edit_shared(struct rewriter *r, const struct declaration *d)
{
    uint32_t end = d->stop == TOKEN_NONE ? TOKEN_NONE : declaration_end(&r->tokens, d->stop);
    if (end == TOKEN_NONE)
        return;
    if (d->is_extern && d->in_block)
        edit_dynamic_in_block(r, d, end);
    else if (d->is_extern)
        edit_dynamic_in_file(r, d, end);
    else
        replace_markers(r, d, "static thread_local __attribute__((aligned(1024)))", true);
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
void qualifiers_edit_variable(struct rewriter *r, const struct declaration *d)
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
    uint32_t end = declaration_search_end(tokens, i);
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

static void note_body(struct rewriter *r, uint32_t open, bool host)
{
    if (LIST_MAKE_ROOM(r->bodies, r->body_count, r->body_room))
        r->bodies[r->body_count++] = (struct body){open, r->tokens.items[open].match, host};
    else
        rewriter_fail_memory(r);
}

/* Whether one of the parameters that begin at `paren` has a default argument. */
static bool has_defaults(const struct tokens *tokens, uint32_t paren)
{
    const uint32_t end = tokens->items[paren].match;
    for (uint32_t i = paren + 1; end != TOKEN_NONE && i < end; i++) {
        const uint32_t match = tokens->items[i].match;
        if (tokens_is_mark(tokens, i, '='))
            return true;
        if (match != TOKEN_NONE && match > i)
            i = match;
    }
    return false;
}

/* How many parameters begin at `paren`, as far as commas outside of brackets tell. */
static uint32_t parameter_count(const struct tokens *tokens, uint32_t paren)
{
    const uint32_t end = tokens->items[paren].match;
    uint32_t count = end != TOKEN_NONE && end > paren + 1, angles = 0;
    for (uint32_t i = paren + 1; end != TOKEN_NONE && i < end; i++) {
        const uint32_t match = tokens->items[i].match;
        angles += tokens_is_mark(tokens, i, '<');
        angles -= angles && tokens_is_mark(tokens, i, '>');
        count += angles == 0 && tokens_is_mark(tokens, i, ',');
        if (match != TOKEN_NONE && match > i)
            i = match;
    }
    return count;
}

static bool is_restrict(const struct tokens *tokens, uint32_t i)
{
    return tokens_is(tokens, i, "__restrict__") || tokens_is(tokens, i, "__restrict");
}

/* Which of the parameters that begin at `paren` are __restrict__ pointers: `const T *__restrict__` and `T const *__restrict__` to what
 * is const, `const T **__restrict__` not. */
static struct restricts find_restricts(const struct tokens *tokens, uint32_t paren)
{
    const uint32_t end = tokens->items[paren].match;
    struct restricts found = {0, 0};
    uint32_t angles = 0;
    uint64_t bit = 1;
    bool is_const = false, is_pointer = false, points_to_const = false;
    for (uint32_t i = paren + 1; end != TOKEN_NONE && i < end && bit; i++) {
        const uint32_t match = tokens->items[i].match;
        angles += tokens_is_mark(tokens, i, '<');
        angles -= angles && tokens_is_mark(tokens, i, '>');
        is_const |= angles == 0 && tokens_is(tokens, i, "const");
        if (angles == 0 && tokens_is_mark(tokens, i, '*')) {
            is_pointer = true;
            points_to_const = is_const;
            is_const = false;
        }
        if (is_pointer && is_restrict(tokens, i)) {
            found.all |= bit;
            found.constant |= points_to_const ? bit : 0;
        }
        if (angles == 0 && tokens_is_mark(tokens, i, ',')) {
            bit <<= 1;
            is_const = is_pointer = false;
        }
        if (match != TOKEN_NONE && match > i)
            i = match;
    }
    return found;
}

/* A name that is declared with other numbers of parameters is several kernels. */
static uint32_t parameter_bits(const struct rewriter *r, uint32_t name, uint32_t paren)
{
    const uint32_t known = names_bits(&r->names, &r->tokens, name) >> NAME_PARAMETERS_SHIFT;
    const uint32_t count = parameter_count(&r->tokens, paren) + 1;
    if (known)
        return known == count ? 0 : NAME_OVERLOAD;
    return count << NAME_PARAMETERS_SHIFT;
}

static void note_kernel(struct rewriter *r, const struct declaration *d, bool defined)
{
    uint32_t name = function_name(&r->tokens, d->stop);
    if (name == TOKEN_NONE)
        return;
    uint32_t bits = NAME_KERNEL | (d->is_template ? NAME_TEMPLATE : 0U);
    if (defined && names_bits(&r->names, &r->tokens, name) & NAME_DEFINED)
        bits |= NAME_OVERLOAD;
    if (has_defaults(&r->tokens, d->stop))
        bits |= NAME_DEFAULTS;
    bits |= parameter_bits(r, name, d->stop);
    if (!names_add_kernel(&r->names, &r->tokens, name, bits | (defined ? NAME_DEFINED : 0U),
                          find_restricts(&r->tokens, d->stop)))
        rewriter_fail_memory(r);
}

/* __cluster_dims__(x, y, z) goes from the declaration into the body. */
static void edit_clusters(struct rewriter *r, const struct declaration *d, uint32_t body)
{
    const struct tokens *tokens = &r->tokens;
    for (uint32_t i = d->begin; i + 1 < d->stop; i++) {
        if (!tokens_is(tokens, i, "__wl_cluster_dims__") || !tokens_is_mark(tokens, i + 1, '('))
            continue;
        const uint32_t open = i + 1, end = tokens->items[open].match;
        if (end == TOKEN_NONE || end >= d->stop || body == TOKEN_NONE) {
            rewriter_fail(r, i,
                          "__cluster_dims__ where the kernel is only declared cannot run under "
                          "warplens: write it where its body is");
            return;
        }
        while (i <= end)
            edit_add(r, i++, "");
        struct edit *edit = edit_add(r, body, NULL);
        if (edit)
            edit->clusters = open;
        return;
    }
}

void qualifiers_edit_function(struct rewriter *r, const struct declaration *d, uint32_t marker)
{
    const char *text = d->marked & (MARKER_GLOBAL | MARKER_NOINLINE) ? NOINLINE : "";
    if (d->stop == TOKEN_NONE) {
        edit_add(r, marker, text);
        return;
    }
    replace_markers(r, d, text, false);
    uint32_t body = function_body(&r->tokens, d->stop);
    if (body != TOKEN_NONE && d->marked & (MARKER_GLOBAL | MARKER_DEVICE))
        note_body(r, body, d->marked & MARKER_HOST);
    if (d->marked & MARKER_GLOBAL)
        edit_clusters(r, d, body);
    if (d->marked & MARKER_GLOBAL)
        note_kernel(r, d, body != TOKEN_NONE);
}
