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
#include "cu/writer.h"

/* A lambda that is no part of the kernel: gcc and clang each know a part of this, and ignore the
 * other. */
#define PLAIN "__attribute__((no_sanitize(\"thread\", \"coverage\"), no_sanitize_coverage))"

enum { NESTING_MAX = 16 }; /* launches within arguments of launches */

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

/* Token `token` with its edits, of which there may be several. */
static void put_edits(struct writer *w, uint32_t *next, uint32_t token)
{
    const struct rewriter *r = w->r;
    bool replaced = false;
    for (uint32_t i = *next; i < r->edit_count && r->edits[i].token == token; i++) {
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
    for (; *next < r->edit_count && r->edits[*next].token == token; ++*next) {
        const struct edit *edit = &r->edits[*next];
        writer_put(w, edit->after ? edit->after : "");
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
    writer_put(w, "\"");
    for (uint32_t i = launch->start; launch->known && i < launch->open; i++) {
        const struct token *token = &tokens->items[i];
        bool words =
            i > launch->start && tokens_is_word(tokens, i - 1) && token->kind <= TOKEN_LITERAL;
        if (words || (i > launch->start && tokens_is_mark(tokens, i - 1, ',')))
            writer_put(w, " ");
        for (uint32_t k = 0; k < token->length; k++) {
            char c = tokens->text[token->at + k];
            if (c == '"' || c == '\\')
                writer_put(w, "\\");
            writer_put_bytes(w, c == '\n' ? " " : &c, 1);
        }
    }
    writer_put(w, "\"");
}

static void put_tokens(struct writer *w, uint32_t from, uint32_t to);

/* What is launched, with what lies behind it. */
static void put_launched(struct writer *w, const struct launch *launch)
{
    writer_put_token(w, launch->start);
    put_tokens(w, launch->start + 1, launch->open);
    writer_put_gap(w, launch->open);
    writer_put_gap(w, launch->paren);
}

/* ... a second time: without the lines between its tokens. */
static void put_launched_again(struct writer *w, const struct launch *launch)
{
    for (uint32_t i = launch->start; i < launch->open; i++) {
        writer_put_token(w, i);
        writer_put(w, " ");
    }
}

/* The lambda's parameters, or what it gives to the kernel: one for each argument, but null pointers as they stand. */
static void put_lambda_names(struct writer *w, const struct launch_arguments *arguments, bool given)
{
    const char *between = "";
    for (uint32_t i = 0; i < arguments->count; i++) {
        const struct launch_argument *argument = &arguments->items[i];
        if (argument->null && !given)
            continue;
        writer_put(w, between);
        between = ", ";
        if (argument->null) {
            writer_put_token(w, argument->begin);
            continue;
        }
        writer_put(w, given ? "wl_a" : "auto &wl_a");
        writer_put_number(w, i);
    }
}

static void put_lambda(struct writer *w, const struct launch *launch,
                       const struct launch_arguments *arguments)
{
    writer_put(w, "[](");
    if (arguments->any_null)
        put_lambda_names(w, arguments, false);
    else
        writer_put(w, "auto &...wl_a");
    writer_put(w, ") " PLAIN " { ");
    if (launch->generic)
        put_launched(w, launch);
    else
        put_launched_again(w, launch);
    writer_put(w, "(");
    if (arguments->any_null)
        put_lambda_names(w, arguments, true);
    else
        writer_put(w, "wl_a...");
    writer_put(w, "); }");
}

/* Each behind a comma; without null pointers where a lambda has them. */
static void put_arguments(struct writer *w, const struct launch *launch,
                          const struct launch_arguments *arguments)
{
    for (uint32_t i = 0; arguments->any_null && i < arguments->count; i++) {
        const struct launch_argument *argument = &arguments->items[i];
        writer_put(w, argument->null ? "" : ", ");
        if (argument->null)
            writer_put_gap(w, argument->begin);
        else
            put_tokens(w, argument->begin, argument->end);
    }
    if (arguments->any_null)
        put_tokens(w, launch->end, launch->end + 1);
    else {
        writer_put(w, launch->end > launch->paren + 1 ? ", " : "");
        put_tokens(w, launch->paren + 1, launch->end + 1);
    }
}

static void put_launch(struct writer *w, const struct launch *launch)
{
    struct launch_arguments arguments = {0};
    if (w->nesting == NESTING_MAX) {
        rewriter_fail(w->r, launch->start, "more than %d launches in each other's arguments",
                      NESTING_MAX);
        return;
    }
    w->nesting++;
    if (launch->generic || launch->defaults)
        launch_arguments_read(&w->r->tokens, launch, &arguments);
    writer_put(w, launch->generic    ? " ::wl::launch_template(::wl::config("
                  : launch->defaults ? " ::wl::launch_defaults(::wl::config("
                                     : " ::wl::launch(::wl::config(");
    put_tokens(w, launch->open + 1, launch->close);
    writer_put_gap(w, launch->close);
    writer_put(w, "), ");
    const bool has_arguments =
        launch->known && tokens_is_mark(&w->r->tokens, launch->open - 1, '>');
    writer_put(w, has_arguments ? "::wl_instance_name(" : "");
    put_name_string(w, launch);
    writer_put(w, has_arguments ? ", __PRETTY_FUNCTION__)" : "");
    writer_put(w, ", ");
    if (!launch->generic)
        put_launched(w, launch);
    writer_put(w, launch->defaults ? ", " : "");
    if (launch->generic || launch->defaults)
        put_lambda(w, launch, &arguments);
    put_arguments(w, launch, &arguments);
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
    writer_put(w, text);
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
        writer_put(w, token[1].at > token->at + token->length ? " " : "");
    }
    writer_put(w, "); ");
    if (operand->writes)
        put_format(w, "::wl::ptx::reg%u wl_%u", 8 * bytes, k);
    if (operand->writes && operand->reads)
        put_format(w, " = ::wl::ptx::word<%u>(wl_to%u)", bytes, k);
    writer_put(w, operand->writes ? "; " : "");
}

/* All on one line; the line breaks that it has follow it. */
static void put_assembly(struct writer *w, const struct assembly *a)
{
    const char *barrier = a->memory ? "__asm__ volatile(\"\" ::: \"memory\"); " : "";
    writer_put(w, "do { ");
    for (unsigned k = 0; k < a->operand_count; k++)
        put_asm_operand(w, &a->operands[k], k);
    writer_put(w, barrier);
    writer_put(w, a->code);
    writer_put(w, barrier);
    for (unsigned k = 0; k < a->operand_count; k++)
        if (a->operands[k].writes)
            put_format(w, "::wl::ptx::back(wl_to%u, wl_%u); ", k, k);
    writer_put(w, "} while (0)");
    for (uint32_t i = a->start + 1, operand = 0; i <= a->end; i++) {
        const struct token *token = &w->r->tokens.items[i];
        while (operand < a->operand_count && a->operands[operand].close <= i)
            operand++;
        const bool is_written = operand < a->operand_count && a->operands[operand].open < i;
        writer_put_gap(w, i);
        for (uint32_t k = 0; k < token->length && !is_written; k++)
            writer_put(w, w->r->tokens.text[token->at + k] == '\n' ? "\n" : "");
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
        writer_put_gap(w, i);
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
    writer_put_gap(&w, r->tokens.count);
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
