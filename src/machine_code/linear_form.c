/* linear_form.c - sums of multiples of values that are not known, kept once each. */
#include "machine_code/linear_form.h"

#include <string.h>

/* Code may compute anything: sums and products wrap around, as the processor's do. */
static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t product(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct linear_form *form)
{
    uint64_t hash = mix(form->count, (uint64_t)form->constant);
    for (uint32_t i = 0; i < form->count; i++)
        hash = mix(mix(hash, form->terms[i].atom), (uint64_t)form->terms[i].times);
    return hash;
}

static bool terms_are_equal(const struct linear_form *a, const struct linear_form *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->terms[i].atom != b->terms[i].atom || a->terms[i].times != b->terms[i].times)
            return false;
    return true;
}

/* The number of a form. */
static uint32_t keep(struct linear_forms *forms, const struct linear_form *form)
{
    uint64_t at = hash_of(form);
    for (;; at++) {
        uint16_t *slot = &forms->form_of[at % (2 * FORMS_MAX)];
        if (*slot == 0 && forms->form_count == FORMS_MAX) {
            forms->is_full = true;
            return FORM_NONE;
        }
        if (*slot == 0) {
            forms->forms[forms->form_count] = *form;
            *slot = (uint16_t)++forms->form_count;
            return forms->form_count - 1;
        }
        const struct linear_form *known = &forms->forms[*slot - 1];
        if (known->constant == form->constant && terms_are_equal(known, form))
            return *slot - 1U;
    }
}

void linear_forms_begin(struct linear_forms *forms)
{
    struct linear_form zero = {.constant = 0};
    forms->form_count = 1; /* FORM_NONE, which no hash leads to */
    keep(forms, &zero);
}

static bool atoms_are_equal(const struct atom *a, const struct atom *b)
{
    return a->kind == b->kind && a->where == b->where && a->which == b->which;
}

uint32_t linear_form_atom(struct linear_forms *forms, struct atom atom)
{
    uint64_t at = mix(mix(atom.kind, atom.where), atom.which);
    for (;; at++) {
        uint16_t *slot = &forms->atom_of[at % (2 * ATOMS_MAX)];
        if (*slot == 0 && forms->atom_count == ATOMS_MAX) {
            forms->is_full = true;
            return FORM_NONE;
        }
        if (*slot == 0) {
            forms->atoms[forms->atom_count] = atom;
            *slot = (uint16_t)++forms->atom_count;
        }
        if (atoms_are_equal(&forms->atoms[*slot - 1], &atom)) {
            struct linear_form form = {.count = 1, .terms = {{*slot - 1U, 1}}};
            return keep(forms, &form);
        }
    }
}

bool linear_form_is_atom(const struct linear_forms *forms, uint32_t form, struct atom atom)
{
    const struct linear_form *f = &forms->forms[form];
    return f->constant == 0 && f->count == 1 && f->terms[0].times == 1 &&
           atoms_are_equal(&forms->atoms[f->terms[0].atom], &atom);
}

/* Adds a term where its atom's place is; false when there is no room. */
static bool add_term(struct linear_form *form, uint32_t atom, int64_t times)
{
    uint32_t at = 0;
    while (at < form->count && form->terms[at].atom < atom)
        at++;
    if (at < form->count && form->terms[at].atom == atom) {
        form->terms[at].times = plus(form->terms[at].times, times);
        if (form->terms[at].times == 0)
            memmove(&form->terms[at], &form->terms[at + 1],
                    (--form->count - at) * sizeof form->terms[0]);
        return true;
    }
    if (form->count == FORM_TERMS_MAX || times == 0)
        return times == 0;
    memmove(&form->terms[at + 1], &form->terms[at], (form->count++ - at) * sizeof form->terms[0]);
    form->terms[at].atom = atom;
    form->terms[at].times = times;
    return true;
}

static bool add_times(struct linear_form *to, const struct linear_form *form, int64_t times)
{
    to->constant = plus(to->constant, product(times, form->constant));
    for (uint32_t i = 0; i < form->count && times; i++)
        if (!add_term(to, form->terms[i].atom, product(times, form->terms[i].times)))
            return false;
    return true;
}

uint32_t linear_form_sum(struct linear_forms *forms, uint32_t a, uint32_t b, int64_t times,
                         int64_t constant, struct atom otherwise)
{
    if (a == FORM_NONE || b == FORM_NONE)
        return FORM_NONE;
    struct linear_form sum = forms->forms[a];
    sum.constant = plus(sum.constant, constant);
    return add_times(&sum, &forms->forms[b], times) ? keep(forms, &sum)
                                                    : linear_form_atom(forms, otherwise);
}

uint32_t linear_form_replace(struct linear_forms *forms, uint32_t form, uint32_t term, uint32_t by)
{
    struct linear_form sum = forms->forms[form];
    int64_t times = sum.terms[term].times;
    add_term(&sum, sum.terms[term].atom, product(-1, times));
    return by != FORM_NONE && add_times(&sum, &forms->forms[by], times) ? keep(forms, &sum)
                                                                        : FORM_NONE;
}

bool linear_form_apart(const struct linear_forms *forms, uint32_t a, uint32_t b, int64_t *apart)
{
    const struct linear_form *x = &forms->forms[a], *y = &forms->forms[b];
    *apart = plus(x->constant, product(-1, y->constant));
    return a != FORM_NONE && b != FORM_NONE && terms_are_equal(x, y);
}

unsigned linear_form_log2(const struct linear_forms *forms, uint32_t form)
{
    unsigned log2 = FORM_ALIGNED_LOG2;
    const struct linear_form *f = &forms->forms[form];
    for (uint32_t i = 0; i < f->count; i++) {
        enum atom_kind kind = forms->atoms[f->terms[i].atom].kind;
        unsigned bits = (unsigned)__builtin_ctzll((uint64_t)f->terms[i].times);
        bits += kind == ATOM_THREAD || kind == ATOM_DYNAMIC ? FORM_ALIGNED_LOG2 : 0;
        log2 = bits < log2 ? bits : log2;
    }
    return log2;
}
