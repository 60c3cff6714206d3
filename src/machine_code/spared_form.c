/* spared_form.c - x86-64: which instructions of a loop a compiler for GPUs spares by unrolling it.
 *
 * The counter of a loop, the comparison with its end and the jump back are made once for as many iterations as stand together, and
 * addresses that count with it are the first one's and a constant, which is in the access itself. Where a loop goes round a constant
 * number of times they are constants, too, and nothing is left. What else the loop computes stays, once an iteration. In front of a
 * loop that is unrolled in part more is computed. So it is in nvcc's machine code for sm_90.
 */
#include "machine_code/code_read.h"
#include "machine_code/function_code.h"

/* Of one instruction of a loop that is unrolled by 4, and of one of few instructions, that is by 16 (loop_wait.h). */
enum { SPARED_BY_FOUR = SPARED_WHOLE * 3 / 4, SPARED_BY_SIXTEEN = SPARED_WHOLE * 15 / 16 };
enum { INSTRUCTIONS_BY_SIXTEEN = 8 };
/* In front of them: read off machine code. */
enum { INSTRUCTIONS_BEFORE_FOUR = 10, INSTRUCTIONS_BEFORE_SIXTEEN = 20 };
/* A loop that goes round more often is unrolled in part. */
enum { FLATTENED_ROUNDS_MAX = 256 };

/* Its form behind the counters of loops is the same in all iterations. */
static bool is_fixed(struct function *f, const struct natural_loop *loop, uint32_t form)
{
    return form != FORM_NONE && !function_varies(f, loop, function_resolve(f, form).form);
}

/* Both sides of the comparison that the branch at the end of a block depends on are. */
static bool compares_fixed(struct function *f, const struct natural_loop *loop, uint32_t block)
{
    uint32_t forms[2];
    return function_compared(f, block, forms) && is_fixed(f, loop, forms[0]) &&
           is_fixed(f, loop, forms[1]);
}

static bool is_way_out(const struct function *f, const struct natural_loop *loop, uint32_t block)
{
    const uint32_t *next = f->blocks[block].next;
    return next[0] == loop->head || next[1] == loop->head || function_leaves(f, loop, block);
}

static uint8_t spared_in_part(const struct function *f, const struct natural_loop *loop)
{
    unsigned instructions = 0;
    for (uint32_t b = 0; b < f->block_count; b++)
        instructions += function_has_block(loop, b) ? function_instructions(f, b) : 0;
    return instructions <= INSTRUCTIONS_BY_SIXTEEN ? SPARED_BY_SIXTEEN : SPARED_BY_FOUR;
}

/* ---- Local arrays ---------------------------------------------------------------------------------- */

/* An operand in memory by its registers; with_registers false: none, or at a constant place of the frame or the program. */
struct operand {
    bool with_registers;
    uint8_t base, index;
};

static struct operand operand_of(const struct function *f, const struct instruction *i)
{
    enum { LOAD_ADDRESS = 0x8d };
    struct code_reader r;
    if (i->kind == CODE_CALL || i->kind == CODE_JUMP || i->kind == CODE_BRANCH ||
        !code_read_x86_64(&r, f->code + i->at, i->bytes) || !r.has_modrm || r.mod == 3 ||
        r.relative || (r.map == MAP_ONE_BYTE && r.opcode == LOAD_ADDRESS) ||
        (r.on_stack && r.index == NO_INDEX))
        return (struct operand){0};
    return (struct operand){true, r.has_base ? r.base : NO_INDEX, r.index};
}

/* There are more operands in memory at computed places than calls that tell of accesses: a local array's, which no call tells of. */
static bool walks_array(const struct function *f, const struct block *block)
{
    struct operand last = {0};
    int untold = 0;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct instruction *one = &f->instructions[i];
        const struct operand operand = operand_of(f, one);
        if (one->kind == CODE_CALL) {
            const enum address_call kind = function_call_kind(f, one);
            untold -= kind == CALL_LOAD || kind == CALL_STORE;
            last = (struct operand){0};
        }
        if (!operand.with_registers ||
            (last.with_registers && last.base == operand.base && last.index == operand.index))
            continue;
        untold++;
        last = operand;
    }
    return untold > 0;
}

/* It is another one in each iteration. */
static bool changes_in(struct function *f, const struct natural_loop *loop, uint32_t form)
{
    if (form == FORM_NONE)
        return false;
    const struct resolved resolved = function_resolve(f, form);
    if (function_counts_in(loop, &resolved))
        return true;
    return resolved.form != FORM_NONE && function_varies(f, loop, resolved.form);
}

