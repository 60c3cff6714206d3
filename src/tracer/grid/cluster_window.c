/* cluster_window.c - distributed shared memory: what kernels reach of other blocks of their cluster.
 *
 * All blocks run in the same thread-local block (spaces.c). Those that are set aside have their shared memory in a window, at the same
 * offsets for each rank, and so a lane of the block that runs reaches them by plain loads and stores. The block that runs is not in the
 * window: addresses of a block's own memory are its own, in generic form; a 32-bit one says the rank and is looked up when it is used.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tracer/grid/cluster.h"
#include "tracer/shared_faults.h"

enum { WINDOW_ALIGNMENT = 4096 };

struct cluster_window cluster_window;
static uint8_t *states;  /* of the window's bytes */
static uintptr_t stride; /* from one rank to the next */

bool cluster_window_open(void)
{
    if (cluster_window.bytes)
        return true;
    stride = (shared_window.bytes + WINDOW_ALIGNMENT - 1) / WINDOW_ALIGNMENT * WINDOW_ALIGNMENT;
    const uintptr_t bytes = stride * CLUSTER_BLOCKS_MAX;
    char *base = aligned_alloc(WINDOW_ALIGNMENT, bytes);
    states = calloc(bytes, 1);
    if (base == NULL || states == NULL || stride >> CLUSTER_RANK_SHIFT) {
        tracer_fail("%s: no memory for the shared memory of a cluster's blocks", engine.kernel);
        free(base);
        free(states);
        return false;
    }
    cluster_window = (struct cluster_window){(uintptr_t)base, bytes};
    return true;
}

static char *bytes_of(uint32_t rank)
{
    return (char *)cluster_window.base + rank * stride;
}

void cluster_window_put(void)
{
    spaces_copy_out(bytes_of(cluster.rank), states + cluster.rank * stride);
}

void cluster_window_take(void)
{
    spaces_copy_in(bytes_of(cluster.rank), states + cluster.rank * stride);
}

void cluster_window_clear(void)
{
    for (uint32_t rank = 0; rank < cluster.count; rank++)
        spaces_clear_states(states + rank * stride);
}

uint8_t *cluster_states(const void *pointer)
{
    return states + ((uintptr_t)pointer - cluster_window.base);
}

static _Noreturn void fail(uint32_t rank, const char *why, uintptr_t pc)
{
    engine.error = cudaErrorIllegalAddress;
    engine_fail_lane(pc, "access to the shared memory of block %u of the cluster, %s", rank, why);
}

uint32_t cluster_rank_at(const void *pointer)
{
    return (uint32_t)(((uintptr_t)pointer - cluster_window.base) / stride);
}

void cluster_count_arrival(uint32_t rank, const char *does, uint3 thread, uintptr_t pc)
{
    faults_count_thread(
        &(struct trace_fault){.kind = FAULT_BLOCK_RETURNED, .array = ""}, 1,
        (const uint32_t[]){thread.x, thread.y, thread.z}, pc,
        "arrival at a barrier of block %u of the cluster, which %s: undefined in CUDA; no "
        "thread that waits is left there, and here nothing comes of it",
        rank, does);
}

struct place cluster_place(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    const uintptr_t at = (uintptr_t)pointer - cluster_window.base;
    const uint32_t rank = cluster_rank_at(pointer);
    if (rank == cluster.rank)
        fail(rank,
             "by its own thread through an address that another block has mapped: "
             "hand on the rank, or a 32-bit address, and map it where it is used",
             pc);
    if (rank >= cluster.count || cluster.blocks[rank] == BLOCK_GONE)
        fail(rank,
             "which has returned from the kernel: its memory may be another block's; let "
             "all wait at a cluster.sync() before they return",
             pc);
    if (cluster.blocks[rank] == BLOCK_TO_COME)
        fail(rank,
             "which may not have started yet: let all blocks wait at a cluster.sync() "
             "before the first access",
             pc);
    cluster.touched[rank] = (struct cluster_touch){.step = ++cluster.steps,
                                                   .phase = cluster.barrier.phase,
                                                   .block = engine.block_linear,
                                                   .thread = engine.current->thread,
                                                   .pc = pc};
    const struct place place = spaces_place_shared(at % stride, width, op, pc);
    return (struct place){(enum mem_space)SPACE_CLUSTER,
                          (uint64_t)rank * CLUSTER_BLOCK_BYTES + place.addr};
}

