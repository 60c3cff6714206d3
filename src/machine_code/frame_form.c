/* frame_form.c - x86-64: which addresses are of the function's frame, and which of them a compiler for GPUs knows.
 *
 * Local arrays lie in the frame. A compiler for GPUs has one in registers if all its indices are constants once loops are unrolled;
 * nvcc 13 unrolls all that go round a constant number of times and whose array fits the registers, asked for or not (asked with
 * arrays of 4 to 256 words in one loop and in two). One index that is not, or a function that is called with the address, and
 * the array is in local memory.
 *
 * A place is known when it is made of constants and counters of such loops alone, by any operations (`stage & 1`) but those that
 * depend on a comparison.
 */
#include "machine_code/function_code.h"

enum {
    DEPTH_MAX = 8,    /* results made of results */
    CALLEE_BYTES = 96 /* a function that makes accesses announces itself within them */
};

/* The block of an instruction; BLOCKS_MAX when it is not the function's. */
static uint32_t block_of(const struct function *f, uint32_t number)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        if (number - f->blocks[b].first < f->blocks[b].end - f->blocks[b].first)
            return b;
    return BLOCKS_MAX;
}

/* The instruction at a place in the code, by its number; f->count when there is none. */
static uint32_t instruction_at(const struct function *f, size_t at)
{
    uint32_t low = 0, high = f->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (f->instructions[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->count && f->instructions[low].at == at ? low : f->count;
}

uint32_t function_block_at(const struct function *f, size_t at)
{
    return block_of(f, instruction_at(f, at));
}

/* What an instruction has mixed a result of. False when it is no such result. */
static bool find_mixed(struct function *f, const struct atom *atom, uint32_t forms[2])
{
    if (atom->kind != ATOM_RESULT || atom->which != RESULT_MIX)
        return false;
    const uint32_t number = instruction_at(f, atom->where), block = block_of(f, number);
    const struct instruction *i = &f->instructions[number];
    uint32_t places[PLACES];
    if (block == BLOCKS_MAX || i->effect.kind != EFFECT_MIX)
        return false;
    function_join(f, block, places);
    for (uint32_t at = f->blocks[block].first; at < number; at++)
        function_step(f, &f->instructions[at], places);
    for (unsigned way = 0; way < 2; way++)
        forms[way] = function_form(f, i, i->effect.from[way], places);
    return !f->forms.is_full;
}

/* ---- Whether an address is of the frame ------------------------------------------------------- */

static bool join_reaches_frame(struct function *f, const struct atom *join, unsigned *steps)
{
    struct counter counter;
    if (function_find_counter(f, join, &counter))
        return function_reaches_frame(f, counter.begin, steps);
    for (uint32_t from = 0; from < f->block_count; from++) {
        const struct block *way = &f->blocks[from];
        if ((way->next[0] == join->where || way->next[1] == join->where) &&
            function_reaches_frame(f, way->out[join->which], steps))
            return true;
    }
    return false;
}

static bool atom_reaches_frame(struct function *f, struct atom atom, unsigned *steps)
{
    uint32_t mixed[2];
    if (atom.kind == ATOM_ENTRY)
        return atom.which == SP;
    if (atom.kind == ATOM_JOIN)
        return join_reaches_frame(f, &atom, steps);
    return find_mixed(f, &atom, mixed) && (function_reaches_frame(f, mixed[0], steps) ||
                                           function_reaches_frame(f, mixed[1], steps));
}

bool function_reaches_frame(struct function *f, uint32_t form, unsigned *steps)
{
    for (uint32_t t = 0; form != FORM_NONE && t < f->forms.forms[form].count; t++) {
        const struct atom atom = f->forms.atoms[f->forms.forms[form].terms[t].atom];
        if (*steps == 0)
            return false;
        --*steps;
        if (atom_reaches_frame(f, atom, steps))
            return true;
    }
    return false;
}

/* ---- Whether its place is known --------------------------------------------------------------- */

static bool is_known(struct function *f, uint32_t form, unsigned depth);

static bool counter_is_known(struct function *f, const struct atom *atom, unsigned depth)
{
    struct counter counter;
    uint64_t rounds;
    return function_find_counter(f, atom, &counter) &&
           (counter.step == 0 ||
            function_counts_constantly(f, (uint32_t)atom->where, atom->which, &rounds)) &&
           is_known(f, counter.begin, depth - 1);
}

static bool atom_is_known(struct function *f, struct atom atom, unsigned depth)
{
    uint32_t mixed[2];
    if (depth == 0)
        return false;
    if (atom.kind == ATOM_ENTRY)
        return atom.which == SP;
    if (atom.kind == ATOM_JOIN)
        return counter_is_known(f, &atom, depth);
    return find_mixed(f, &atom, mixed) &&
           !f->instructions[instruction_at(f, atom.where)].effect.by_flags &&
           is_known(f, mixed[0], depth - 1) && is_known(f, mixed[1], depth - 1);
}

static bool is_known(struct function *f, uint32_t form, unsigned depth)
{
    bool known = form != FORM_NONE;
    for (uint32_t t = 0; known && t < f->forms.forms[form].count; t++)
        known = atom_is_known(f, f->forms.atoms[f->forms.forms[form].terms[t].atom], depth);
    return known;
}

enum address_frame function_frame(struct function *f, const struct resolved *resolved, int64_t *low,
                                  int64_t *high)
{
    unsigned steps = FRAME_STEPS_MAX;
    uint64_t rounds = 0;
    if (!function_reaches_frame(f, resolved->form, &steps))
        return ADDRESS_ELSEWHERE;
    *low = *high = f->forms.forms[resolved->form].constant;
    for (uint32_t i = 0; i < resolved->count; i++) {
        if (!function_counts_constantly(f, resolved->counters[i].block, resolved->counters[i].place,
                                        &rounds))
            return ADDRESS_FRAME_VARIES;
        const int64_t way = (int64_t)(rounds * (uint64_t)resolved->counters[i].step);
        *(way < 0 ? low : high) += way;
    }
    return is_known(f, resolved->form, DEPTH_MAX) ? ADDRESS_FRAME_FIXED : ADDRESS_FRAME_VARIES;
}

/* ---- Calls ------------------------------------------------------------------------------------ */

/* Whether accesses of the function that begins there are announced. */
static bool makes_accesses(const struct function *f, size_t begin)
{
    for (size_t at = begin; at < f->room && at < begin + CALLEE_BYTES;) {
        const struct code_instruction next = code_decode_x86_64(f->code + at, f->room - at);
        if (next.bytes == 0 || next.kind == CODE_RETURN)
            return false;
        if (next.kind == CODE_CALL && next.has_target &&
            at + (size_t)next.target == f->calls->function_begins)
            return true;
        at += next.bytes;
    }
    return false;
}

bool function_hands_frame(struct function *f, const struct instruction *call,
                          const uint32_t *places)
{
    static const uint8_t arguments[] = {DI, 6, 2, 1, 8, 9}; /* rdi, rsi, rdx, rcx, r8, r9 */
    bool hands = false;
    if (call->has_target && !makes_accesses(f, call->target))
        return false;
    for (unsigned i = 0; i < sizeof arguments && !hands; i++) {
        unsigned steps = FRAME_STEPS_MAX;
        hands = function_reaches_frame(f, places[arguments[i]], &steps);
    }
    return hands;
}
