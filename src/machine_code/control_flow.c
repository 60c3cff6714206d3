/* control_flow.c - which blocks of a function are only come to by the way that a branch takes.
 *
 * A block depends on a branch when every way from one of the branch's sides to the function's end goes through it, and not every
 * way from the branch [Ferrante, Ottenstein, Warren, "The program dependence graph and its use in optimization", 1987].
 */
#include <stdlib.h>
#include <string.h>

#include "machine_code/function_code.h"

enum { WORDS = BLOCKS_MAX / 64 };

struct behind {
    uint64_t blocks[WORDS]; /* that every way to the function's end goes through: a bit each */
};

static bool has(const struct behind *set, uint32_t block)
{
    return set->blocks[block / 64] >> block % 64 & 1;
}

/* What all ways from the block go through; true when that is less than before. */
static bool update(const struct function *f, struct behind *all, uint32_t block)
{
    struct behind set;
    bool has_way = false, changed = false;
    memset(&set, 0xff, sizeof set);
    for (unsigned way = 0; way < 2; way++) {
        const uint32_t next = f->blocks[block].next[way];
        for (uint32_t w = 0; next != BLOCKS_MAX && w < WORDS; w++)
            set.blocks[w] &= all[next].blocks[w];
        has_way |= next != BLOCKS_MAX;
    }
    if (!has_way)
        memset(&set, 0, sizeof set);
    set.blocks[block / 64] |= (uint64_t)1 << block % 64;
    changed = memcmp(&set, &all[block], sizeof set) != 0;
    all[block] = set;
    return changed;
}

struct behind *function_find_behind(const struct function *f)
{
    struct behind *all = malloc(f->block_count * sizeof *all);
    bool changed = all != NULL;
    if (all)
        memset(all, 0xff, f->block_count * sizeof *all);
    while (changed) {
        changed = false;
        for (uint32_t b = f->block_count; b-- > 0;)
            changed |= update(f, all, b);
    }
    return all;
}

/* The block does no more than return, and tell of it. */
static bool returns(const struct function *f, uint32_t block)
{
    enum { INSTRUCTIONS_TO_RETURN = 2 };
    return f->blocks[block].next[0] == BLOCKS_MAX && f->blocks[block].next[1] == BLOCKS_MAX &&
           function_instructions(f, block) <= INSTRUCTIONS_TO_RETURN;
}

bool function_meets_at_end(const struct function *f, const struct behind *all, uint32_t block)
{
    for (uint32_t b = 0; b < f->block_count; b++)
        if (b != block && has(&all[block], b) && !returns(f, b))
            return false;
    return true;
}

/* ---- Branches that are left ------------------------------------------------------------------------ */

/* Instructions of the block that are made under a predicate; its own branches and comparisons make the predicate. Divisions have a
 * branch of their own. */
static unsigned carried_out(const struct function *f, uint32_t block)
{
    unsigned decide = 0;
    for (uint32_t i = f->blocks[block].first; i < f->blocks[block].end; i++) {
        const struct instruction *one = &f->instructions[i];
        if (one->kind == CODE_FLOAT_DIVISION || one->kind == CODE_INTEGER_DIVISION)
            return PREDICATED_MAX + 1;
        decide += one->kind == CODE_BRANCH || one->kind == CODE_JUMP ||
                  one->effect.kind == EFFECT_COMPARE;
    }
    return function_instructions(f, block) - decide;
}

unsigned function_find_side(const struct function *f, const struct behind *all, uint32_t branch,
                            uint32_t to, struct side *side)
{
    uint32_t left[PREDICATED_MAX + 3];
    struct behind seen = all[branch];
    unsigned instructions = 0, count = 0;
    left[count++] = to;
    side->count = 0;
    while (count > 0 && instructions <= PREDICATED_MAX) {
        const uint32_t block = left[--count];
        if (has(&seen, block))
            continue;
        if (side->count == SIDE_BLOCKS_MAX)
            return PREDICATED_MAX + 1;
        seen.blocks[block / 64] |= (uint64_t)1 << block % 64;
        side->blocks[side->count++] = block;
        instructions += carried_out(f, block);
        for (unsigned way = 0; way < 2 && count < PREDICATED_MAX + 3; way++)
            if (f->blocks[block].next[way] != BLOCKS_MAX)
                left[count++] = f->blocks[block].next[way];
    }
    return instructions;
}

