/* spool.h - a run kept in a temporary file: it is made once and replayed as often as there are changes
 * to try, with the blocks in any order. Memory grows with the number of blocks, not of accesses.
 *
 * Beyond ADVISE_ACCESSES_MAX accesses no further block is kept; the one that is under way is.
 */
#ifndef WARPLENS_ADVISE_SPOOL_H
#define WARPLENS_ADVISE_SPOOL_H

#include <stdio.h>

#include "result/run_info.h"

enum { ADVISE_ACCESSES_MAX = 4 << 20, SPOOL_MESSAGE_BYTES = 160 };

/* A block's records in the file. */
struct spool_block {
    uint64_t at;
    uint32_t block;
};

struct spool_launch {
    struct launch_info info; /* with texts, arrays and managed pages of its own */
    uint64_t shared_bytes;
    size_t first_block, block_count; /* those that were kept */
};

struct spool {
    FILE *file;
    struct run_info *info; /* notes, sites and faults */
    struct spool_launch *launches;
    struct spool_block *blocks;
    size_t launch_count, launch_room, block_count, block_room;
    uint64_t accesses, access_limit, blocks_dropped;
    uint64_t at; /* bytes written */
    bool in_launch, in_block, dropping;
    char message[SPOOL_MESSAGE_BYTES]; /* "" until something fails */
};

/* False, with a message, when there is no memory or no temporary file; spool_stop is due in any case. */
bool spool_start(struct spool *spool, uint64_t access_limit);
void spool_stop(struct spool *spool);

/* Takes a run. A launch that a fault has stopped is not kept. */
struct trace_sink spool_sink(struct spool *spool);

/* The block of a launch whose recorded work runs in place `place`. */
typedef uint32_t spool_order(const struct launch_info *launch, uint32_t place);

/* An order, and whose blocks have it. */
struct block_order {
    spool_order *of;    /* NULL: as recorded */
    const char *kernel; /* NULL: of all launches */
};

/* Gives the run to the sink. An order is for whole launches alone. False when the file fails, after a
 * message, or the sink wants no more. */
bool spool_replay(struct spool *spool, struct block_order order, const struct trace_sink *sink);

#endif
