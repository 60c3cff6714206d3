/* rewriter.h - the inside of the rewriter.
 *
 *   tokens.c        text -> tokens
 *   names.c         which names are kernels, templates, extern variables
 *   declarations.c  declarations with markers; qualifiers.c: markers -> edits
 *   references.c    texture<...> and surface<...>
 *   kernel_addresses.c  kernels that are cast to void *
 *   launches.c      launches
 *   ptx.c           inline PTX (ptx.h)
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
    NAME_TEMPLATE = 2, /* a kernel declared as a template */
    NAME_DEFINED = 4,  /* a kernel with a body */
    NAME_OVERLOAD =
        8, /* several kernels with bodies, or declared with other parameters; a function, too */
    NAME_EXTERN_VARIABLE = 16, /* extern __constant__ or __device__ */
    NAME_DEFAULTS = 32,        /* a kernel with default arguments */
    NAME_PARAMETERS_SHIFT = 8  /* 1 + the number of parameters of the first declaration */
};

/* A kernel's parameters that are __restrict__ pointers, by a bit each: all of them; those to what is const. */
struct restricts {
    uint64_t all, constant;
};
struct name_slot {
    uint32_t token;
    uint32_t bits; /* 0: free */
    struct restricts restricts;
};
struct names {
    struct name_slot *slots;
    uint32_t count, room; /* room: a power of two */
};

/* Adds bits to the name that token `token` is; false when there is no memory. */
bool names_add(struct names *names, const struct tokens *tokens, uint32_t token, uint32_t bits);
/* The same, for a kernel that has such parameters. Of several kernels of one name it is what all of them have. */
bool names_add_kernel(struct names *names, const struct tokens *tokens, uint32_t token,
                      uint32_t bits, struct restricts restricts);
/* None for a name that is not in the set. */
struct restricts names_restricts(const struct names *names, const struct tokens *tokens,
                                 uint32_t token);
/* The bits of a name; 0 when it is not in the set. */
uint32_t names_bits(const struct names *names, const struct tokens *tokens, uint32_t token);

/* ---- What is to be done ----------------------------------------------------------------------- */

/* At a token. Edits, launches and assemblies begin with their first token: rewrite.c looks for them by it. */
struct edit {
    uint32_t token;
    uint32_t number;     /* "wl_shared_<number>" follows `replace`; 0: nothing */
    uint32_t name;       /* dynamic shared memory that is declared or named behind it; TOKEN_NONE */
    const char *replace; /* what stands in its place; NULL: the token itself */
    const char *after;   /* what follows it; NULL: nothing */
    uint32_t
        clusters; /* 0, or the parenthesis with the numbers of __cluster_dims__, which become a constant behind it */
};

/* NAME<<<CONFIG>>>(ARGUMENTS): tokens [start, open), (open, close), (paren, end). */
struct launch {
    uint32_t start, open, close, paren, end;
    bool known;    /* NAME is a kernel's */
    bool generic;  /* NAME is a template's or overloaded: it has no address by itself */
    bool defaults; /* NAME's parameters have default arguments, which its address does not have */
    struct restricts restricts; /* NAME's */
};

/* The arguments of a launch, as far as they are known to be one each. */
struct launch_argument {
    uint32_t begin, end; /* tokens [begin, end) */
    bool null;           /* 0 or NULL, and nothing else */
};
enum { LAUNCH_ARGUMENTS_MAX = 64 };
struct launch_arguments {
    struct launch_argument items[LAUNCH_ARGUMENTS_MAX];
    uint32_t count;
    bool any_null;
};

/* The body of a function that runs on the device: tokens (begin, end). `host`: on the host as well. */
struct body {
    uint32_t begin, end;
    bool host;
};

/* One of asm's: its expression is tokens (open, close). */
struct asm_operand {
    uint32_t open, close;
    char letter; /* of its constraint: r, l, f, d, h; n: a constant */
    bool reads, writes;
};

/* asm volatile("PTX" : ...) in device code: tokens [start, end], the last one its parenthesis. */
struct assembly {
    uint32_t start, end;
    struct asm_operand *operands;
    size_t operand_count, operand_room;
    bool is_volatile, memory; /* memory: it is one of the clobbers */
    char *code;               /* what the PTX is in C++ */
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
    struct assembly *assemblies;
    uint32_t assembly_count;
    size_t assembly_room;
    bool uses_heap;                                   /* a kernel allocates */
    bool refuses_later;                               /* errors are the text of a message alone */
    char error[sizeof((struct rewritten *)0)->error]; /* the first */
};

/* Notes an error at a token. */
void rewriter_fail(struct rewriter *r, uint32_t token, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void rewriter_fail_memory(struct rewriter *r);
/* Whether a file that the program includes has the token; the first line says which file is the program. */
bool rewriter_is_in_header(const struct rewriter *r, uint32_t token);

/* declarations.c: qualifiers' edits, in the order of the tokens; also finds the names and the bodies. */
void declarations_read(struct rewriter *r);
/* launches.c: needs the names. Launches come in the order of their `open`. */
void launches_read(struct rewriter *r);
/* 0 and NULL are null pointers only where they stand: given on as arguments they would be integers. None is found
 * among arguments that have a < (a comma may be one of template arguments), a pack, or are too many. */
void launch_arguments_read(const struct tokens *tokens, const struct launch *launch,
                           struct launch_arguments *arguments);
/* ptx.c: needs the bodies. Statements come in the order of the text. */
void ptx_read(struct rewriter *r);
/* Bytes of a register of that constraint's letter; 0: there is none. */
unsigned ptx_register_bytes(char letter);
/* library_calls.c: behind both. */
void library_calls_note(struct rewriter *r);
/* unsupported.c: needs the bodies and the launches. */
void unsupported_check(struct rewriter *r);

#endif
