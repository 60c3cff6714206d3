/* address_form.c - x86-64: a function's code -> the forms of the addresses that it hands to calls.
 *
 * Decisions. Arithmetic is as of integers without bounds: an index that wraps around is undefined in C where
 * it is signed. Stores through pointers leave the frame's slots as they are: kernels do not point to spilled values.
 */
#include "machine_code/address_form.h"

#include <stdlib.h>

#include "machine_code/function_code.h"

/* A base is a form without its constant: the number of the one whose constant is 0. */
static uint32_t base_of(struct function *f, uint32_t form)
{
    return linear_form_sum(&f->forms, form, FORM_ZERO, 0,
                           (int64_t)(0 - (uint64_t)f->forms.forms[form].constant),
                           (struct atom){ATOM_RESULT, 0, 0});
}

static bool is_index(const struct function *f, const struct atom *atom)
{
    return atom->where - f->calls->thread_index <
           f->calls->thread_index_end - f->calls->thread_index;
}

bool function_has_index(const struct function *f, uint32_t form)
{
    for (uint32_t i = 0; form != FORM_NONE && i < f->forms.forms[form].count; i++) {
        const struct atom *atom = &f->forms.atoms[f->forms.forms[form].terms[i].atom];
        if (atom->kind == ATOM_VARIABLE && is_index(f, atom))
            return true;
    }
    return false;
}

bool function_is_uniform(const struct function *f, const struct resolved *resolved)
{
    const struct linear_form *form = &f->forms.forms[resolved->form];
    for (uint32_t i = 0; i < form->count; i++) {
        const struct atom *atom = &f->forms.atoms[form->terms[i].atom];
        if (atom->kind != ATOM_ENTRY && atom->kind != ATOM_DYNAMIC && atom->kind != ATOM_THREAD &&
            atom->kind != ATOM_CODE && (atom->kind != ATOM_VARIABLE || is_index(f, atom)))
            return false;
    }
    return true;
}

static void report_counters(struct function *f, const struct resolved *resolved,
                            struct address_form *to)
{
    to->counter_count = resolved->count;
    for (uint32_t i = 0; i < resolved->count; i++) {
        const uint32_t block = resolved->counters[i].block;
        to->counters[i].head = f->blocks[block].begins;
        to->counters[i].end = function_constant_end(f, block, resolved->counters[i].place);
        to->counters[i].step = resolved->counters[i].step;
    }
}

static size_t end_of(const struct function *f, const struct natural_loop *loop)
{
    size_t end = 0;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct instruction *last = &f->instructions[f->blocks[b].end - 1];
        if (function_has_block(loop, b) && last->at + last->bytes > end)
            end = last->at + last->bytes;
    }
    return end;
}

static void report_fixed(const struct function *f, uint32_t block, uint32_t base,
                         struct address_form *to)
{
    const struct natural_loop *fixed = NULL, *loop = NULL;
    while ((loop = function_loop_around(f, block, loop)) != NULL && !function_varies(f, loop, base))
        fixed = loop;
    if (fixed == NULL)
        return;
    to->fixed_head = f->blocks[fixed->head].begins;
    to->fixed_bytes = (uint32_t)(end_of(f, fixed) - to->fixed_head);
}

static void report_call(const struct address_listener *listener, struct function *f, uint32_t block,
                        const struct instruction *call, const uint32_t *places)
{
    struct address_form to = {.at = call->at + call->bytes,
                              .block = f->blocks[block].straight,
                              .region = f->blocks[block].region,
                              .is_behind_branch = f->blocks[block].is_behind_branch};
    const uint32_t form = places[DI];
    if (form == FORM_NONE || function_calls(call, f->calls->block_begins))
        return;
    struct resolved resolved = function_resolve(f, form);
    to.base = base_of(f, resolved.form);
    to.log2 = (uint8_t)linear_form_log2(&f->forms, resolved.form);
    to.is_uniform = function_is_uniform(f, &resolved);
    to.frame = function_hands_frame(f, call, places)
                   ? ADDRESS_FRAME_VARIES
                   : function_frame(f, &resolved, &to.frame_low, &to.frame_high);
    to.constant = f->forms.forms[resolved.form].constant;
    function_find_kept(f, block, call, &resolved, &to);
    report_counters(f, &resolved, &to);
    report_fixed(f, block, resolved.form, &to);
    if (!f->forms.is_full)
        listener->found(listener->context, &to);
}

static void report_block(struct function *f, uint32_t number,
                         const struct address_listener *listener)
{
    const struct block *block = &f->blocks[number];
    uint32_t places[PLACES];
    function_join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *instruction = &f->instructions[i];
        if (instruction->kind == CODE_CALL)
            report_call(listener, f, number, instruction, places);
        function_step(f, instruction, places);
    }
}

static bool is_straight(const struct function *f, const struct natural_loop *loop)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        if (function_has_block(loop, b) && f->blocks[b].is_behind_branch)
            return false;
    return true;
}

static void report_loops(struct function *f, const struct address_listener *listener)
{
    uint64_t rounds;
    for (uint32_t l = 0; listener->found_loop && l < f->loop_count; l++) {
        const struct natural_loop *loop = &f->loops[l];
        const struct address_loop to = {.head = f->blocks[loop->head].begins,
                                        .is_constant =
                                            function_is_constant_loop(f, loop->head, &rounds),
                                        .most = function_most_of_loop(f, loop),
                                        .is_straight = is_straight(f, loop),
                                        .size = function_size_of_loop(f, loop)};
        if (to.head)
            listener->found_loop(listener->context, &to);
    }
}

static void report_all(struct function *f, const struct address_listener *listener)
{
    struct behind *behind = function_find_behind(f);
    function_find_straight(f);
    function_find_loops(f);
    if (behind)
        function_find_regions(f, behind);
    for (uint32_t b = 0; b < f->block_count; b++)
        report_block(f, b, listener);
    report_loops(f, listener);
    if (behind)
        function_find_branch_costs(f, behind, listener);
    function_find_spared(f, listener);
    if (behind)
        function_find_needed(f, behind, listener);
    free(behind);
}

bool address_forms_x86_64(const uint8_t *code, size_t room, size_t entry,
                          const struct address_calls *calls,
                          const struct address_listener *listener)
{
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
        report_all(f, listener);
    free(f);
    return true;
}