/* The block's operands in local arrays, as far as code tells, are at one place while the loop goes round: loops in it go through the arrays. */
static bool stays_in_array(struct function *f, const struct natural_loop *loop, uint32_t number)
{
    const struct block *block = &f->blocks[number];
    uint32_t places[PLACES];
    bool is_known = false;
    function_join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct operand operand = operand_of(f, &f->instructions[i]);
        const uint32_t base = operand.base < REGISTERS ? places[operand.base] : FORM_NONE,
                       index = operand.index < REGISTERS ? places[operand.index] : FORM_NONE;
        unsigned steps = FRAME_STEPS_MAX;
        if (operand.with_registers &&
            (function_reaches_frame(f, base, &steps) || function_reaches_frame(f, index, &steps))) {
            is_known = true;
            if (changes_in(f, loop, base) || changes_in(f, loop, index))
                return false;
        }
        function_step(f, &f->instructions[i], places);
    }
    return is_known;
}

/* nvcc has local arrays in registers where it has unrolled the loops that go through them. */
static bool goes_through_array(struct function *f, const struct natural_loop *loop)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        if (function_has_block(loop, b) && walks_array(f, &f->blocks[b]) &&
            !stays_in_array(f, loop, b))
            return true;
    return false;
}

/* How often the block is there once the loops around it that go round constant numbers of times, up to `loop`, are unrolled whole:
 * that one with them, or not. */
static uint64_t times_unrolled(struct function *f, const struct natural_loop *loop, uint32_t block,
                               bool with_loop)
{
    uint64_t times = function_has_block(loop, block), rounds = 0;
    const struct natural_loop *around = NULL;
    while (times && around != loop && (around = function_loop_around(f, block, around)) != NULL &&
           (with_loop || around != loop))
        times *= function_is_constant_loop(f, around->head, &rounds) ? rounds : 1;
    return times;
}

/* Loads that the loop has once it and those in it, which go round constant numbers of times, are unrolled whole. */
static uint64_t loads_unrolled(struct function *f, const struct natural_loop *loop)
{
    uint64_t loads = 0;
    for (uint32_t b = 0; b < f->block_count; b++)
        if (f->blocks[b].loads)
            loads += f->blocks[b].loads * times_unrolled(f, loop, b, true);
    return loads;
}

/* It is no more than counting, comparing and jumping. */
static bool is_counting(const struct instruction *i)
{
    return i->kind == CODE_BRANCH || i->kind == CODE_JUMP || i->effect.kind == EFFECT_COMPARE ||
           code_effect_adds_constant(&i->effect);
}

/* A shuffle is a call in nvcc's own code, with two instructions that take its results apart. */
enum { SIZE_OF_CALL = 3 };

static uint64_t size_of(const struct function *f, const struct instruction *i, bool counts)
{
    if (!function_is_counted(i) || function_calls(i, f->calls->block_begins))
        return 0;
    if (i->kind == CODE_CALL)
        return function_call_kind(f, i) == CALL_LOAD || function_call_kind(f, i) == CALL_STORE
                   ? 1
                   : SIZE_OF_CALL;
    return counts || !is_counting(i);
}

uint64_t function_size_of_loop(struct function *f, const struct natural_loop *loop)
{
    uint64_t size = 0;
    for (uint32_t b = 0; b < f->block_count; b++) {
        const uint64_t times = times_unrolled(f, loop, b, false);
        for (uint32_t i = f->blocks[b].first; times && i < f->blocks[b].end; i++)
            size += times * size_of(f, &f->instructions[i], times == 1);
    }
    return size;
}

static bool is_unrolled_whole(struct function *f, const struct natural_loop *loop, uint64_t rounds)
{
    return rounds <= FLATTENED_ROUNDS_MAX &&
           (loads_unrolled(f, loop) <= UNROLLED_LOADS_MAX || goes_through_array(f, loop));
}

/* An inner loop is not unrolled whole. */
static bool has_loop_left(struct function *f, const struct natural_loop *loop)
{
    uint64_t rounds = 0;
    for (uint32_t i = 0; i < f->loop_count; i++)
        if (&f->loops[i] != loop && function_has_block(loop, f->loops[i].head) &&
            f->loops[i].count < loop->count &&
            !(function_is_constant_loop(f, f->loops[i].head, &rounds) &&
              is_unrolled_whole(f, &f->loops[i], rounds)))
            return true;
    return false;
}

enum loop_kind function_most_of_loop(struct function *f, const struct natural_loop *loop)
{
    uint64_t rounds = 0;
    if (has_loop_left(f, loop))
        return LOOP_ROLLED;
    const bool is_whole = function_is_constant_loop(f, loop->head, &rounds)
                              ? is_unrolled_whole(f, loop, rounds)
                              : goes_through_array(f, loop);
    return is_whole ? LOOP_FLATTENED : LOOP_UNROLLED;
}

