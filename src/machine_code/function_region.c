/* function_region.c - x86-64: which blocks of a function have no branch between them that a GPU takes.
 *
 * Those of a region can be put in another order: the sides of a branch that are carried out under a predicate, and loops that are unrolled
 * whole, are of the region around them. What is in front of a branch that is left has been issued when what is behind it is.
 */
#include <stdlib.h>

#include "machine_code/function_code.h"

/* A bit each: loops that are unrolled whole. */
static uint64_t find_flattened(struct function *f)
{
    uint64_t flattened = 0, rounds;
    _Static_assert(LOOPS_MAX <= 64, "a bit each");
    for (uint32_t l = 0; l < f->loop_count; l++)
        if (function_is_constant_loop(f, f->loops[l].head, &rounds) &&
            function_most_of_loop(f, &f->loops[l]) == LOOP_FLATTENED)
            flattened |= (uint64_t)1 << l;
    return flattened;
}

static bool is_head(const struct function *f, uint64_t flattened, uint32_t block)
{
    for (uint32_t l = 0; l < f->loop_count; l++)
        if (f->loops[l].head == block && !(flattened >> l & 1))
            return true;
    return false;
}

/* The block's branch leaves a loop or goes on with it. */
static bool is_of_loop(const struct function *f, uint64_t flattened, uint32_t block)
{
    const uint32_t *next = f->blocks[block].next;
    const struct natural_loop *loop = NULL;
    while ((loop = function_loop_around(f, block, loop)) != NULL)
        if (!(flattened >> (loop - f->loops) & 1) &&
            (function_leaves(f, loop, block) || next[0] == loop->head || next[1] == loop->head))
            return true;
    return false;
}

/* Joins the block to those that go on to it. */
static bool join(struct function *f, const bool *is_branch, uint32_t block)
{
    uint32_t region = f->blocks[block].region;
    for (uint32_t b = 0; b < f->block_count; b++)
        if (f->blocks[b].next[0] == block || f->blocks[b].next[1] == block) {
            if (is_branch[b])
                return false;
            region = f->blocks[b].region < region ? f->blocks[b].region : region;
        }
    bool changed = region < f->blocks[block].region;
    f->blocks[block].region = region;
    for (uint32_t b = 0; b < f->block_count; b++)
        if ((f->blocks[b].next[0] == block || f->blocks[b].next[1] == block) &&
            f->blocks[b].region > region) {
            f->blocks[b].region = region;
            changed = true;
        }
    return changed;
}

/* The first block of the smallest loop around that is not unrolled whole, else of the largest one around, else of the function. */
static uint32_t begin_of(const struct function *f, uint64_t flattened, uint32_t block)
{
    const struct natural_loop *loop = NULL;
    uint32_t begin = 0;
    while ((loop = function_loop_around(f, block, loop)) != NULL) {
        begin = loop->head;
        if (!(flattened >> (loop - f->loops) & 1))
            break;
    }
    return begin;
}

void function_find_regions(struct function *f, const struct behind *behind)
{
    const uint64_t flattened = find_flattened(f);
    bool *is_branch = calloc(f->block_count, sizeof *is_branch), changed = is_branch != NULL;
    for (uint32_t b = 0; b < f->block_count; b++)
        f->blocks[b].region = b;
    if (is_branch)
        function_find_branches(f, behind, is_branch);
    for (uint32_t b = 0; b < f->block_count && is_branch; b++)
        is_branch[b] |= is_of_loop(f, flattened, b);
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < f->block_count; b++)
            changed |= !is_head(f, flattened, b) && join(f, is_branch, b);
    }
    for (uint32_t b = 0; b < f->block_count; b++)
        f->blocks[b].is_behind_branch =
            f->blocks[b].region != f->blocks[begin_of(f, flattened, b)].region;
    free(is_branch);
}