void cluster_check(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    uint8_t *state = cluster_states(pointer);
    const uintptr_t at = (uintptr_t)pointer - cluster_window.base;
    const bool written = memchr(state, BYTE_WRITTEN, width) != NULL;
    if (op != OP_LOAD)
        memset(state, BYTE_WRITTEN, width);
    if (!written && op != OP_STORE)
        shared_count_unwritten(at % stride, width, op, "of its block", pc);
}

void *cluster_map(const void *pointer, unsigned rank, uintptr_t pc)
{
    uintptr_t at = (uintptr_t)pointer - shared_window.base;
    if (engine.current == NULL)
        return (void *)pointer;
    cluster_needs(pc);
    if (cluster_holds(pointer))
        at = ((uintptr_t)pointer - cluster_window.base) % stride;
    if (at >= shared_window.bytes)
        engine_fail_lane(pc,
                         "a pointer of another block's shared memory (map_shared_rank, mapa) is "
                         "made of one that is not in shared memory: hand it a __shared__ array");
    if (rank >= cluster.count)
        engine_fail_lane(pc, "block %u of a cluster of %u: ranks are 0 to %u", rank, cluster.count,
                         cluster.count - 1);
    return rank == cluster.rank ? (void *)(shared_window.base + at) : bytes_of(rank) + at;
}

void *cluster_pointer(unsigned long long address)
{
    const uint64_t rank = (address >> CLUSTER_RANK_SHIFT) - 1;
    const uintptr_t at = address & ((1U << CLUSTER_RANK_SHIFT) - 1);
    if (rank >= cluster.count || at >= shared_window.bytes)
        return NULL;
    return rank == cluster.rank ? (void *)(shared_window.base + at)
                                : (void *)(bytes_of((uint32_t)rank) + at);
}

unsigned long long cluster_address(const void *pointer)
{
    const uintptr_t at = (uintptr_t)pointer - cluster_window.base;
    return (at / stride + 1) << CLUSTER_RANK_SHIFT | at % stride;
}

/* ---- What kernels call (warplens/cuda_cluster.h) --------------------------------------------------------- */

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

void *wl_cluster_map(const void *pointer, unsigned rank, const char *file, int line);
unsigned long long wl_cluster_address(unsigned long long address, unsigned rank);
unsigned wl_cluster_rank_of(const void *pointer);
bool wl_is_cluster(const void *pointer);

WORK_COST_1 void *wl_cluster_map(const void *pointer, unsigned rank, const char *file, int line)
{
    if (file && engine.current && (rank >= cluster.count || !wl_is_cluster(pointer))) /* it fails */
        call_lines_say(RETURN_ADDRESS, file, (unsigned)line);
    return cluster_map(pointer, rank, RETURN_ADDRESS);
}

WORK_COST_1 unsigned long long wl_cluster_address(unsigned long long address, unsigned rank)
{
    const uintptr_t at = address & ((1U << CLUSTER_RANK_SHIFT) - 1);
    cluster_map((const void *)(shared_window.base + at), rank, RETURN_ADDRESS);
    return (unsigned long long)(rank + 1) << CLUSTER_RANK_SHIFT | at;
}

WORK_COST_1 unsigned wl_cluster_rank_of(const void *pointer)
{
    return cluster_holds(pointer) ? (unsigned)(((uintptr_t)pointer - cluster_window.base) / stride)
                                  : cluster.rank;
}

WORK_COST_1 bool wl_is_cluster(const void *pointer)
{
    return cluster_holds(pointer) || (uintptr_t)pointer - shared_window.base < shared_window.bytes;
}
