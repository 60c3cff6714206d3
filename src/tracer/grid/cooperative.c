/* cooperative.c - a cooperative launch: all blocks run to the barrier of the grid, one after another, then all from there
 * to the next one. What they do is kept by block until all have ended: a stream has each block whole.
 */
#include <stdlib.h>

#include "tracer/grid/blocks.h"
#include "tracer/engine.h"
#include "tracer/grid/held_steps.h"
#include "tracer/grid/set_aside.h"

struct grid {
    uint32_t block_count, waiting, ended; /* of the blocks that have run since the barrier */
    uint32_t last_ended;
    struct aside **asides; /* by block; NULL: it has ended, or not begun */
};

/* From its beginning, or from the barrier where it was set aside. */
static void run_block(struct grid *grid, uint32_t block, bool begins)
{
    if (begins) {
        block_choose(block);
        block_begin();
    } else {
        aside_bring_back(grid->asides[block]);
        grid->asides[block] = NULL;
    }
    if (block_go_on() == BLOCK_AT_GRID_BARRIER) {
        grid->asides[block] = aside_take();
        grid->waiting++;
    } else {
        grid->last_ended = block;
        grid->ended++;
    }
}

static void fail_at_barrier(struct grid *grid)
{
    uint32_t block = 0;
    while (grid->asides[block] == NULL)
        block++;
    aside_bring_back(grid->asides[block]);
    grid->asides[block] = NULL;
    block_fail_grid_barrier(grid->last_ended);
}

/* All blocks to the next barrier, or to their ends. */
static void run_round(struct grid *grid, bool begins)
{
    grid->waiting = grid->ended = 0;
    for (uint32_t i = 0; i < grid->block_count && !engine.failed; i++)
        run_block(grid, i, begins);
    if (grid->waiting && grid->ended && !engine.failed)
        fail_at_barrier(grid);
}

static void run_rounds(struct grid *grid)
{
    run_round(grid, true);
    while (grid->waiting && !engine.failed)
        run_round(grid, false);
    for (uint32_t i = 0; i < grid->block_count; i++)
        aside_free(grid->asides[i]);
}

void cooperative_run(void)
{
    const dim3 size = engine_indices.grid_dim;
    const struct trace_sink *sink = engine.sink;
    struct grid grid = {.block_count = size.x * size.y * size.z};
    grid.asides = calloc(grid.block_count, sizeof(struct aside *));
    const struct trace_sink *held = held_start(sink, grid.block_count);
    if (grid.asides && held) {
        engine.sink = held;
        run_rounds(&grid);
        engine.sink = sink;
        if (!engine.failed)
            engine_heed(held_give());
    } else {
        tracer_fail("%s: no memory for %u blocks", engine.kernel, grid.block_count);
    }
    held_free();
    free(grid.asides);
}
