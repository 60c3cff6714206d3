/* kept_form.c - x86-64: which loads a compiler for GPUs makes once in front of a loop, where gcc makes them again in each
 * iteration.
 *
 *     for (k = 0; k < n; k++)             the distance to n points: x[d] is loaded by gcc in each iteration of k,
 *         for (d = 0; d < 8; d++)         by a compiler for GPUs once, since it unrolls the loop over d
 *             sum += x[d] * y[k][d];
 *
 * nvcc 13, asked with one to four loads in the inner loop and 4 to 512 iterations (tests/cu/kept_loads.cu has a kernel for each rule):
 *  - the loops within go round a constant number of times, nothing else leaves them, and unrolled they have up to
 *    UNROLLED_LOADS_MAX loads: one load by 128, two by 64, three by 40, four by 32;
 *  - nothing in the loop may change what is loaded: no store to the same kind of memory (what is global is not shared), no barrier,
 *    no atomic, no call;
 *  - the load is made in each iteration that is begun: not under a condition, nor behind a way out of the loop;
 *  - there are registers: KEPT_MAX loads are kept, of shared memory KEPT_SHARED_MAX.
 */
#include "machine_code/function_code.h"

enum { KEPT_MAX = 64, KEPT_SHARED_MAX = 32 };

/* ---- Loops -------------------------------------------------------------------------------------- */

bool function_has_block(const struct natural_loop *loop, uint32_t block)
{
    return block < BLOCKS_MAX && loop->blocks[block / 64] >> block % 64 & 1;
}

static bool add_block(struct natural_loop *loop, uint32_t block)
{
    const bool is_new = !function_has_block(loop, block);
    loop->blocks[block / 64] |= (uint64_t)1 << block % 64;
    loop->count += is_new;
    return is_new;
}

/* Adds the blocks from which the jump back is reached past the head; false when the function's beginning is one: then the head
 * is not in front of all of them. */
static bool find_body(const struct function *f, struct natural_loop *loop, uint32_t back)
{
    bool changed = add_block(loop, back) && back != loop->head;
    while (changed) {
        changed = false;
        for (uint32_t b = f->block_count; b-- > 0;)
            for (unsigned way = 0; way < 2; way++)
                if (f->blocks[b].next[way] != loop->head && !function_has_block(loop, b) &&
                    function_has_block(loop, f->blocks[b].next[way]))
                    changed |= add_block(loop, b);
    }
    return loop->head == 0 || !function_has_block(loop, 0);
}

static struct natural_loop *loop_of_head(struct function *f, uint32_t head)
{
    for (uint32_t i = 0; i < f->loop_count; i++)
        if (f->loops[i].head == head)
            return &f->loops[i];
    return NULL;
}

bool function_jumps_back(struct function *f, uint32_t from, uint32_t to)
{
    const struct natural_loop *loop = loop_of_head(f, to);
    return loop && function_has_block(loop, from);
}

static void add_jump_back(struct function *f, uint32_t head, uint32_t back)
{
    struct natural_loop found = {.head = head}, *same = loop_of_head(f, head);
    add_block(&found, head);
    if (!find_body(f, &found, back))
        return;
    for (uint32_t b = 0; same && b < f->block_count; b++)
        if (function_has_block(&found, b))
            add_block(same, b);
    if (same == NULL && f->loop_count < LOOPS_MAX)
        f->loops[f->loop_count++] = found;
}

/* ---- What blocks do to memory ------------------------------------------------------------------- */

static bool is_shared(const struct function *f, uint32_t form)
{
    for (uint32_t t = 0; t < f->forms.forms[form].count; t++) {
        const enum atom_kind kind = f->forms.atoms[f->forms.forms[form].terms[t].atom].kind;
        if (kind == ATOM_THREAD || kind == ATOM_DYNAMIC)
            return true;
    }
    return false;
}