static bool has_access(const struct function *f, uint32_t block)
{
    for (uint32_t i = f->blocks[block].first; i < f->blocks[block].end; i++)
        if (f->instructions[i].kind == CODE_CALL &&
            function_call_kind(f, &f->instructions[i]) != CALL_NOTHING)
            return true;
    return false;
}

static bool has_access_on_side(const struct function *f, const struct behind *all, uint32_t branch)
{
    for (unsigned way = 0; way < 2; way++) {
        struct side side;
        function_find_side(f, all, branch, f->blocks[branch].next[way], &side);
        for (uint32_t i = 0; i < side.count; i++)
            if (has_access(f, side.blocks[i]))
                return true;
    }
    return false;
}

/* The block, on a side of the branch, ends with one on whose sides accesses are. A second condition for the whole side, in front of
 * which nothing is done, is none: it is one with the first. */
static bool is_nested(const struct function *f, const struct behind *all, uint32_t branch,
                      uint32_t block)
{
    const uint32_t *next = f->blocks[block].next;
    if (next[0] == BLOCKS_MAX || next[1] == BLOCKS_MAX || next[0] == next[1])
        return false;
    const bool is_condition =
        !has_access(f, block) && (has(&all[branch], next[0]) || has(&all[branch], next[1]));
    return !is_condition && has_access_on_side(f, all, block);
}

/* It is short, and has no loop of its own, nor accesses under a further condition. */
static bool is_predicated(const struct function *f, const struct behind *all, uint32_t branch,
                          uint32_t to)
{
    struct side side;
    const struct natural_loop *loop = function_loop_around(f, branch, NULL);
    if (function_find_side(f, all, branch, to, &side) > PREDICATED_MAX)
        return false;
    for (uint32_t i = 0; i < side.count; i++)
        if (function_loop_around(f, side.blocks[i], NULL) != loop ||
            is_nested(f, all, branch, side.blocks[i]))
            return false;
    return true;
}

void function_find_branches(const struct function *f, const struct behind *all, bool *is_branch)
{
    for (uint32_t b = 0; b < f->block_count; b++) {
        const uint32_t *next = f->blocks[b].next;
        is_branch[b] = next[0] != BLOCKS_MAX && next[1] != BLOCKS_MAX &&
                       !(is_predicated(f, all, b, next[0]) && is_predicated(f, all, b, next[1]));
    }
}

/* ---- Conditions ------------------------------------------------------------------------------------- */

/* What the blocks that depend on the branch wait for, besides what it waits for itself; true when that was new. */
static bool add_branch(struct function *f, const struct behind *all, uint32_t branch,
                       struct flow condition, struct flow *waits)
{
    bool changed = false;
    value_flow_add(&condition, waits[branch]);
    for (unsigned way = 0; way < 2 && (condition.now | condition.before); way++) {
        const uint32_t to = f->blocks[branch].next[way];
        const struct flow flow =
            function_jumps_back(f, branch, to) ? value_flow_before(condition) : condition;
        for (uint32_t b = 0; b < f->block_count; b++)
            if (has(&all[to], b) && (b == branch || !has(&all[branch], b)))
                changed |= value_flow_add(&waits[b], flow);
    }
    return changed;
}

void function_find_conditions(struct function *f, const struct behind *all,
                              const struct flow *conditions, struct flow *waits)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < f->block_count; b++)
            if (f->blocks[b].next[0] != BLOCKS_MAX && f->blocks[b].next[1] != BLOCKS_MAX)
                changed |= add_branch(f, all, b, conditions[b], waits);
    }
}
