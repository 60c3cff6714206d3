/* address_form.c - x86-64: a function's code -> the forms of the addresses that it hands to calls.
 *
 * Where a loop brings the atom of a place plus a constant to its own beginning, the place is a counter; what it is in front of the
 * loop takes its place.
 *
 * Decisions. Arithmetic is as of integers without bounds: an index that wraps around is undefined in C where
 * it is signed. Stores through pointers leave the frame's slots as they are: kernels do not point to spilled values.
 */
#include "machine_code/address_form.h"

#include <stdlib.h>

#include "machine_code/function_code.h"

struct counter {
    uint32_t begin; /* the form in front of the loop */
    int64_t step;
};

/* A place at the beginning of a block counts when ways there bring it plus one constant, and the others one
 * form. Where no way adds anything it is that form. */
static bool find_counter(struct function *f, const struct atom *join, struct counter *counter)
{
    uint32_t block = (uint32_t)join->where, own = linear_form_atom(&f->forms, *join);
    *counter = (struct counter){FORM_NONE, 0};
    for (uint32_t from = 0; from < f->block_count; from++) {
        const struct block *way = &f->blocks[from];
        uint32_t brought = way->out[join->which];
        int64_t apart;
        if ((way->next[0] != block && way->next[1] != block) || brought == own ||
            brought == FORM_NONE)
            continue;
        if (linear_form_apart(&f->forms, brought, own, &apart)) {
            if (counter->step && counter->step != apart)
                return false;
            counter->step = apart;
        } else if (counter->begin == FORM_NONE || counter->begin == brought) {
            counter->begin = brought;
        } else {
            return false;
        }
    }
    return counter->begin != FORM_NONE;
}

/* A form, and the counters that were in it. */
struct resolved {
    uint32_t form, count;
    struct {
        uint32_t block, place; /* where it is joined: the loop's first */
        int64_t step;
    } counters[ADDRESS_COUNTERS_MAX];
};

/* Replaces one counter by what it begins with; false when there is none. */
static bool replace_counter(struct function *f, struct resolved *r)
{
    struct counter counter;
    for (uint32_t t = 0; t < f->forms.forms[r->form].count; t++) {
        const struct linear_form *now = &f->forms.forms[r->form];
        const struct atom *atom = &f->forms.atoms[now->terms[t].atom];
        int64_t times = now->terms[t].times;
        if (atom->kind != ATOM_JOIN || !find_counter(f, atom, &counter))
            continue;
        uint32_t replaced = linear_form_replace(&f->forms, r->form, t, counter.begin);
        if (replaced == FORM_NONE || r->count == ADDRESS_COUNTERS_MAX)
            return false;
        if (counter.step) {
            r->counters[r->count].block = (uint32_t)atom->where;
            r->counters[r->count].place = atom->which;
            r->counters[r->count++].step = (int64_t)((uint64_t)times * (uint64_t)counter.step);
        }
        r->form = replaced;
        return true;
    }
    return false;
}

static struct resolved resolve(struct function *f, uint32_t form)
{
    struct resolved resolved = {.form = form};
    for (unsigned left = REPLACED_MAX; form != FORM_NONE && left > 0; left--)
        if (!replace_counter(f, &resolved))
            break;
    return resolved;
}

/* A block jumps back to `head` when it brings that place there as it was, plus a constant. */
static bool jumps_back(struct function *f, uint32_t block, uint32_t head, uint32_t place)
{
    const struct block *b = &f->blocks[block];
    int64_t apart;
    uint32_t own = linear_form_atom(&f->forms, (struct atom){ATOM_JOIN, head, place});
    return (b->next[0] == head || b->next[1] == head) &&
           linear_form_apart(&f->forms, b->out[place], own, &apart);
}

/* The one block that does; BLOCKS_MAX when there are others, or one can leave the loop from within it. */
static uint32_t jump_back_of(struct function *f, uint32_t head, uint32_t place)
{
    uint32_t back = BLOCKS_MAX;
    for (uint32_t b = 0; b < f->block_count; b++) {
        if (!jumps_back(f, b, head, place))
            continue;
        if (back != BLOCKS_MAX || b < head)
            return BLOCKS_MAX;
        back = b;
    }
    for (uint32_t b = head; back != BLOCKS_MAX && b < back; b++)
        for (unsigned way = 0; way < 2; way++)
            if (f->blocks[b].next[way] != BLOCKS_MAX &&
                (f->blocks[b].next[way] < head || f->blocks[b].next[way] > back))
                return BLOCKS_MAX;
    return back;
}

