/* function_forms.c - x86-64: what the registers of a function, and the slots of its frame, hold where its blocks begin.
 *
 * Each place has the form that all ways to the block bring, or an atom of its own. That is done over and over until
 * nothing changes.
 */
#include <string.h>

#include "machine_code/function_code.h"

/* The number of a place that is followed; PLACES for others. */
static uint32_t place_number(struct function *f, int64_t place)
{
    uint32_t i = 0;
    if (place >= 0 && place < REGISTERS)
        return (uint32_t)place;
    if (place < PLACE_SLOT / 2)
        return PLACES;
    while (i < f->slot_count && f->slots[i] != place)
        i++;
    if (i == SLOTS_MAX)
        return PLACES;
    if (i == f->slot_count)
        f->slots[f->slot_count++] = place;
    return REGISTERS + i;
}

static uint32_t result_of(struct function *f, const struct instruction *i, uint32_t which)
{
    return linear_form_atom(&f->forms, (struct atom){ATOM_RESULT, i->at, which});
}

static uint32_t variable(struct function *f, const struct instruction *i)
{
    const struct code_effect *effect = &i->effect;
    if (effect->of_thread && effect->variable == 0) /* which holds its own address */
        return linear_form_atom(&f->forms, (struct atom){ATOM_THREAD, 0, 0});
    if (effect->of_thread)
        return result_of(f, i, RESULT_MEMORY);
    uint64_t where = (uint64_t)effect->variable + (effect->relative ? i->at : 0);
    if (effect->is_address) /* those of one array are apart by a constant */
        return linear_form_sum(
            &f->forms, linear_form_atom(&f->forms, (struct atom){ATOM_CODE, 0, 0}), FORM_ZERO, 0,
            (int64_t)where, (struct atom){ATOM_VARIABLE, where, effect->relative});
    return linear_form_atom(&f->forms, (struct atom){ATOM_VARIABLE, where, effect->relative});
}

uint32_t function_form(struct function *f, const struct instruction *i, int64_t place,
                       const uint32_t *places)
{
    if (place == PLACE_NONE)
        return FORM_ZERO;
    if (place == PLACE_FIXED)
        return variable(f, i);
    uint32_t number = place_number(f, place);
    return number < PLACES ? places[number] : result_of(f, i, RESULT_MEMORY);
}

static uint32_t sum_of(struct function *f, const struct instruction *i, const uint32_t *places)
{
    const struct code_effect *e = &i->effect;
    struct atom otherwise = {ATOM_RESULT, i->at, RESULT_SUM};
    if (e->kind == EFFECT_SUM)
        return linear_form_sum(&f->forms, function_form(f, i, e->from[0], places),
                               function_form(f, i, e->from[1], places), e->factor, e->plus,
                               otherwise);
    if (e->times == 0)
        return linear_form_sum(&f->forms, FORM_ZERO, result_of(f, i, RESULT_MIX),
                               (int64_t)1 << e->zero_bits, 0, otherwise);
    int64_t from = e->from[0] == PLACE_NONE ? e->from[1] : e->from[0];
    return linear_form_sum(&f->forms, FORM_ZERO, function_form(f, i, from, places), e->times,
                           e->plus, otherwise);
}

void function_step(struct function *f, const struct instruction *i, uint32_t *places)
{
    const struct code_effect *effect = &i->effect;
    for (uint32_t r = 0; effect->kind == EFFECT_CLOBBER && r < REGISTERS; r++)
        if (effect->registers >> r & 1U)
            places[r] = result_of(f, i, r);
    if (function_calls(i, f->calls->dynamic_shared))
        places[AX] = linear_form_atom(&f->forms, (struct atom){ATOM_DYNAMIC, 0, 0});
    if (effect->kind != EFFECT_SUM && effect->kind != EFFECT_MIX)
        return;
    uint32_t form = sum_of(f, i, places), to = place_number(f, effect->to);
    if (to < PLACES)
        places[to] = form;
}

static void bring(struct function *f, uint32_t block, uint32_t place, uint32_t brought,
                  uint32_t *form)
{
    struct atom own = {ATOM_JOIN, block, place};
    bool *joined = &f->blocks[block].joined[place];
    if (brought == FORM_NONE || (brought == *form && !*joined) ||
        linear_form_is_atom(&f->forms, brought, own))
        return;
    bool differs = *form != FORM_NONE;
    *form = differs || *joined ? linear_form_atom(&f->forms, own) : brought;
    *joined |= differs && f->round >= ROUNDS_FREE;
}

/* The places' forms at the beginning of a block: what the ways there bring that bring another than the block's own
 * atom; that atom when they differ. */
void function_join(struct function *f, uint32_t block, uint32_t *places)
{
    for (uint32_t p = 0; p < PLACES; p++)
        places[p] =
            block == 0 ? linear_form_atom(&f->forms, (struct atom){ATOM_ENTRY, 0, p}) : FORM_NONE;
    for (uint32_t from = 0; from < f->block_count; from++) {
        const struct block *way = &f->blocks[from];
        if (way->next[0] != block && way->next[1] != block)
            continue;
        for (uint32_t p = 0; p < PLACES; p++)
            bring(f, block, p, way->out[p], &places[p]);
    }
}

void function_find_forms(struct function *f)
{
    bool changed = true;
    for (; changed && !f->forms.is_full; f->round++) {
        f->is_lost |= f->round == ROUNDS_MAX;
        if (f->is_lost)
            return;
        changed = false;
        for (uint32_t b = 0; b < f->block_count; b++) {
            uint32_t places[PLACES];
            function_join(f, b, places);
            for (uint32_t i = f->blocks[b].first; i < f->blocks[b].end; i++)
                function_step(f, &f->instructions[i], places);
            changed |= memcmp(places, f->blocks[b].out, sizeof places) != 0;
            memcpy(f->blocks[b].out, places, sizeof places);
        }
    }
    f->is_lost |= f->forms.is_full;
}
