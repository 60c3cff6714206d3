/* blocks.h - the inside of the tracer: running the blocks of a launch. */
#ifndef WARPLENS_TRACER_BLOCKS_H
#define WARPLENS_TRACER_BLOCKS_H

#include <stdint.h>

enum block_stop {
    BLOCK_ENDED, /* or the launch has failed */
    BLOCK_AT_GRID_BARRIER,
    BLOCK_AWAITS_OTHERS, /* of its cluster */
};

/* Makes block number `linear` of the grid the present one. */
void block_choose(uint32_t linear);
/* The present block is at its beginning. */
void block_begin(void);
/* Runs it from where it is to its end, to a barrier of the grid, or to where it waits for other blocks of its cluster. */
enum block_stop block_go_on(void);
/* At a barrier of the grid that block `ended` does not reach: the launch fails. */
void block_fail_grid_barrier(uint32_t ended);

/* All blocks of the launch. */
void blocks_run(void);
/* cooperative.c: the same of a cooperative launch. */
void cooperative_run(void);

#endif
