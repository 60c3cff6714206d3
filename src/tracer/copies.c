/* copies.c - struct copies: what the compilers announce, and what they leave to memcpy.
 *
 * gcc calls the store's hook, then the load's, then copies. A GPU loads first: when a load is
 * announced right behind a store, with no room for the store itself between the two calls, the two
 * change places (engine.h says how that is seen). They also change program counters, which grow in
 * the order of execution; both belong to one statement.
 *
 * clang's thread instrumentation leaves a copy of 12 bytes and more to memcpy: no hook announces
 * it. Kernel files therefore call the functions here instead (cuda.h redirects the names when clang
 * instruments a file; from clang 16 on it calls __tsan_memcpy by itself). gcc's calls of memcpy
 * carry out copies that it has announced, and are not redirected. A call knows no type, so
 * alignment is judged by addresses: 16 bytes at multiples of 16 are a vector and one access,
 * anything else goes as ranges do (hooks.c). What is copied from the program's own constants is the
 * initial value of a local array, which costs no access.
 */
#include <string.h>

#include "tracer/engine.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static bool is_vector(const void *p, size_t bytes)
{
    return bytes == 16 && (uintptr_t)p % 16 == 0;
}

/* ---- gcc: the load first --------------------------------------------------------------------- */

enum { PARTS_MAX = 64 }; /* larger copies keep the store first */

struct announced {
    uint64_t meta, addr;
};

/* Takes the events of the store that was announced just before `pc` back; how many they are. */
static unsigned take_stores(struct announced *stores, unsigned call_bytes, uintptr_t pc)
{
    unsigned count = 0;
    while (count < PARTS_MAX && copies_may_end_at(pc, call_bytes)) {
        uint64_t meta = engine.cursor[-WARP_LANES];
        if (event_kind(meta) != EVENT_ACCESS || (meta >> EVENT_OP_SHIFT & 7) != OP_STORE ||
            meta >> EVENT_SYNC_SHIFT & 1)
            break;
        engine.cursor -= WARP_LANES;
        uint64_t addr = engine.cursor[EVENT_ADDR_OFFSET];
        engine.work += addr & ~EVENT_ADDR_MASK; /* for the load, which now comes first */
        stores[count++] = (struct announced){meta, addr & EVENT_ADDR_MASK};
        engine.stored = NULL; /* it has not been carried out */
    }
    return count;
}

bool copies_record_load(const void *from, size_t bytes, bool in_words, uintptr_t pc)
{
    struct announced stores[PARTS_MAX];
    unsigned call_bytes = in_words ? COPY_RANGE_CALL_BYTES : COPY_CALL_BYTES;
    unsigned count = take_stores(stores, call_bytes, pc);
    if (count == 0)
        return false;
    uint64_t load_pc = (uint32_t)(pc - engine.image_base);
    uintptr_t store_pc = engine.image_base + (uint32_t)stores[0].meta;
    if (in_words)
        hooks_record_range(from, bytes, OP_LOAD, 0, store_pc);
    else
        hooks_record(from, (unsigned)__builtin_ctzl(bytes), OP_LOAD, store_pc);
    while (count-- > 0)
        hooks_push_event((stores[count].meta & ~(uint64_t)UINT32_MAX) | load_pc, stores[count].addr,
                         pc);
    return true;
}

WORK_COST_1 void __tsan_read_range(void *p, long bytes);
WORK_COST_1 void __tsan_write_range(void *p, long bytes);

void __tsan_read_range(void *p, long bytes)
{
    uintptr_t pc = RETURN_ADDRESS;
    if (engine.current && copies_may_end_at(pc, COPY_RANGE_CALL_BYTES) &&
        copies_record_load(p, (size_t)bytes, true, pc))
        return;
    hooks_record_range(p, (size_t)bytes, OP_LOAD, 0, pc);
}

/* A store that may be a copy's stays in one piece: the load must find all of it in the column. */
void __tsan_write_range(void *p, long bytes)
{
    uintptr_t pc = RETURN_ADDRESS;
    if (engine.current && engine_events() + PARTS_MAX > EVENT_ROWS)
        lane_stop(LANE_READY, pc);
    hooks_record_range(p, (size_t)bytes, OP_STORE, 0, pc);
}

/* ---- clang: calls of memcpy ------------------------------------------------------------------ */

/* Parts of the store count on from those of the load, so that the merge keeps them in order. */
static void record_part(const void *p, size_t bytes, enum mem_op op, uintptr_t pc)
{
    if (is_vector(p, bytes))
        hooks_record(p, 4, op, pc);
    else
        hooks_record_range(p, bytes, op, op == OP_LOAD ? 0 : 128, pc);
}

static void record_copy(const void *to, const void *from, size_t bytes, uintptr_t pc)
{
    if (engine.current == NULL || engine.depth_bits == 0) /* parameters on their way to a kernel */
        return;
    if (!spaces_is_program_constant(from))
        record_part(from, bytes, OP_LOAD, pc);
    record_part(to, bytes, OP_STORE, pc);
}

#define COPIES(prefix)                                                                             \
    WORK_COST_2 void *prefix##memcpy(void *to, const void *from, size_t bytes);                    \
    WORK_COST_2 void *prefix##memmove(void *to, const void *from, size_t bytes);                   \
    WORK_COST_1 void *prefix##memset(void *to, int value, size_t bytes);                           \
    void *prefix##memcpy(void *to, const void *from, size_t bytes)                                 \
    {                                                                                              \
        record_copy(to, from, bytes, RETURN_ADDRESS);                                              \
        return memcpy(to, from, bytes);                                                            \
    }                                                                                              \
    void *prefix##memmove(void *to, const void *from, size_t bytes)                                \
    {                                                                                              \
        record_copy(to, from, bytes, RETURN_ADDRESS);                                              \
        return memmove(to, from, bytes);                                                           \
    }                                                                                              \
    void *prefix##memset(void *to, int value, size_t bytes)                                        \
    {                                                                                              \
        if (engine.current)                                                                        \
            record_part(to, bytes, OP_STORE, RETURN_ADDRESS);                                      \
        return memset(to, value, bytes);                                                           \
    }

COPIES(wl_)
COPIES(__tsan_)
