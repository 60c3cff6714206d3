/* held_steps.h - the inside of the tracer: steps of blocks that take turns, kept until they can be given block by block. */
#ifndef WARPLENS_TRACER_HELD_STEPS_H
#define WARPLENS_TRACER_HELD_STEPS_H

#include "stream/stream.h"

/* A sink that keeps accesses, events and synchronisations of the blocks of a launch, and hands sites on to `sink`. NULL: no
 * memory. */
const struct trace_sink *held_start(const struct trace_sink *sink, uint32_t block_count);
/* Gives all that was kept to that sink, block after block; false when it wants no more. */
bool held_give(void);
/* All of that block is there; gives those whose turn it is. */
void held_block_ended(uint32_t block);
bool held_give_ended(void);
void held_free(void);

#endif