enum address_call function_call_kind(const struct function *f, const struct instruction *call)
{
    if (!call->has_target)
        return CALL_OTHER;
    if (function_calls(call, f->calls->block_begins) ||
        function_calls(call, f->calls->dynamic_shared))
        return CALL_NOTHING;
    return f->calls->kind_of ? f->calls->kind_of(call->target) : CALL_OTHER;
}

static void note_call(struct function *f, struct block *block, const struct instruction *call,
                      const uint32_t *places)
{
    const enum address_call kind = function_call_kind(f, call);
    const uint32_t form = places[DI];
    const bool is_known = form != FORM_NONE;
    unsigned steps = FRAME_STEPS_MAX;
    if (kind == CALL_OTHER)
        block->changes_global = block->changes_shared = true;
    if ((kind != CALL_LOAD && kind != CALL_STORE) ||
        (is_known && function_reaches_frame(f, form, &steps)))
        return;
    if (kind == CALL_LOAD) {
        block->loads++;
        return;
    }
    const struct resolved resolved = function_resolve(f, form);
    block->changes_shared = true;
    block->changes_global |= !is_known || !is_shared(f, resolved.form);
}

static void note_block(struct function *f, uint32_t number)
{
    struct block *block = &f->blocks[number];
    uint32_t places[PLACES];
    function_join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        if (f->instructions[i].kind == CODE_CALL)
            note_call(f, block, &f->instructions[i], places);
        function_step(f, &f->instructions[i], places);
    }
}

void function_find_loops(struct function *f)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        for (unsigned way = 0; way < 2; way++)
            if (f->blocks[b].next[way] != BLOCKS_MAX)
                add_jump_back(f, f->blocks[b].next[way], b);
    for (uint32_t b = 0; b < f->block_count && f->loop_count > 0; b++)
        note_block(f, b);
}

/* ---- One load ----------------------------------------------------------------------------------- */

const struct natural_loop *function_loop_around(const struct function *f, uint32_t block,
                                                const struct natural_loop *within)
{
    const struct natural_loop *found = NULL;
    for (uint32_t i = 0; i < f->loop_count; i++) {
        const struct natural_loop *loop = &f->loops[i];
        if (function_has_block(loop, block) && (within == NULL || loop->count > within->count) &&
            (found == NULL || loop->count < found->count))
            found = loop;
    }
    return found;
}

bool function_leaves(const struct function *f, const struct natural_loop *loop, uint32_t block)
{
    const uint32_t *next = f->blocks[block].next;
    return (next[0] != BLOCKS_MAX && !function_has_block(loop, next[0])) ||
           (next[1] != BLOCKS_MAX && !function_has_block(loop, next[1]));
}

bool function_varies(const struct function *f, const struct natural_loop *loop, uint32_t form)
{
    for (uint32_t t = 0; t < f->forms.forms[form].count; t++) {
        const struct atom *atom = &f->forms.atoms[f->forms.forms[form].terms[t].atom];
        uint32_t block = BLOCKS_MAX;
        if (atom->kind == ATOM_JOIN)
            block = (uint32_t)atom->where;
        else if (atom->kind == ATOM_RESULT)
            block = function_block_at(f, atom->where);
        if (function_has_block(loop, block))
            return true;
    }
    return false;
}

/* Every way through an iteration, back or out, goes through the block. */
static bool is_passed(const struct function *f, const struct natural_loop *loop, uint32_t block)
{
    struct natural_loop reached = {.head = loop->head};
    bool changed = loop->head != block && add_block(&reached, loop->head);
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < f->block_count; b++)
            for (unsigned way = 0; way < 2 && function_has_block(&reached, b); way++) {
                const uint32_t next = f->blocks[b].next[way];
                if (next == loop->head || (next != BLOCKS_MAX && !function_has_block(loop, next)))
                    return false;
                changed |= next != block && next != BLOCKS_MAX && add_block(&reached, next);
            }
    }
    return true;
}

/* How often a loop in which the address counts makes the load in that block; 0: not a constant number of times. The block is in
 * front of the jump back, which is taken once less. */
