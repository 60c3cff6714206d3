/* rewrite.c - the text with its edits and launches.
 *
 *   kernel <<<grid, block>>> (a, b)
 *   ::wl::launch(::wl::config(grid, block), "kernel", kernel  , a, b)
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
#include "text/memory.h"

/* A lambda that is no part of the kernel: gcc and clang each know a part of this, and ignore the
 * other. */
#define PLAIN "__attribute__((no_sanitize(\"thread\", \"coverage\"), no_sanitize_coverage))"

enum { NESTING_MAX = 16 }; /* launches within arguments of launches */

struct writer {
    struct rewriter *r;
    char *text;
    size_t length, room;
    uint32_t named; /* dynamic arrays so far */
    unsigned nesting;
};

void rewriter_fail(struct rewriter *r, uint32_t token, const char *format, ...)
{
    if (r->error[0])
        return;
    struct token_place place = tokens_place(&r->tokens, token);
    int n = snprintf(r->error, sizeof r->error, "%s:%u: ", place.file, place.line);
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

/* ---- Writing ---------------------------------------------------------------------------------- */

static void put_bytes(struct writer *w, const char *bytes, size_t count)
{
    if (count == 0)
        return;
    if (count > w->room - w->length) {
        size_t room = 2 * w->room + count + 4096;
        char *grown = memory_grow(w->text, room);
        if (grown == NULL) {
            rewriter_fail_memory(w->r);
            return;
        }
        w->text = grown;
        w->room = room;
    }
    memcpy(w->text + w->length, bytes, count);
    w->length += count;
}

static void put(struct writer *w, const char *text)
{
    put_bytes(w, text, strlen(text));
}

static void put_token(struct writer *w, uint32_t i)
{
    const struct token *token = &w->r->tokens.items[i];
    put_bytes(w, w->r->tokens.text + token->at, token->length);
}

/* What lies before token `i`; `i` may be behind the last. */
static void put_gap(struct writer *w, uint32_t i)
{
    const struct tokens *tokens = &w->r->tokens;
    size_t begin = i ? tokens->items[i - 1].at + (size_t)tokens->items[i - 1].length : 0;
    size_t end = i < tokens->count ? tokens->items[i].at : tokens->length;
    put_bytes(w, tokens->text + begin, end - begin);
}

static void put_number(struct writer *w, uint32_t number)
{
    char text[16];
    snprintf(text, sizeof text, "%u", number);
    put(w, text);
}

static void put_in_quotes(struct writer *w, uint32_t token)
{
    put(w, "\"");
    put_token(w, token);
    put(w, "\"");
}

/* Behind a declaration of dynamic shared memory, what qualifiers.c says. In a file, `const`: the name
 * is the file's own. */
static void put_dynamic(struct writer *w, const struct edit *edit)
{
    if (edit->number) {
        put(w, " wl_shared_");
        put_number(w, edit->number);
        put(w, " &");
        put_token(w, edit->name);
        put(w, " = *(wl_shared_");
        put_number(w, edit->number);
        put(w, " *)wl_dynamic_shared(");
    } else {
        put(w, " const int wl_named_");
        put_number(w, ++w->named);
        put(w, " = wl_name_dynamic_shared(");
    }
    put_in_quotes(w, edit->name);
    put(w, ");");
}

/* Token `token` with its edits, of which there may be several. */
static void put_edits(struct writer *w, uint32_t *next, uint32_t token)
{
    const struct rewriter *r = w->r;
    bool replaced = false;
    for (uint32_t i = *next; i < r->edit_count && r->edits[i].token == token; i++) {
        const struct edit *edit = &r->edits[i];
        replaced |= edit->replace != NULL;
        put(w, edit->replace ? edit->replace : "");
        if (edit->number && edit->name == TOKEN_NONE) {
            put(w, "wl_shared_");
            put_number(w, edit->number);
        }
    }
    if (!replaced)
        put_token(w, token);
    for (; *next < r->edit_count && r->edits[*next].token == token; ++*next) {
        const struct edit *edit = &r->edits[*next];
        put(w, edit->after ? edit->after : "");
        if (edit->name != TOKEN_NONE)
            put_dynamic(w, edit);
    }
}

/* The first edit at token `i` or behind it. */
static uint32_t edit_from(const struct rewriter *r, uint32_t i)
{
    uint32_t low = 0, high = r->edit_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->edits[middle].token < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- Launches --------------------------------------------------------------------------------- */

/* The launch that starts at token `i` and lies within [i, end); launches are in the order of their
 * starts, outer ones first. */
static const struct launch *launch_at(const struct rewriter *r, uint32_t i, uint32_t end)
{
    uint32_t low = 0, high = r->launch_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->launches[middle].start < i)
            low = middle + 1;
        else
            high = middle;
    }
    const struct launch *launch = &r->launches[low];
    return low < r->launch_count && launch->start == i && launch->end < end ? launch : NULL;
}

/* NAME as a string: without its line breaks. */
static void put_name_string(struct writer *w, const struct launch *launch)
{
    const struct tokens *tokens = &w->r->tokens;
    put(w, "\"");
    for (uint32_t i = launch->start; launch->known && i < launch->open; i++) {
        const struct token *token = &tokens->items[i];
        bool words =
            i > launch->start && tokens_is_word(tokens, i - 1) && token->kind <= TOKEN_LITERAL;
        if (words || (i > launch->start && tokens_is_mark(tokens, i - 1, ',')))
            put(w, " ");
        for (uint32_t k = 0; k < token->length; k++) {
            char c = tokens->text[token->at + k];
            if (c == '"' || c == '\\')
                put(w, "\\");
            put_bytes(w, c == '\n' ? " " : &c, 1);
        }
    }
    put(w, "\"");
}

