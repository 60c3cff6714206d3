/* rewrite.c - the text with its edits, launches (writer_launch.c) and inline PTX (writer_assembly.c).
 *
 * What lies between two tokens (spaces, newlines, line markers) is written once, where the token
 * behind it goes, so that no line is lost.
 */
#include "cu/rewrite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cu/rewriter.h"
#include "cu/writer.h"

void rewriter_fail(struct rewriter *r, uint32_t token, const char *format, ...)
{
    if (r->error[0])
        return;
    int n = 0;
    if (!r->refuses_later) {
        struct token_place place = tokens_place(&r->tokens, token);
        n = snprintf(r->error, sizeof r->error, "%s:%u: ", place.file, place.line);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error + n, sizeof r->error - (size_t)n, format, arguments);
    va_end(arguments);
}

void rewriter_fail_memory(struct rewriter *r)
{
    if (r->error[0] == '\0')
        snprintf(r->error, sizeof r->error, "no memory to rewrite %zu bytes of source",
                 r->tokens.length);
}

/* gcc's first line is # 0 "program.cu", clang's # 1. */
bool rewriter_is_in_header(const struct rewriter *r, uint32_t token)
{
    const struct tokens *tokens = &r->tokens;
    if (tokens->items[token].library)
        return true;
    const struct token_place place = tokens_place(tokens, token);
    const size_t bytes = strlen(place.file), first = strlen("# 0 \"");
    return tokens->length > first + bytes && tokens->text[0] == '#' &&
           (memcmp(tokens->text + first, place.file, bytes) != 0 ||
            tokens->text[first + bytes] != '"');
}

/* ---- Tokens with edits ------------------------------------------------------------------------- */

static void put_in_quotes(struct writer *w, uint32_t token)
{
    writer_put(w, "\"");
    writer_put_token(w, token);
    writer_put(w, "\"");
}

/* Behind a declaration of dynamic shared memory, what qualifiers.c says. In a file, `const`: the name
 * is the file's own. */
static void put_dynamic(struct writer *w, const struct edit *edit)
{
    if (edit->number) {
        writer_put(w, " wl_shared_");
        writer_put_number(w, edit->number);
        writer_put(w, " &");
        writer_put_token(w, edit->name);
        writer_put(w, " = *(wl_shared_");
        writer_put_number(w, edit->number);
        writer_put(w, " *)wl_dynamic_shared(");
    } else {
        writer_put(w, " const int wl_named_");
        writer_put_number(w, ++w->named);
        writer_put(w, " = wl_name_dynamic_shared(");
    }
    put_in_quotes(w, edit->name);
    writer_put(w, ");");
}

/* The first of items that stand at token `i` or behind it. Each begins with its token; they are in the tokens' order. */
static uint32_t first_from(const void *items, uint32_t count, size_t item_bytes, uint32_t i)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2, token;
        memcpy(&token, (const char *)items + middle * item_bytes, sizeof token);
        if (token < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Of the kernel's own: tracer/grid/cluster_launch.c looks for it by its name. A template has its own numbers. */
static void put_clusters(struct writer *w, uint32_t open)
{
    writer_put(w, " static const unsigned wl_cluster_dims[3] "
                  "__attribute__((used, aligned(256))) = {");
    for (uint32_t i = open + 1; i < w->r->tokens.items[open].match; i++) {
        writer_put_token(w, i);
        writer_put(w, " ");
    }
    writer_put(w, "};");
}

void writer_put_edited(struct writer *w, uint32_t token)
{
    const struct rewriter *r = w->r;
    const uint32_t first = first_from(r->edits, r->edit_count, sizeof *r->edits, token);
    bool replaced = false;
    for (uint32_t i = first; i < r->edit_count && r->edits[i].token == token; i++) {
        const struct edit *edit = &r->edits[i];
        replaced |= edit->replace != NULL;
        writer_put(w, edit->replace ? edit->replace : "");
        if (edit->number && edit->name == TOKEN_NONE) {
            writer_put(w, "wl_shared_");
            writer_put_number(w, edit->number);
        }
    }
    if (!replaced)
        writer_put_token(w, token);
    for (uint32_t i = first; i < r->edit_count && r->edits[i].token == token; i++) {
        const struct edit *edit = &r->edits[i];
        writer_put(w, edit->after ? edit->after : "");
        if (edit->clusters)
            put_clusters(w, edit->clusters);
        if (edit->name != TOKEN_NONE)
            put_dynamic(w, edit);
    }
}

/* The launch that starts at token `i` and lies within [i, end); outer ones come first. */
static const struct launch *launch_at(const struct rewriter *r, uint32_t i, uint32_t end)
{
    const uint32_t n = first_from(r->launches, r->launch_count, sizeof *r->launches, i);
    const struct launch *launch = &r->launches[n];
    return n < r->launch_count && launch->start == i && launch->end < end ? launch : NULL;
}

/* The statement that starts at token `i`. */
static const struct assembly *assembly_at(const struct rewriter *r, uint32_t i)
{
    const uint32_t n = first_from(r->assemblies, r->assembly_count, sizeof *r->assemblies, i);
    return n < r->assembly_count && r->assemblies[n].start == i ? &r->assemblies[n] : NULL;
}

void writer_put_tokens(struct writer *w, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to && w->r->error[0] == '\0'; i++) {
        const struct launch *launch = launch_at(w->r, i, to);
        const struct assembly *assembly = assembly_at(w->r, i);
        writer_put_gap(w, i);
        if (assembly) {
            writer_put_assembly(w, assembly);
            i = assembly->end;
        } else if (launch) {
            writer_put_launch(w, launch);
            i = launch->end;
        } else
            writer_put_edited(w, i);
    }
}

/* ---- All of it -------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->end < y->end) - (x->end > y->end);
}

static void rewriter_free(struct rewriter *r)
{
    tokens_free(&r->tokens);
    free(r->names.slots);
    free(r->edits);
    free(r->launches);
    free(r->bodies);
    for (uint32_t i = 0; i < r->assembly_count; i++) {
        free(r->assemblies[i].operands);
        free(r->assemblies[i].code);
    }
    free(r->assemblies);
}

static void write_text(struct rewriter *r, struct rewritten *out)
{
    struct writer w = {.r = r};
    if (r->launch_count)
        qsort(r->launches, r->launch_count, sizeof *r->launches, by_start);
    writer_put_tokens(&w, 0, r->tokens.count);
    writer_put_gap(&w, r->tokens.count);
    writer_put_unroll_factors(&w);
    if (r->uses_heap)
        writer_put(&w, "static const int wl_heap_is_used = ::wl_use_heap();");
    writer_put_bytes(&w, "", 1);
    if (r->error[0]) {
        free(w.text);
        return;
    }
    out->text = w.text;
    out->length = w.length - 1;
}

bool cu_rewrite(const char *text, size_t length, struct rewritten *out)
{
    struct rewriter r = {0};
    *out = (struct rewritten){0};
    if (!tokens_read(&r.tokens, text, length)) {
        r.tokens.length = length;
        rewriter_fail_memory(&r);
    }
    declarations_read(&r);
    launches_read(&r);
    ptx_read(&r);
    library_calls_note(&r);
    unsupported_check(&r);
    if (r.error[0] == '\0')
        write_text(&r, out);
    memcpy(out->error, r.error, sizeof out->error);
    rewriter_free(&r);
    return out->error[0] == '\0';
}
