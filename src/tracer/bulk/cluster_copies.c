/* cluster_copies.c - what goes to other blocks of a cluster and nobody waits for but at a barrier there: st.async, red.async, bulk copies
 * from shared memory to shared memory, and loads that several blocks get (multicast).
 *
 * Decisions. As everywhere, bytes come when they are asked for (bulk_copies.c). A multicast is told as one load by the block that asks:
 * into its own memory where its bit is in the mask, else into the first block's, and how many others get the same.
 */
#include <string.h>

#include "tracer/bulk/bulk_events.h"
#include "tracer/bulk/bulk_parts.h"
#include "tracer/bulk/mbarriers.h"
#include "tracer/grid/cluster.h"
#include "tracer/shared_faults.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

enum { BULK_UNIT = 16 };

/* As warplens/cuda_cluster.h has it. */
enum operation { ADD, MIN_S32, MIN_U32, MAX_S32, MAX_U32, INC, DEC, AND, OR, XOR };

unsigned wl_cluster_rank_of(const void *pointer); /* grid/cluster_window.c */
void wl_store_async(void *to, unsigned long long low, unsigned long long high, unsigned bytes,
                    void *barrier, const char *file, int line);
void wl_reduce_async(void *to, unsigned long long value, unsigned bytes, enum operation operation,
                     void *barrier, const char *file, int line);
void wl_bulk_peer(void *to, const void *from, unsigned bytes, void *barrier, const char *file,
                  int line);
void wl_bulk_load_multicast(void *to, const void *from, unsigned bytes, void *barrier,
                            unsigned blocks, const char *file, int line);
void wl_tensor_load_multicast(void *to, const void *map, unsigned rank, int c0, int c1, int c2,
                              int c3, int c4, void *barrier, unsigned blocks, const char *file,
                              int line);

static uintptr_t at_line(uintptr_t pc, const char *file, int line)
{
    if (file && engine.current)
        call_lines_say(pc, file, (unsigned)line);
    return pc;
}

static void check_same_block(const void *to, const void *barrier, uintptr_t pc)
{
    const unsigned rank = wl_cluster_rank_of(to), other = wl_cluster_rank_of(barrier);
    if (rank != other)
        engine_fail_lane(pc,
                         "bytes for block %u of the cluster whose barrier is block %u's: both "
                         "are of one block",
                         rank, other);
}

/* ---- st.async, red.async ------------------------------------------------------------------------------ */

static void check_async(const void *to, unsigned bytes, const void *barrier, enum mem_op op,
                        uintptr_t pc)
{
    hooks_check_aligned(to, bytes, op, pc);
    const struct place place = spaces_place(to, bytes, op, pc);
    if (place.space != SPACE_SHARED && !cluster_holds(to))
        engine_fail_lane(pc, "an asynchronous store (st.async, red.async) that is not to shared "
                             "memory of the cluster");
    check_same_block(to, barrier, pc);
    (cluster_holds(to) ? cluster_check : shared_check)(to, bytes, op, pc);
    if (engine.is_muted)
        return;
    hooks_push_event(
        hooks_meta(EVENT_ACCESS, pc) | (uint64_t)__builtin_ctz(bytes) << EVENT_WIDTH_SHIFT |
            (uint64_t)op << EVENT_OP_SHIFT | (uint64_t)SPACE_CLUSTER_ASYNC << EVENT_SPACE_SHIFT,
        place.space == SPACE_SHARED ? place.addr + (uint64_t)cluster.rank * CLUSTER_BLOCK_BYTES
                                    : place.addr,
        pc);
}

WORK_COST_1 void wl_store_async(void *to, unsigned long long low, unsigned long long high,
                                unsigned bytes, void *barrier, const char *file, int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    const unsigned long long words[] = {low, high};
    if (engine.current == NULL)
        return;
    check_async(to, bytes, barrier, OP_STORE, pc);
    memcpy(to, words, bytes);
    mbarriers_complete(barrier, bytes, pc);
}

static uint32_t reduced(enum operation operation, uint32_t old, uint32_t value)
{
    const int32_t a = (int32_t)old, b = (int32_t)value;
    switch (operation) {
    case MIN_S32:
        return a < b ? old : value;
    case MIN_U32:
        return old < value ? old : value;
    case MAX_S32:
        return a > b ? old : value;
    case MAX_U32:
        return old > value ? old : value;
    case INC:
        return old >= value ? 0 : old + 1;
    case DEC:
        return old == 0 || old > value ? value : old - 1;
    case AND:
        return old & value;
    case OR:
        return old | value;
    case XOR:
        return old ^ value;
    case ADD:
        break;
    }
    return old + value;
}