/* The two forms that the branch at the end of a block compares; false when it is of another kind. */
static bool compared(struct function *f, uint32_t block, uint32_t forms[2])
{
    const struct block *b = &f->blocks[block];
    uint32_t flags = b->end - 1, places[PLACES];
    if (f->instructions[flags].kind != CODE_BRANCH)
        return false;
    while (flags > b->first && !f->instructions[flags].effect.flags)
        flags--;
    const struct instruction *i = &f->instructions[flags];
    function_join(f, block, places);
    for (uint32_t at = b->first; at < flags + (i->effect.kind != EFFECT_COMPARE); at++)
        function_step(f, &f->instructions[at], places);
    bool is_sum = i->effect.kind == EFFECT_SUM;
    forms[0] = function_form(f, i, is_sum ? i->effect.to : i->effect.from[0], places);
    forms[1] = is_sum ? FORM_ZERO : function_form(f, i, i->effect.from[1], places);
    return i->effect.flags && (is_sum || i->effect.kind == EFFECT_COMPARE);
}

/* Behind the jump back to a loop's first block, if the loop goes round a constant number of times: its counter is compared with
 * what is a constant away from where it began. 0 otherwise. */
static size_t constant_end(struct function *f, uint32_t head, uint32_t place)
{
    uint32_t back = jump_back_of(f, head, place), forms[2];
    int64_t apart;
    if (back == BLOCKS_MAX || !compared(f, back, forms))
        return 0;
    struct resolved one = resolve(f, forms[0]), other = resolve(f, forms[1]);
    bool counts = one.count + other.count == 1 &&
                  (one.count ? one.counters[0].block : other.counters[0].block) == head;
    const struct instruction *last = &f->instructions[f->blocks[back].end - 1];
    return counts && linear_form_apart(&f->forms, one.form, other.form, &apart)
               ? last->at + last->bytes
               : 0;
}

struct report {
    void (*found)(void *context, const struct address_form *form);
    void *context;
};

/* A base is a form without its constant: the number of the one whose constant is 0. */
static uint32_t base_of(struct function *f, uint32_t form)
{
    return linear_form_sum(&f->forms, form, FORM_ZERO, 0,
                           (int64_t)(0 - (uint64_t)f->forms.forms[form].constant),
                           (struct atom){ATOM_RESULT, 0, 0});
}

/* It is made of constants, the kernel's parameters and variables that are not the thread's own. */
static bool is_uniform(const struct function *f, const struct resolved *resolved)
{
    const struct linear_form *form = &f->forms.forms[resolved->form];
    for (uint32_t i = 0; i < form->count; i++) {
        const struct atom *atom = &f->forms.atoms[form->terms[i].atom];
        const bool is_index = atom->where - f->calls->thread_index <
                              f->calls->thread_index_end - f->calls->thread_index;
        if (atom->kind != ATOM_ENTRY && atom->kind != ATOM_DYNAMIC && atom->kind != ATOM_THREAD &&
            (atom->kind != ATOM_VARIABLE || is_index))
            return false;
    }
    return true;
}

static void report_call(const struct report *report, struct function *f, uint32_t block,
                        const struct instruction *call, uint32_t form)
{
    struct address_form to = {.at = call->at + call->bytes, .block = f->blocks[block].straight};
    if (form == FORM_NONE || function_calls(call, f->calls->block_begins))
        return;
    struct resolved resolved = resolve(f, form);
    to.base = base_of(f, resolved.form);
    to.log2 = (uint8_t)linear_form_log2(&f->forms, resolved.form);
    to.is_uniform = is_uniform(f, &resolved);
    to.constant = f->forms.forms[resolved.form].constant;
    to.counter_count = resolved.count;
    for (uint32_t i = 0; i < resolved.count; i++) {
        to.counters[i].head = f->blocks[resolved.counters[i].block].begins;
        to.counters[i].end =
            constant_end(f, resolved.counters[i].block, resolved.counters[i].place);
        to.counters[i].step = resolved.counters[i].step;
    }
    if (!f->forms.is_full)
        report->found(report->context, &to);
}

static void report_block(struct function *f, uint32_t number, const struct report *report)
{
    const struct block *block = &f->blocks[number];
    uint32_t places[PLACES];
    function_join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *instruction = &f->instructions[i];
        if (instruction->kind == CODE_CALL)
            report_call(report, f, number, instruction, places[DI]);
        function_step(f, instruction, places);
    }
}

bool address_forms_x86_64(const uint8_t *code, size_t room, size_t entry,
                          const struct address_calls *calls,
                          void (*found)(void *context, const struct address_form *form),
                          void *context)
{
    struct report report = {found, context};
    struct function *f = calloc(1, sizeof *f);
    if (f == NULL)
        return false;
    f->code = code;
    f->room = room;
    f->entry = entry;
    f->calls = calls;
    linear_forms_begin(&f->forms);
    function_read(f);
    if (!f->is_lost)
        function_find_forms(f);
    if (!f->is_lost)
        function_find_straight(f);
    for (uint32_t b = 0; b < f->block_count && !f->is_lost; b++)
        report_block(f, b, &report);
    free(f);
    return true;
}
