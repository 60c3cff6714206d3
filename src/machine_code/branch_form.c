/* branch_form.c - x86-64: what the branches of a function are to a GPU.
 *
 * Sides of few instructions are carried out under a predicate, which the comparison sets: there is no branch. Around longer ones the
 * lanes of a warp part and come together again (BSSY, BSYNC), unless all of them go the same way whatever the data is. Where the sides
 * meet at the function's end alone, lanes exit. Jumps into a loop, which gcc makes to begin with the condition, are none: nvcc makes the
 * condition twice. Conditions of a loop that follow each other are one branch. So it is in machine code for sm_90.
 */
#include <stdlib.h>

#include "machine_code/function_code.h"

/* Besides the branch: the lanes part, and come together. */
enum { INSTRUCTIONS_TO_PART = 2 };

/* A comparison, its branch, and what steps in front of it: an estimate. */
enum { INSTRUCTIONS_OF_CONDITION = 4 };

struct branches {
    struct function *f;
    const struct address_listener *listener;
    const struct behind *behind;
    bool *is_branch,
        *is_under; /* of each block: its branch is left; it is carried out under a predicate */
};

static const struct instruction *last_of(const struct function *f, uint32_t block)
{
    return &f->instructions[f->blocks[block].end - 1];
}

static void spare(const struct branches *b, uint32_t block, int spared)
{
    b->listener->found_spared(b->listener->context, last_of(b->f, block)->at, spared);
}

static void tell(const struct branches *b, uint32_t block, enum gpu_branch branch)
{
    if (b->listener->found_branch)
        b->listener->found_branch(b->listener->context, last_of(b->f, block)->at, branch);
}

/* A loop is left, or goes round, by one of its ways. */
static bool is_of_loop(struct function *f, uint32_t block)
{
    const struct natural_loop *loop = NULL;
    while ((loop = function_loop_around(f, block, loop)) != NULL)
        if (function_leaves(f, loop, block))
            return true;
    for (unsigned way = 0; way < 2; way++)
        if (function_jumps_back(f, block, f->blocks[block].next[way]))
            return true;
    return false;
}

/* The block, or where it jumps to if it does no more than that. */
static uint32_t through_jump(const struct function *f, uint32_t block)
{
    const struct block *b = &f->blocks[block];
    const bool is_jump = b->end - b->first == 1 && f->instructions[b->first].kind == CODE_JUMP;
    return is_jump && b->next[0] != BLOCKS_MAX ? b->next[0] : block;
}

/* Where the block's branch leaves the loop to; BLOCKS_MAX: it does not. */
static uint32_t way_out(const struct function *f, const struct natural_loop *loop, uint32_t block)
{
    const uint32_t *next = f->blocks[block].next;
    if (!function_has_block(loop, block) || !function_leaves(f, loop, block) ||
        next[0] == BLOCKS_MAX || next[1] == BLOCKS_MAX)
        return BLOCKS_MAX;
    return through_jump(f, function_has_block(loop, next[0]) ? next[1] : next[0]);
}

/* The block does no more than compare. */
static bool only_compares(const struct function *f, uint32_t block)
{
    const struct block *b = &f->blocks[block];
    for (uint32_t i = b->first; i < b->end; i++)
        if (f->instructions[i].kind == CODE_CALL &&
            function_call_kind(f, &f->instructions[i]) != CALL_NOTHING)
            return false;
    return function_instructions(f, block) <= INSTRUCTIONS_OF_CONDITION;
}

/* Ways out of a loop to one place, with nothing but a comparison between them, are one branch on two conditions. */
static bool joins_way_out(const struct function *f, uint32_t block)
{
    const struct natural_loop *loop = function_loop_around(f, block, NULL);
    const uint32_t out = loop ? way_out(f, loop, block) : BLOCKS_MAX;
    bool follows = false;
    if (out == BLOCKS_MAX || !only_compares(f, block))
        return false;
    for (uint32_t b = 0; b < f->block_count; b++)
        if (f->blocks[b].next[0] == block || f->blocks[b].next[1] == block) {
            if (way_out(f, loop, b) != out)
                return false;
            follows = true;
        }
    return follows;
}

