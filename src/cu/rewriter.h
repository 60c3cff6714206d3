/* rewriter.h - the inside of the rewriter.
 *
 *   tokens.c        text -> tokens
 *   names.c         which names are kernels, templates, extern variables
 *   declarations.c  declarations with markers; qualifiers.c: markers -> edits
 *   references.c    texture<...> and surface<...>
 *   launches.c      launches
 *   unsupported.c   what cannot run
 *   rewrite.c       all that -> text
 *
 * Each part reads the tokens and notes what is to be done; the text is written once, at the end.
 */
#ifndef WARPLENS_CU_REWRITER_H
#define WARPLENS_CU_REWRITER_H

#include "cu/rewrite.h"
#include "cu/tokens.h"

/* ---- names.c: a set of names, each a token that has that text -------------------------------- */

enum name_bit {
    NAME_KERNEL = 1,
    NAME_TEMPLATE = 2,        /* a kernel declared as a template */
    NAME_DEFINED = 4,         /* a kernel with a body */
    NAME_OVERLOAD = 8,        /* several kernels with bodies */
    NAME_EXTERN_VARIABLE = 16 /* extern __constant__ or __device__ */
};

struct name_slot {
    uint32_t token;
    uint32_t bits; /* 0: free */
};
struct names {
    struct name_slot *slots;
    uint32_t count, room; /* room: a power of two */
};

/* Adds bits to the name that token `token` is; false when there is no memory. */
bool names_add(struct names *names, const struct tokens *tokens, uint32_t token, uint32_t bits);
/* The bits of a name; 0 when it is not in the set. */
uint32_t names_bits(const struct names *names, const struct tokens *tokens, uint32_t token);

/* ---- What is to be done ----------------------------------------------------------------------- */

/* At a token. */
struct edit {
    uint32_t token;
    uint32_t number;     /* "wl_shared_<number>" follows `replace`; 0: nothing */
    uint32_t name;       /* dynamic shared memory that is declared or named behind it; TOKEN_NONE */
    const char *replace; /* what stands in its place; NULL: the token itself */
    const char *after;   /* what follows it; NULL: nothing */
};

/* NAME<<<CONFIG>>>(ARGUMENTS): tokens [start, open), (open, close), (paren, end). */
struct launch {
    uint32_t start, open, close, paren, end;
    bool known;   /* NAME is a kernel's */
    bool generic; /* NAME is a template's or overloaded: it has no address by itself */
};

/* The body of a function that runs on the device only: tokens (begin, end). */
struct body {
    uint32_t begin, end;
};

struct rewriter {
    struct tokens tokens;
    struct names names;
    struct edit *edits;
    uint32_t edit_count;
    size_t edit_room;
    uint32_t dynamic_count; /* names of dynamic shared memory in functions */
    struct launch *launches;
    uint32_t launch_count;
    size_t launch_room;
    struct body *bodies;
    uint32_t body_count;
    size_t body_room;
    char error[sizeof((struct rewritten *)0)->error]; /* the first */
};

/* Notes an error at a token. */
void rewriter_fail(struct rewriter *r, uint32_t token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void rewriter_fail_memory(struct rewriter *r);

/* declarations.c: qualifiers' edits, in the order of the tokens; also finds the names and the bodies. */
void declarations_read(struct rewriter *r);
/* launches.c: needs the names. Launches come in the order of their `open`. */
void launches_read(struct rewriter *r);
/* unsupported.c: needs the bodies and the launches. */
void unsupported_check(struct rewriter *r);

#endif
