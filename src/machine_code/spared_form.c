/* spared_form.c - x86-64: which instructions of a loop a compiler for GPUs spares by unrolling it.
 *
 * The counter of a loop, the comparison with its end and the jump back are made once for as many iterations as stand together, and
 * addresses that count with it are the first one's and a constant, which is in the access itself. Where a loop goes round a constant
 * number of times they are constants, too, and nothing is left. What else the loop computes stays, once an iteration. So it is in nvcc's
 * machine code for sm_90.
 */
#include "machine_code/function_code.h"

/* Of one instruction of a loop that is unrolled by 4, and of one of few instructions, that is by 16 (loop_wait.h). */
enum { SPARED_BY_FOUR = SPARED_WHOLE * 3 / 4, SPARED_BY_SIXTEEN = SPARED_WHOLE * 15 / 16 };
enum { INSTRUCTIONS_BY_SIXTEEN = 8 };
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

/* What is spared of an instruction that only counts in the loop, by its conditions; 0 where it is not unrolled. */
static uint8_t spared_in(struct function *f, const struct natural_loop *loop)
{
    uint64_t rounds = 0;
    for (uint32_t i = 0; i < f->loop_count; i++)
        if (&f->loops[i] != loop && function_has_block(loop, f->loops[i].head) &&
            f->loops[i].count < loop->count &&
            !function_is_constant_loop(f, f->loops[i].head, &rounds))
            return 0;
    if (function_is_constant_loop(f, loop->head, &rounds))
        return rounds <= FLATTENED_ROUNDS_MAX ? SPARED_WHOLE : spared_in_part(f, loop);
    for (uint32_t b = 0; b < f->block_count; b++)
        if (function_has_block(loop, b) && function_leaves(f, loop, b) &&
            !compares_fixed(f, loop, b))
            return 0;
    return spared_in_part(f, loop);
}

/* Whether the instruction, behind which places are those, only counts. `ends`: the branch of its block is one of the loop's. */
static bool only_counts(struct function *f, const struct natural_loop *loop,
                        const struct instruction *i, const uint32_t *places, bool ends)
{
    if (i->kind == CODE_BRANCH || i->kind == CODE_JUMP || i->effect.kind == EFFECT_COMPARE)
        return ends;
    if (i->effect.kind != EFFECT_SUM && (i->effect.kind != EFFECT_MIX || i->effect.times == 0))
        return false;
    return is_fixed(f, loop, function_form(f, i, i->effect.to, places));
}

static void report_block(struct function *f, uint32_t number,
                         const struct address_listener *listener)
{
    const struct block *block = &f->blocks[number];
    const struct natural_loop *loop = function_loop_around(f, number, NULL);
    const uint8_t spared = loop ? spared_in(f, loop) : 0;
    uint32_t places[PLACES];
    if (spared == 0)
        return;
    const bool ends = is_way_out(f, loop, number) &&
                      (block->next[1] == BLOCKS_MAX || compares_fixed(f, loop, number));
    function_join(f, number, places);
    for (uint32_t i = block->first; i < block->end; i++) {
        function_step(f, &f->instructions[i], places);
        if (only_counts(f, loop, &f->instructions[i], places, ends))
            listener->found_spared(listener->context, f->instructions[i].at, spared);
    }
}

void function_find_spared(struct function *f, const struct address_listener *listener)
{
    for (uint32_t b = 0; listener->found_spared && b < f->block_count; b++)
        report_block(f, b, listener);
}