/* All threads take the same way, whatever is in memory. */
static bool is_uniform(struct function *f, uint32_t block)
{
    struct resolved sides[2];
    if (!function_compared_at_first(f, block, sides))
        return false;
    for (unsigned side = 0; side < 2; side++)
        if (sides[side].form == FORM_NONE || !function_is_uniform(f, &sides[side]))
            return false;
    return true;
}

static bool stores(const struct instruction *i)
{
    return i->kind == CODE_MOVE && i->effect.to == PLACE_UNKNOWN;
}

/* What the block has besides calls is carried out whatever the predicate is; how many instructions that is. What is stored to local
 * arrays, which no call tells of, is chosen by the predicate. */
static int put_block_under(const struct branches *b, uint32_t block)
{
    const struct function *f = b->f;
    int instructions = 0, choices = 0;
    b->is_under[block] = true;
    for (uint32_t i = f->blocks[block].first; i < f->blocks[block].end; i++) {
        const struct instruction *one = &f->instructions[i];
        choices += stores(one);
        if (one->kind == CODE_CALL) {
            choices -= function_call_kind(f, one) == CALL_STORE;
            continue;
        }
        instructions +=
            function_is_counted(one) && one->kind != CODE_JUMP && one->kind != CODE_BRANCH;
        b->listener->found_spared(b->listener->context, one->at, SPARED_WHOLE);
    }
    return instructions + (choices > 0 ? choices : 0);
}

static int put_under(const struct branches *b, uint32_t block)
{
    int instructions = 0;
    for (unsigned way = 0; way < 2; way++) {
        struct side side;
        function_find_side(b->f, b->behind, block, b->f->blocks[block].next[way], &side);
        for (uint32_t i = 0; i < side.count; i++)
            instructions += put_block_under(b, side.blocks[i]);
    }
    return instructions;
}

static void report_branch(const struct branches *b, uint32_t block)
{
    struct function *f = b->f;
    const uint32_t *next = f->blocks[block].next;
    if (next[0] == BLOCKS_MAX || next[1] == BLOCKS_MAX)
        return;
    if (is_of_loop(f, block)) {
        tell(b, block, joins_way_out(f, block) ? GPU_BRANCH_NONE : GPU_BRANCH_LEFT);
    } else if (function_meets_at_end(f, b->behind, block)) {
        tell(b, block, GPU_BRANCH_EXITS);
    } else if (!b->is_branch[block]) {
        tell(b, block, GPU_BRANCH_NONE);
        if (!b->is_under[block])
            spare(b, block, SPARED_WHOLE - (int)SPARED_WHOLE * put_under(b, block));
    } else if (is_uniform(f, block)) {
        tell(b, block, GPU_BRANCH_LEFT);
    } else {
        tell(b, block, GPU_BRANCH_PARTS);
        spare(b, block, -INSTRUCTIONS_TO_PART * SPARED_WHOLE);
    }
}

static void report_jump(const struct branches *b, uint32_t block)
{
    const uint32_t to = b->f->blocks[block].next[0];
    const struct natural_loop *loop = NULL;
    if (last_of(b->f, block)->kind != CODE_JUMP || to == BLOCKS_MAX)
        return;
    tell(b, block, GPU_BRANCH_LEFT);
    while ((loop = function_loop_around(b->f, to, loop)) != NULL)
        if (!function_has_block(loop, block)) {
            spare(b, block, SPARED_WHOLE);
            return;
        }
}

void function_find_branch_costs(struct function *f, const struct behind *behind,
                                const struct address_listener *listener)
{
    struct branches b = {f, listener, behind, calloc(f->block_count, sizeof(bool)),
                         calloc(f->block_count, sizeof(bool))};
    if (listener->found_spared && b.is_branch && b.is_under) {
        function_find_branches(f, behind, b.is_branch);
        for (uint32_t block = 0; block < f->block_count; block++) {
            report_branch(&b, block);
            report_jump(&b, block);
        }
    }
    free(b.is_branch);
    free(b.is_under);
}