WORK_COST_1 void wl_reduce_async(void *to, unsigned long long value, unsigned bytes,
                                 enum operation operation, void *barrier, const char *file,
                                 int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    if (engine.current == NULL)
        return;
    check_async(to, bytes, barrier, OP_ATOMIC, pc);
    if (bytes == sizeof value) {
        unsigned long long old;
        memcpy(&old, to, sizeof old);
        old += value;
        memcpy(to, &old, sizeof old);
    } else {
        uint32_t old;
        memcpy(&old, to, sizeof old);
        old = reduced(operation, old, (uint32_t)value);
        memcpy(to, &old, sizeof old);
    }
    mbarriers_complete(barrier, bytes, pc);
}

/* ---- Bulk copies ---------------------------------------------------------------------------------------- */

WORK_COST_1 void wl_bulk_peer(void *to, const void *from, unsigned bytes, void *barrier,
                              const char *file, int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    if (engine.current == NULL)
        return;
    bulk_check_row(to, from, bytes, pc);
    const struct bulk_copy copy = bulk_row_of(bulk_shared_place(from, bytes, OP_LOAD, pc), bytes);
    const uint64_t target = bulk_shared_place(to, bytes, OP_STORE, pc);
    check_same_block(to, barrier, pc);
    memmove(to, from, bytes);
    bulk_events_peer(&copy, target + (cluster_holds(to) ? 0 : cluster.rank * CLUSTER_BLOCK_BYTES),
                     pc);
    mbarriers_complete(barrier, bytes, pc);
}

/* The block that the load is told of: the one that asks if it is among them, else the first. */
static unsigned first_of(unsigned blocks, uintptr_t pc)
{
    if (blocks == 0 || blocks >> cluster.count)
        engine_fail_lane(pc,
                         "a multicast to blocks 0x%x of a cluster of %u; allowed: bits of ranks "
                         "0 to %u, one at least",
                         blocks, cluster.count, cluster.count - 1);
    return blocks >> cluster.rank & 1 ? cluster.rank : (unsigned)__builtin_ctz(blocks);
}

static unsigned others(unsigned blocks)
{
    return (unsigned)__builtin_popcount(blocks) - 1;
}

/* The others get what the first has. */
static void hand_on(const void *from, const void *to, uint32_t taken, uint32_t bytes, void *barrier,
                    unsigned blocks, uintptr_t pc)
{
    for (; blocks; blocks &= blocks - 1) {
        const unsigned rank = (unsigned)__builtin_ctz(blocks);
        void *other = cluster_map(to, rank, pc);
        bulk_shared_place(other, taken, OP_STORE, pc);
        memcpy(other, from, taken);
        mbarriers_complete(cluster_map(barrier, rank, pc), bytes, pc);
    }
}

WORK_COST_1 void wl_bulk_load_multicast(void *to, const void *from, unsigned bytes, void *barrier,
                                        unsigned blocks, const char *file, int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    if (engine.current == NULL)
        return;
    const unsigned first = first_of(blocks, pc);
    void *own = cluster_map(to, first, pc);
    bulk_load_row(own, from, bytes, cluster_map(barrier, first, pc), others(blocks), pc);
    hand_on(own, to, bytes, bytes, barrier, blocks & ~(1U << first), pc);
}

WORK_COST_1 void wl_tensor_load_multicast(void *to, const void *map, unsigned rank, int c0, int c1,
                                          int c2, int c3, int c4, void *barrier, unsigned blocks,
                                          const char *file, int line)
{
    const uintptr_t pc = at_line(RETURN_ADDRESS, file, line);
    const int at[] = {c0, c1, c2, c3, c4};
    if (engine.current == NULL)
        return;
    const unsigned first = first_of(blocks, pc);
    void *own = cluster_map(to, first, pc);
    uint32_t bytes;
    const uint32_t taken = bulk_load_box(own, map, rank, at, cluster_map(barrier, first, pc),
                                         others(blocks), &bytes, pc);
    hand_on(own, to, taken, bytes, barrier, blocks & ~(1U << first), pc);
}