static uint64_t loads_of(struct function *f, const struct natural_loop *loop, uint32_t block,
                         const struct resolved *resolved)
{
    uint64_t rounds = 0;
    uint32_t ways_out = 0;
    for (uint32_t i = 0; i < resolved->count; i++)
        if (resolved->counters[i].block == loop->head &&
            !function_counts_constantly(f, loop->head, resolved->counters[i].place, &rounds))
            return 0;
    for (uint32_t b = 0; b < f->block_count; b++)
        ways_out += function_has_block(loop, b) && function_leaves(f, loop, b);
    return ways_out == 1 && is_passed(f, loop, block) ? rounds + 1 : 0;
}

bool function_counts_in(const struct natural_loop *loop, const struct resolved *resolved)
{
    for (uint32_t i = 0; i < resolved->count; i++)
        if (resolved->counters[i].block == loop->head)
            return true;
    return false;
}

static bool leaves_memory(const struct function *f, const struct natural_loop *loop, bool shared)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        if (function_has_block(loop, b) &&
            (shared ? f->blocks[b].changes_shared : f->blocks[b].changes_global))
            return false;
    return true;
}

static uint64_t loads_in(const struct function *f, const struct natural_loop *loop)
{
    uint64_t loads = 0;
    for (uint32_t b = 0; b < f->block_count; b++)
        loads += function_has_block(loop, b) ? f->blocks[b].loads : 0;
    return loads;
}

enum { ENTRY_STEPS_MAX = 4 };

/* Adds the blocks from which lanes come to block `to` and that are told of: in place of one that is not, those in front of it. False
 * when there are too many of them. */
static bool add_entries(const struct function *f, const struct natural_loop *loop, uint32_t to,
                        struct address_form *form, unsigned steps);

static bool add_entry(const struct function *f, const struct natural_loop *loop, uint32_t block,
                      struct address_form *form, unsigned steps)
{
    if (f->blocks[block].begins == 0)
        return steps > 0 && add_entries(f, loop, block, form, steps - 1);
    if (form->kept_entry_count == ADDRESS_ENTRIES_MAX)
        return false;
    form->kept_entries[form->kept_entry_count++] = f->blocks[block].begins;
    return true;
}

static bool add_entries(const struct function *f, const struct natural_loop *loop, uint32_t to,
                        struct address_form *form, unsigned steps)
{
    bool all = to != 0; /* the function's beginning is entered from elsewhere */
    for (uint32_t b = 0; all && b < f->block_count; b++)
        if (!function_has_block(loop, b) &&
            (f->blocks[b].next[0] == to || f->blocks[b].next[1] == to))
            all = add_entry(f, loop, b, form, steps);
    return all;
}

static bool find_entries(const struct function *f, const struct natural_loop *loop,
                         struct address_form *form)
{
    form->kept_entry_count = 0;
    return add_entries(f, loop, loop->head, form, ENTRY_STEPS_MAX);
}

void function_find_kept(struct function *f, uint32_t block, const struct instruction *call,
                        const struct resolved *resolved, struct address_form *form)
{
    const bool shared = is_shared(f, resolved->form);
    const struct natural_loop *loop = NULL;
    uint64_t kept = 1, unrolled = 0;
    if (f->loop_count < 2 || function_call_kind(f, call) != CALL_LOAD)
        return;
    while ((loop = function_loop_around(f, block, loop)) != NULL &&
           !function_varies(f, loop, resolved->form)) {
        if (function_counts_in(loop, resolved)) {
            kept *= loads_of(f, loop, block, resolved);
            unrolled = kept * loads_in(f, loop);
            if (form->kept_loads || unrolled == 0 || unrolled > UNROLLED_LOADS_MAX ||
                kept > (shared ? KEPT_SHARED_MAX : KEPT_MAX))
                break;
        } else {
            struct address_form found = *form;
            if (unrolled == 0 || !is_passed(f, loop, block) || !leaves_memory(f, loop, shared) ||
                !find_entries(f, loop, &found))
                break;
            *form = found;
            form->kept_loads = (uint32_t)kept;
        }
    }
}
