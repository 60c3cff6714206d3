/* declaration.h - a declaration with one of CUDA's qualifiers, between the one who reads it
 * (declarations.c) and the one who writes it anew (qualifiers.c).
 */
#ifndef WARPLENS_CU_DECLARATION_H
#define WARPLENS_CU_DECLARATION_H

#include "cu/rewriter.h"

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

/* A declaration with a marker. */
struct declaration {
    uint32_t begin;  /* its first token */
    uint32_t stop;   /* the token behind specifiers and name: ; = [ { or (; TOKEN_NONE */
    unsigned marked; /* enum marker bits in it */
    bool function, is_extern, is_static, is_template, constant;
    bool in_block; /* within a function */
};

/* The marker (enum marker) that a token is. */
unsigned marker_at(const struct tokens *tokens, uint32_t i);
/* Where the search for something in the declaration at token `i` ends at the latest. */
uint32_t declaration_search_end(const struct tokens *tokens, uint32_t i);

/* qualifiers.c: an edit at a token, in any order; NULL without memory, which is noted. `replace` must stay. */
struct edit *edit_add(struct rewriter *r, uint32_t token, const char *replace);
/* references.c: the names of CUDA's legacy templates. */
void references_edit(struct rewriter *r);
/* pragmas.c: directives within a line. */
void pragmas_edit(struct rewriter *r);
/* kernel_addresses.c: where a kernel's name is cast to a pointer to void. Needs the names. */
void kernel_addresses_edit(struct rewriter *r);

void qualifiers_edit_shared(struct rewriter *r, const struct declaration *d);
void qualifiers_edit_variable(struct rewriter *r, const struct declaration *d);
/* Notes a kernel's name and where a body is, too. `marker`: the one that was found. */
void qualifiers_edit_function(struct rewriter *r, const struct declaration *d, uint32_t marker);

#endif
