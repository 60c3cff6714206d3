/* regrouping.c - shapes of launches and indices of threads.
 *
 * Decision. The last block of a row that has fewer neighbours than `factor` becomes a block whose other
 * threads do nothing: a program would test an index there.
 */
#include "advise/regrouping.h"

#include <string.h>

#include "stream/limits.h"

bool regrouping_is_of_same(const struct regrouping *a, const struct regrouping *b)
{
    return strcmp(a->kernel, b->kernel) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

bool regrouping_applies(const struct regrouping *r, const struct launch_info *launch)
{
    return r->kind != REGROUP_NONE && strcmp(r->kernel, launch->kernel) == 0 &&
           memcmp(r->block, launch->block, sizeof r->block) == 0;
}

static uint32_t divided_up(uint32_t count, uint32_t by)
{
    return count / by + (count % by != 0);
}

static void swap(uint32_t *x, uint32_t *y)
{
    const uint32_t kept = *x;
    *x = *y;
    *y = kept;
}

static bool is_line(const uint32_t block[3])
{
    return block[1] == 1 && block[2] == 1;
}

bool regrouping_shape(const struct regrouping *r, const struct launch_shape *from,
                      struct launch_shape *to)
{
    const uint32_t factor = r->factor;
    bool fine = true;
    *to = *from;
    switch (r->kind) {
    case REGROUP_NONE:
    case REGROUP_SORT:
        break;
    case REGROUP_SWAP:
        swap(&to->block[0], &to->block[1]);
        if (r->swaps_grid)
            swap(&to->grid[0], &to->grid[1]);
        break;
    case REGROUP_SHAPE:
        fine = from->block[1] % factor == 0;
        to->block[0] *= factor;
        to->block[1] /= factor;
        to->grid[0] = divided_up(from->grid[0], factor);
        to->grid[1] *= factor;
        break;
    case REGROUP_MERGE:
        to->block[0] *= factor;
        to->grid[0] = divided_up(from->grid[0], factor);
        break;
    case REGROUP_SPLIT:
        fine = from->block[0] % factor == 0;
        to->block[0] /= factor;
        to->grid[0] *= factor;
        break;
    case REGROUP_CHAIN:
    case REGROUP_VECTOR:
        to->grid[0] = divided_up(from->grid[0], factor);
        break;
    case REGROUP_DEAL:
        fine = from->grid[1] == 1 && from->grid[2] == 1 &&
               (r->wider == 1 || (from->grid[0] == 1 && is_line(from->block)));
        to->grid[0] *= factor;
        to->block[0] *= r->wider;
        break;
    }
    return fine && shape_threads(to) <= BLOCK_THREADS_MAX;
}

static uint32_t at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

uint32_t regrouping_group(const struct regrouping *r, const struct launch_shape *from,
                          uint32_t first)
{
    switch (r->kind) {
    case REGROUP_MERGE:
    case REGROUP_CHAIN:
    case REGROUP_VECTOR:
        return at_most(r->factor, from->grid[0] - first % from->grid[0]);
    case REGROUP_SHAPE:
    case REGROUP_DEAL:
        return from->grid[0];
    default:
        return 1;
    }
}

uint32_t regrouping_makes(const struct regrouping *r, const struct launch_shape *from)
{
    if (r->kind == REGROUP_SHAPE)
        return divided_up(from->grid[0], r->factor) * r->factor;
    if (r->kind == REGROUP_SPLIT)
        return r->factor;
    return r->kind == REGROUP_DEAL ? from->grid[0] * r->factor : 1;
}

bool regrouping_origin(const struct regrouping *r, const struct launch_shape *from,
                       const struct launch_shape *to, uint32_t blocks,
                       const struct thread_origin *thread, uint32_t part,
                       struct thread_origin *origin)
{
    const uint32_t width = from->block[0], factor = r->factor;
    uint32_t x = thread->thread % to->block[0], y = thread->thread / to->block[0] % to->block[1];
    const uint32_t z = thread->thread / (to->block[0] * to->block[1]);
    *origin = (struct thread_origin){0};
    switch (r->kind) {
    case REGROUP_SWAP:
        swap(&x, &y);
        break;
    case REGROUP_SHAPE:
        y += thread->block / to->grid[0] * to->block[1];
        x += thread->block % to->grid[0] * to->block[0];
        origin->block = x / width;
        break;
    case REGROUP_MERGE:
        origin->block = x / width;
        break;
    case REGROUP_VECTOR:
        x = x * factor + part;
        origin->block = x / width;
        break;
    case REGROUP_SPLIT:
        x += thread->block * to->block[0];
        break;
    case REGROUP_CHAIN:
        origin->block = part;
        break;
    case REGROUP_DEAL:
        origin->block = thread->block % from->grid[0];
        break;
    default:
        break;
    }
    origin->thread = x % width + width * (y + from->block[1] * z);
    return origin->block < blocks;
}
