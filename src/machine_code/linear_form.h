/* linear_form.h - sums of multiples of values that are not known, and a constant: what machine code makes
 * addresses of.
 *
 * A form is a number: equal forms have the same one. What is not known is an atom: a value that an instruction
 * has computed, a variable, or a place at the beginning of a block that several ways lead to.
 */
#ifndef WARPLENS_MACHINE_CODE_LINEAR_FORM_H
#define WARPLENS_MACHINE_CODE_LINEAR_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORM_TERMS_MAX = 6, FORMS_MAX = 32000, ATOMS_MAX = 32000 };

/* Numbers of forms. None is what nothing is known of yet. */
enum { FORM_NONE, FORM_ZERO };

enum atom_kind {
    ATOM_RESULT,   /* of the instruction `where`; `which` tells its results apart */
    ATOM_VARIABLE, /* the program's at the address `where` */
    ATOM_ENTRY,    /* the place `which` when the function is entered */
    ATOM_THREAD,   /* where the thread's own memory ends: a multiple of FORM_ALIGNED bytes */
    ATOM_DYNAMIC,  /* where dynamic shared memory begins: as well */
    ATOM_CODE,     /* where the code begins: addresses of variables are that and a constant */
    ATOM_JOIN, /* the place `which` at the beginning of block `where`: its ways there bring other forms */
};
enum { FORM_ALIGNED_LOG2 = 4 };

struct atom {
    enum atom_kind kind;
    uint64_t where;
    uint32_t which;
};

struct linear_form {
    int64_t constant;
    uint32_t count; /* of the terms, in the order of their atoms */
    struct {
        uint32_t atom;
        int64_t times; /* never 0 */
    } terms[FORM_TERMS_MAX];
};

struct linear_forms {
    struct linear_form forms[FORMS_MAX];
    struct atom atoms[ATOMS_MAX];
    uint32_t form_count, atom_count;
    uint16_t form_of[2 * FORMS_MAX], atom_of[2 * ATOMS_MAX]; /* by a hash: number + 1 */
    bool is_full; /* something did not fit: what was asked for is FORM_NONE */
};

/* `forms` is all zero. */
void linear_forms_begin(struct linear_forms *forms);
uint32_t linear_form_atom(struct linear_forms *forms, struct atom atom);
/* Whether that form is that atom. */
bool linear_form_is_atom(const struct linear_forms *forms, uint32_t form, struct atom atom);
/* a + times * b + constant; `otherwise` when that has too many terms. */
uint32_t linear_form_sum(struct linear_forms *forms, uint32_t a, uint32_t b, int64_t times,
                         int64_t constant, struct atom otherwise);
/* `form` with the term `term` of it replaced by as many times `by`; FORM_NONE when that has too many terms. */
uint32_t linear_form_replace(struct linear_forms *forms, uint32_t form, uint32_t term, uint32_t by);
/* Whether a is b and a constant, which *apart is then. */
bool linear_form_apart(const struct linear_forms *forms, uint32_t a, uint32_t b, int64_t *apart);
/* Everything but the constant is a multiple of two to this, FORM_ALIGNED_LOG2 at most. */
unsigned linear_form_log2(const struct linear_forms *forms, uint32_t form);

#endif