/* What is spared of an instruction that only counts in the loop, by its conditions; 0 where it is not unrolled. */
static uint8_t spared_in(struct function *f, const struct natural_loop *loop)
{
    const enum loop_kind most = function_most_of_loop(f, loop);
    uint64_t rounds = 0;
    if (most == LOOP_ROLLED)
        return 0;
    const bool is_constant = function_is_constant_loop(f, loop->head, &rounds);
    for (uint32_t b = 0; b < f->block_count && !is_constant; b++)
        if (function_has_block(loop, b) && function_leaves(f, loop, b) &&
            !compares_fixed(f, loop, b))
            return 0;
    return most == LOOP_FLATTENED ? SPARED_WHOLE : spared_in_part(f, loop);
}

/* Both sides of what the branch at the end of a block compares are constants once loops are unrolled whole. */
static bool compares_constants(struct function *f, uint32_t block)
{
    struct resolved sides[2];
    if (!function_compared_at_first(f, block, sides))
        return false;
    for (unsigned side = 0; side < 2; side++)
        if (sides[side].form == FORM_NONE || f->forms.forms[sides[side].form].count)
            return false;
    return true;
}

/* Nothing behind it in the block, up to its branch, sets the flags. */
static bool is_last_compare(const struct function *f, const struct block *block,
                            const struct instruction *compare)
{
    for (uint32_t i = block->end; i-- > block->first;)
        if (f->instructions[i].effect.flags)
            return &f->instructions[i] == compare;
    return false;
}

/* Whether the instruction, behind which places are those, only counts. `ends`: the branch of its block is one of the loop's. */
static bool only_counts(struct function *f, const struct natural_loop *loop,
                        const struct block *block, const struct instruction *i,
                        const uint32_t *places, bool ends)
{
    if (i->kind == CODE_BRANCH || i->kind == CODE_JUMP)
        return ends;
    if (i->effect.kind == EFFECT_COMPARE)
        return ends && is_last_compare(f, block, i);
    if (i->effect.kind != EFFECT_SUM && (i->effect.kind != EFFECT_MIX || i->effect.times == 0))
        return false;
    return is_fixed(f, loop, function_form(f, i, i->effect.to, places));
}

static void report_block(struct function *f, uint32_t number,
                         const struct address_listener *listener)
{
    const struct block *block = &f->blocks[number];
    const struct natural_loop *loop = function_loop_around(f, number, NULL);
    const uint8_t spared = loop ? loop->spared : 0;
    uint32_t places[PLACES];
    if (spared == 0)
        return;
    const bool ends = (is_way_out(f, loop, number) &&
                       (block->next[1] == BLOCKS_MAX || compares_fixed(f, loop, number))) ||
                      (spared == SPARED_WHOLE && compares_constants(f, number));
    function_join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        function_step(f, &f->instructions[i], places);
        if (only_counts(f, loop, block, &f->instructions[i], places, ends))
            listener->found_spared(listener->context, f->instructions[i].at, spared);
    }
}

/* Whether what it goes to, or begins with, is the thread's index: those loops go round as often as the block is large. */
static bool compares_index(struct function *f, uint32_t block)
{
    struct resolved sides[2];
    return function_compared_at_first(f, block, sides) &&
           (function_has_index(f, sides[0].form) || function_has_index(f, sides[1].form));
}

/* How often it goes round is a constant where the loops around are unrolled whole, too. */
static bool goes_to_constants(struct function *f, const struct natural_loop *loop)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        if (function_has_block(loop, b) && function_leaves(f, loop, b) &&
            (compares_constants(f, b) || compares_index(f, b)))
            return true;
    return false;
}

/* What there is in front of a loop that is unrolled in part: how many iterations there are, whether there are as many as stand together,
 * and what is left over. */
static void report_entries(struct function *f, const struct natural_loop *loop,
                           const struct address_listener *listener)
{
    uint64_t rounds = 0;
    const uint8_t spared = loop->spared;
    if ((spared != SPARED_BY_FOUR && spared != SPARED_BY_SIXTEEN) ||
        function_is_constant_loop(f, loop->head, &rounds) || goes_to_constants(f, loop))
        return;
    const int instructions =
        spared == SPARED_BY_FOUR ? INSTRUCTIONS_BEFORE_FOUR : INSTRUCTIONS_BEFORE_SIXTEEN;
    for (uint32_t b = 0; b < f->block_count; b++)
        if (!function_has_block(loop, b) &&
            (f->blocks[b].next[0] == loop->head || f->blocks[b].next[1] == loop->head))
            listener->found_spared(listener->context, f->instructions[f->blocks[b].end - 1].at,
                                   -instructions * SPARED_WHOLE);
}

void function_find_spared(struct function *f, const struct address_listener *listener)
{
    for (uint32_t l = 0; listener->found_spared && l < f->loop_count; l++) {
        f->loops[l].spared = spared_in(f, &f->loops[l]);
        report_entries(f, &f->loops[l], listener);
    }
    for (uint32_t b = 0; listener->found_spared && b < f->block_count; b++)
        report_block(f, b, listener);
}
