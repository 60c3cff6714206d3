/* writer_launch.c - a launch:
 *
 *   kernel <<<grid, block>>> (a, b)
 *   ::wl::launch(::wl::config(grid, block), "kernel", kernel  , a, b)
 */
#include <stdio.h>

#include "cu/writer.h"

/* A lambda that is no part of the kernel: gcc and clang each know a part of this, and ignore the
 * other. */
#define PLAIN                                                                                      \
    "__attribute__((always_inline, no_sanitize(\"thread\", \"coverage\"), no_sanitize_coverage))"

enum { NESTING_MAX = 16 }; /* launches within arguments of launches */

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

/* What is launched, with what lies behind it. */
static void put_launched(struct writer *w, const struct launch *launch)
{
    writer_put_token(w, launch->start);
    writer_put_tokens(w, launch->start + 1, launch->open);
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
    /* By copy, since it may be called later: what it names are constants, which some compilers want captured. */
    writer_put(w, "[=](");
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
            writer_put_tokens(w, argument->begin, argument->end);
    }
    if (arguments->any_null)
        writer_put_tokens(w, launch->end, launch->end + 1);
    else {
        writer_put(w, launch->end > launch->paren + 1 ? ", " : "");
        writer_put_tokens(w, launch->paren + 1, launch->end + 1);
    }
}

static void put_restricts(struct writer *w, const struct restricts *restricts)
{
    char text[80];
    snprintf(text, sizeof text, ".restricts(%lluULL, %lluULL)", (unsigned long long)restricts->all,
             (unsigned long long)restricts->constant);
    if (restricts->all)
        writer_put(w, text);
}

void writer_put_launch(struct writer *w, const struct launch *launch)
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
    writer_put_tokens(w, launch->open + 1, launch->close);
    writer_put_gap(w, launch->close);
    writer_put(w, ")");
    put_restricts(w, &launch->restricts);
    writer_put(w, ", ");
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
