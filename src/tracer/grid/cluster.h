/* cluster.h - the inside of the tracer: blocks of a cluster, which are alive together and reach each other's shared memory.
 *
 * A launch without clusters has clusters of one block, as a GPU from sm_90 on says of it (PTX ISA, "Cluster of Cooperative Thread
 * Arrays").
 */
#ifndef WARPLENS_TRACER_CLUSTER_H
#define WARPLENS_TRACER_CLUSTER_H

#include "tracer/bulk/mbarriers.h"

/* CUDA C++ Programming Guide, "Thread Block Clusters": 8 blocks everywhere, 16 where the kernel allows it. */
enum { CLUSTER_BLOCKS_PORTABLE = 8, CLUSTER_BLOCKS_MAX = 16 };

enum cluster_block { BLOCK_TO_COME, BLOCK_ALIVE, BLOCK_GONE };

extern struct cluster {
    dim3 size;
    uint32_t count;                                /* blocks; 1 without clusters */
    uint32_t rank;                                 /* the present block's */
    enum cluster_block blocks[CLUSTER_BLOCKS_MAX]; /* by rank */
    uint32_t
        live[CLUSTER_BLOCKS_MAX]; /* their threads that have not ended, while they are set aside */
    struct mbarrier barrier; /* barrier.cluster: expected are the threads that have not ended */
    uint32_t told[CLUSTER_BLOCKS_MAX][2]; /* arrivals of each block, by the phase's last bit */
    uint64_t steps;                       /* accesses of other blocks' memory so far */
    uint64_t waited
        [CLUSTER_BLOCKS_MAX]; /* ... when a thread of the block has last waited for a phase of a barrier of its own */
    /* Accesses of each block's memory by others: the latest one but arrivals at barriers, and the latest arrival, which leaves nothing
     * to read. */
    struct cluster_touch {
        uint64_t step;  /* 0: none */
        uint32_t phase; /* of the cluster's barrier */
        uint32_t block;
        uint3 thread;
        uintptr_t pc;
    } touched[CLUSTER_BLOCKS_MAX], arrived[CLUSTER_BLOCKS_MAX];
} cluster;

/* The launch's clusters; the present block's are those of its size. */
void cluster_launch(dim3 size);
/* A cluster of one block begins, the present one. */
void cluster_alone(void);
/* Ends the barrier's phase if all threads that have not ended have arrived: whether that is so. All lanes have stopped. */
bool cluster_settle(void);
/* All blocks of a launch with clusters. */
void clusters_run(void);

/* Ends the launch on a GPU without clusters. */
void cluster_needs(uintptr_t pc);

/* ---- cluster_window.c: shared memory of blocks that are set aside, at host addresses of its own -------------------- */

extern struct cluster_window {
    uintptr_t base, bytes; /* 0 before the first launch with clusters */
} cluster_window;

/* Room for all blocks of a cluster; false, with a message, when there is none. */
bool cluster_window_open(void);
/* The present block's shared memory goes there, and comes back; nothing is written any more, of all blocks. */
void cluster_window_put(void);
void cluster_window_take(void);
void cluster_window_clear(void);

static inline bool cluster_holds(const void *pointer)
{
    return (uintptr_t)pointer - cluster_window.base < cluster_window.bytes;
}
/* Where an address of the window is; the launch fails where the block is not there. */
struct place cluster_place(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc);
/* The block that has an address of the window. */
uint32_t cluster_rank_at(const void *pointer);
/* Counts an arrival at a barrier of a block that has returned, or returns without waiting for it, at `pc` by that thread. */
void cluster_count_arrival(uint32_t rank, const char *does, uint3 thread, uintptr_t pc);
/* Counts a load of bytes that the block has not written, and notes those that are. */
void cluster_check(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc);
/* The states of bytes of the window. */
uint8_t *cluster_states(const void *pointer);
/* The same place of block `rank` of the cluster, as a generic address; the launch fails where there is no such block. */
void *cluster_map(const void *pointer, unsigned rank, uintptr_t pc);

/* 32-bit addresses: bits 24 and up are 1 + the rank, below them is the place in the block. */
enum { CLUSTER_RANK_SHIFT = 24 };
/* The host address of such a one; NULL: it is none. Such a one of a place in the window. */
void *cluster_pointer(unsigned long long address);
unsigned long long cluster_address(const void *pointer);

#endif
