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

static struct behind *find_behind(const struct function *f)
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

/* What the blocks that depend on the branch wait for, besides what it waits for itself; true when that was new. */
static bool add_branch(const struct function *f, const struct behind *all, uint32_t branch,
                       struct flow condition, struct flow *waits)
{
    bool changed = false;
    value_flow_add(&condition, waits[branch]);
    for (unsigned way = 0; way < 2 && (condition.now | condition.before); way++) {
        const uint32_t to = f->blocks[branch].next[way];
        struct flow flow = condition;
        if (function_jumps_back(f, branch, to))
            flow = (struct flow){0, condition.now | condition.before};
        for (uint32_t b = 0; b < f->block_count; b++)
            if (has(&all[to], b) && (b == branch || !has(&all[branch], b)))
                changed |= value_flow_add(&waits[b], flow);
    }
    return changed;
}

void function_find_conditions(const struct function *f, const struct flow *conditions,
                              struct flow *waits)
{
    struct behind *all = find_behind(f);
    bool changed = all != NULL;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < f->block_count; b++)
            if (f->blocks[b].next[0] != BLOCKS_MAX && f->blocks[b].next[1] != BLOCKS_MAX)
                changed |= add_branch(f, all, b, conditions[b], waits);
    }
    free(all);
}