static void put_tokens(struct writer *w, uint32_t from, uint32_t to);

static void put_launch(struct writer *w, const struct launch *launch)
{
    if (w->nesting == NESTING_MAX) {
        rewriter_fail(w->r, launch->start, "more than %d launches in each other's arguments",
                      NESTING_MAX);
        return;
    }
    w->nesting++;
    put(w,
        launch->generic ? " ::wl::launch_template(::wl::config(" : " ::wl::launch(::wl::config(");
    put_tokens(w, launch->open + 1, launch->close);
    put_gap(w, launch->close);
    put(w, "), ");
    const bool has_arguments =
        launch->known && tokens_is_mark(&w->r->tokens, launch->open - 1, '>');
    put(w, has_arguments ? "::wl_instance_name(" : "");
    put_name_string(w, launch);
    put(w, has_arguments ? ", __PRETTY_FUNCTION__)" : "");
    put(w, launch->generic ? ", [](auto &...wl_a) " PLAIN " { " : ", ");
    put_token(w, launch->start);
    put_tokens(w, launch->start + 1, launch->open);
    put_gap(w, launch->open);
    put_gap(w, launch->paren);
    put(w, launch->generic ? "(wl_a...); }" : "");
    put(w, launch->end > launch->paren + 1 ? ", " : "");
    put_tokens(w, launch->paren + 1, launch->end + 1);
    w->nesting--;
}

/* ---- Inline PTX: ptx.h says what it becomes ------------------------------------------------------- */

static void put_format(struct writer *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void put_format(struct writer *w, const char *format, ...)
{
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(w, text);
}

static void put_asm_operand(struct writer *w, const struct asm_operand *operand, unsigned k)
{
    const unsigned bytes = ptx_register_bytes(operand->letter);
    uint32_t next = edit_from(w->r, operand->open + 1);
    if (operand->writes)
        put_format(w, "auto &wl_to%u = (", k);
    else if (bytes)
        put_format(w, "const ::wl::ptx::reg%u wl_%u = ::wl::ptx::word<%u>(", 8 * bytes, k, bytes);
    else
        put_format(w, "constexpr auto wl_%u = (", k);
    for (uint32_t i = operand->open + 1; i < operand->close; i++) {
        const struct token *token = &w->r->tokens.items[i];
        put_edits(w, &next, i);
        put(w, token[1].at > token->at + token->length ? " " : "");
    }
    put(w, "); ");
    if (operand->writes)
        put_format(w, "::wl::ptx::reg%u wl_%u", 8 * bytes, k);
    if (operand->writes && operand->reads)
        put_format(w, " = ::wl::ptx::word<%u>(wl_to%u)", bytes, k);
    put(w, operand->writes ? "; " : "");
}

/* All on one line; the line breaks that it has follow it. */
static void put_assembly(struct writer *w, const struct assembly *a)
{
    const char *barrier = a->memory ? "__asm__ volatile(\"\" ::: \"memory\"); " : "";
    put(w, "do { ");
    for (unsigned k = 0; k < a->operand_count; k++)
        put_asm_operand(w, &a->operands[k], k);
    put(w, barrier);
    put(w, a->code);
    put(w, barrier);
    for (unsigned k = 0; k < a->operand_count; k++)
        if (a->operands[k].writes)
            put_format(w, "::wl::ptx::back(wl_to%u, wl_%u); ", k, k);
    put(w, "} while (0)");
    for (uint32_t i = a->start + 1, operand = 0; i <= a->end; i++) {
        const struct token *token = &w->r->tokens.items[i];
        while (operand < a->operand_count && a->operands[operand].close <= i)
            operand++;
        const bool is_written = operand < a->operand_count && a->operands[operand].open < i;
        put_gap(w, i);
        for (uint32_t k = 0; k < token->length && !is_written; k++)
            put(w, w->r->tokens.text[token->at + k] == '\n' ? "\n" : "");
    }
}

/* The statement that starts at token `i`. */
static const struct assembly *assembly_at(const struct rewriter *r, uint32_t i)
{
    uint32_t low = 0, high = r->assembly_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->assemblies[middle].start < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->assembly_count && r->assemblies[low].start == i ? &r->assemblies[low] : NULL;
}

/* Tokens [from, to), each with what lies before it. */
static void put_tokens(struct writer *w, uint32_t from, uint32_t to)
{
    uint32_t next = edit_from(w->r, from);
    for (uint32_t i = from; i < to && w->r->error[0] == '\0'; i++) {
        const struct launch *launch = launch_at(w->r, i, to);
        const struct assembly *assembly = assembly_at(w->r, i);
        put_gap(w, i);
        if (assembly) {
            put_assembly(w, assembly);
            i = assembly->end;
            next = edit_from(w->r, i + 1);
            continue;
        }
        if (launch == NULL) {
            put_edits(w, &next, i);
            continue;
        }
        put_launch(w, launch);
        i = launch->end;
        next = edit_from(w->r, i + 1);
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
    put_tokens(&w, 0, r->tokens.count);
    put_gap(&w, r->tokens.count);
    if (r->uses_heap)
        put(&w, "static const int wl_heap_is_used = ::wl_use_heap();");
    put_bytes(&w, "", 1);
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
    unsupported_check(&r);
    if (r.error[0] == '\0')
        write_text(&r, out);
    memcpy(out->error, r.error, sizeof out->error);
    rewriter_free(&r);
    return out->error[0] == '\0';
}
