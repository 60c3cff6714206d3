/* ptx.h - inline PTX of device code -> C++, the inside.
 *
 *   ptx.c          asm statements in the tokens: operands, the text of the template
 *   text.c         that text -> statements -> words
 *   instruction.c  one instruction by the table ptx.def, and what operands are in C++
 *   forms.c        instructions of other forms: moves, comparisons, conversions, warp operations
 *   access.c       ld, st, atom, red
 *   copies.c       cp.async
 *   bulk.c         cp.async.bulk; mbarrier.c: barriers in shared memory; cluster.c: other blocks of a cluster
 *   labels.c       labels, which jumps of the same statement go to
 *   matrix.c       ldmatrix, stmatrix, mma; warpgroup.c: wgmma
 *
 *   asm volatile("add.u32 %0, %1, 5;" : "=r"(d) : "r"(a));
 *   do { auto &wl_to0 = d; wl::ptx::reg32 wl_0; wl::ptx::reg32 wl_1 = wl::ptx::word<4>(a);
 *        wl::ptx::set(wl_0, wl::ptx::add<unsigned>(wl::ptx::as<unsigned>(wl_1), (unsigned)(5)));
 *        wl::ptx::back(wl_to0, wl_0); } while (0);
 *
 * Registers are unsigned words; an instruction reads them as its type says. All of a statement is written on its
 * first line.
 */
#ifndef WARPLENS_CU_PTX_H
#define WARPLENS_CU_PTX_H

#include "cu/rewriter.h"

enum {
    PTX_OPERANDS_MAX = 512, /* of a statement: wgmma alone has 128 registers and more */
    PTX_PARTS_MAX = 12,     /* of an instruction's name */
    PTX_ARGUMENTS_MAX = 8,
    PTX_LANES_MAX = 4,      /* of a vector operand */
    PTX_DIMENSIONS_MAX = 5, /* of a tensor map */
};

/* A piece of the template. */
struct ptx_word {
    const char *at;
    size_t length;
};

/* Text that grows. */
struct ptx_text {
    char *bytes;
    size_t length, room;
    bool failed; /* no memory */
};
void ptx_put(struct ptx_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One statement on its way. */
struct ptx {
    struct rewriter *r;
    struct ptx_text out;
    const struct assembly *statement;
    bool is_volatile;
    uint32_t token;             /* of the literal that the instruction stands in, for messages */
    struct ptx_word *registers; /* declared in the template */
    size_t register_count, register_room;
    struct ptx_text labels, jumps; /* that it has, and where to; each name with a space behind it */
};

/* name.part.part a, {b, c}, [d+4]; `guard` is @p or @!p. */
struct ptx_instruction {
    struct ptx_word whole, guard; /* whole: the name with its parts */
    struct ptx_word parts[PTX_PARTS_MAX];
    unsigned part_count;
    struct ptx_word arguments[PTX_ARGUMENTS_MAX];
    unsigned argument_count;
};

/* text.c. False: the text is not of that form. */
bool ptx_instruction_read(struct ptx_word text, struct ptx_instruction *instruction);
/* The words between `open` and `close` of an argument, at its commas; 0 when it is no such list. */
unsigned ptx_list(struct ptx_word argument, struct ptx_word *lanes, unsigned most);
bool ptx_is(struct ptx_word word, const char *text);
bool ptx_begins(struct ptx_word word, const char *text);
struct ptx_word ptx_trim(struct ptx_word word);
/* Whether `text`, words that end with a space each, has the word. */
bool ptx_has(const char *text, struct ptx_word word);

/* instruction.c */
void ptx_refuse(struct ptx *p, struct ptx_word what, const char *why);
/* One instruction, or a declaration of registers. */
void ptx_translate(struct ptx *p, struct ptx_word text);
/* The C++ type that a PTX type is read as, and its bytes (0: a predicate's); NULL when it is none. */
const char *ptx_type(struct ptx_word name, unsigned *bytes);
/* Writes an argument as a value of a C++ type, or as the register itself; false, with a message, when it is neither
 * register nor number. */
bool ptx_put_value(struct ptx *p, struct ptx_word argument, const char *type);
bool ptx_put_register(struct ptx *p, struct ptx_word argument);
/* %3: the number of a statement's operand, or -1. */
int ptx_operand(const struct ptx *p, struct ptx_word word);
/* Text of the table's function: the name with _ for each dot. */
void ptx_put_name(struct ptx *p, struct ptx_word name);

/* access.c: [a] or [a+4]: `wl_at`, a pointer to `word`, is the address in a state space ("generic", "shared", ...). False:
 * the argument is of another form. */
bool ptx_put_address(struct ptx *p, const char *space, const char *word, struct ptx_word argument);

/* forms.c, access.c, matrix.c. False: it is none of theirs. */
bool ptx_form(struct ptx *p, const struct ptx_instruction *instruction);
bool ptx_access(struct ptx *p, const struct ptx_instruction *instruction);
/* copies.c: cp.async. */
bool ptx_copy(struct ptx *p, const struct ptx_instruction *instruction);
/* bulk.c: cp.async.bulk and what goes with it. */
bool ptx_bulk(struct ptx *p, const struct ptx_instruction *instruction);
/* ... an address "[d+16]" as a pointer; set(register, unless that is "_"; the first part from `k` on that is not in `words`. */
bool ptx_put_pointer(struct ptx *p, const char *space, struct ptx_word argument);
bool ptx_put_set(struct ptx *p, struct ptx_word argument);
unsigned ptx_skip(const struct ptx_instruction *instruction, unsigned k, const char *words);
/* cluster.c: mapa, barrier.cluster, st.async and their like. */
bool ptx_cluster(struct ptx *p, const struct ptx_instruction *instruction);
bool ptx_mbarrier(struct ptx *p, const struct ptx_instruction *instruction);
bool ptx_bar(struct ptx *p, const struct ptx_instruction *instruction);
/* labels.c: what labels a statement has, and the instruction behind one; a jump; and all of them, when the text is translated. */
void ptx_put_labels(struct ptx *p, struct ptx_word text);
void ptx_put_label(struct ptx *p, struct ptx_word name);
void ptx_declare_labels(struct ptx *p);
/* forms.c: "d|p", two destinations; without the second it has no length. */
void ptx_split_destination(struct ptx_word argument, struct ptx_word *first,
                           struct ptx_word *second);
/* matrix.c: ends the launch on a GPU before that compute capability. */
void ptx_put_needs(struct ptx *p, struct ptx_word name, int sm);
/* access.c. `[base+offset]`; false: it is no such argument. */
bool ptx_read_address(struct ptx_word argument, struct ptx_word *base, struct ptx_word *offset);
bool ptx_matrix(struct ptx *p, const struct ptx_instruction *instruction);
/* warpgroup.c: wgmma. */
bool ptx_warpgroup(struct ptx *p, const struct ptx_instruction *instruction);

#endif
