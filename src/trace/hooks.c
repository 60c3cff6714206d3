/* hooks.c - the calls that -fsanitize=thread and -fsanitize-coverage=trace-pc put into kernels.
 *
 * A hook runs before the access it announces. It finds the space and the simulated address, checks
 * bounds, alignment and that loaded bytes were written, and adds an event to the lane's column. Host
 * code of the same file is instrumented too: without a current lane a hook does nothing.
 *
 * A struct copy whose type is under-aligned arrives as a range; nvcc loads the largest words the type's
 * alignment allows, which the hook is not told. Ranges are split into 4-byte words (2- or 1-byte ones
 * when the size is not a multiple), right for structs of floats and ints.
 */
#include "trace/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

void hooks_push(struct lane *lane, uint64_t meta, uint64_t addr)
{
    if (lane->count == EVENT_ROWS)
        lane_stop(LANE_READY, lane->stopped_at);
    lane->meta[(size_t)lane->count * WARP_LANES] = meta;
    lane->addr[(size_t)lane->count * WARP_LANES] = addr;
    lane->count++;
}

/* The states that every byte of an access must have: a load reads only what was written. */
static uint64_t state_load(const uint8_t *state, unsigned log2_width)
{
    uint64_t value;
    switch (log2_width) {
    case 0:
        return *state * 0x0101010101010101ULL;
    case 1: {
        uint16_t half;
        __builtin_memcpy(&half, state, 2);
        return half * 0x0001000100010001ULL;
    }
    case 2: {
        uint32_t word;
        __builtin_memcpy(&word, state, 4);
        return word * 0x0000000100000001ULL;
    }
    case 3:
        __builtin_memcpy(&value, state, 8);
        return value;
    default: {
        uint64_t high;
        __builtin_memcpy(&value, state, 8);
        __builtin_memcpy(&high, state + 8, 8);
        return value & high;
    }
    }
}

#define ALL_WRITTEN (BYTE_WRITTEN * 0x0101010101010101ULL)
#define ANY_MISSING (BYTE_UNWRITTEN * 0x0101010101010101ULL)

/* Bits of the state: 3 is written, 2 unwritten, 0 and 1 have bit 1 clear. */
static void check_global(uint64_t offset, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    uint8_t *state = device_arena.state + offset;
    uint64_t seen = state_load(state, log2_width);
    if (seen == ALL_WRITTEN)
        return;
    unsigned width = 1U << log2_width;
    if ((seen & ANY_MISSING) == ANY_MISSING && op == OP_STORE) {
        __builtin_memset(state, BYTE_WRITTEN, width);
        return;
    }
    char text[MESSAGE_BYTES / 2];
    memory_explain(offset, width, op, text, sizeof text);
    engine_fail_lane(pc, "%s", text);
}

static uint64_t event_meta(const struct lane *lane, uintptr_t pc, enum event_kind kind)
{
    return (uint32_t)(pc - engine.image_base) | (uint64_t)kind << EVENT_KIND_SHIFT |
           (uint64_t)(lane->depth & 0xff) << EVENT_DEPTH_SHIFT;
}

/* The mark that __ldg or a texture fetch left for this load, if it is this address. */
static enum load_mark take_mark(struct lane *lane, const void *pointer)
{
    enum load_mark mark = lane->marked == pointer ? (enum load_mark)lane->mark : MARK_NONE;
    lane->mark = MARK_NONE;
    return mark;
}

static uint64_t global_meta(struct lane *lane, const void *pointer, uint64_t offset, enum mem_op op)
{
    enum load_mark mark = MARK_NONE;
    if (op == OP_LOAD && lane->mark)
        mark = take_mark(lane, pointer);
    if (mark == MARK_TEXTURE)
        return (uint64_t)SPACE_TEXTURE << EVENT_SPACE_SHIFT;
    if (op == OP_LOAD && mark == MARK_NONE && device_arena.read_only_arrays)
        mark = memory_array_at(offset)->read_only ? MARK_READ_ONLY : MARK_NONE;
    return (uint64_t)SPACE_GLOBAL << EVENT_SPACE_SHIFT |
           (uint64_t)(mark == MARK_READ_ONLY) << EVENT_READ_ONLY_SHIFT;
}

static inline void record(const void *pointer, unsigned log2_width, enum mem_op op, unsigned part,
                          bool sync, uintptr_t pc)
{
    struct lane *lane = engine.current;
    if (lane == NULL)
        return;
    unsigned width = 1U << log2_width;
    if ((uintptr_t)pointer & (width - 1))
        engine_fail_lane(pc, "misaligned access: %u bytes at an address that is no multiple of %u",
                         width, width);
    uint64_t meta = event_meta(lane, pc, EVENT_ACCESS) | (uint64_t)part << EVENT_PART_SHIFT |
                    (uint64_t)log2_width << EVENT_WIDTH_SHIFT | (uint64_t)op << EVENT_OP_SHIFT |
                    (uint64_t)sync << EVENT_SYNC_SHIFT;
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    lane->accesses++;
    if (offset < device_arena.bytes) {
        hooks_push(lane, meta | global_meta(lane, pointer, offset, op),
                   DEVICE_BASE_ADDRESS + offset);
        if (sync) /* others may still write these bytes */
            lane_stop(LANE_TURN, pc);
        check_global(offset, log2_width, op, pc);
        return;
    }
    struct place place = spaces_place(pointer, width, pc);
    hooks_push(lane, meta | (uint64_t)place.space << EVENT_SPACE_SHIFT, place.addr);
    if (sync)
        lane_stop(LANE_TURN, pc);
}

void hooks_record(const void *pointer, unsigned log2_width, enum mem_op op, bool sync, uintptr_t pc)
{
    record(pointer, log2_width, op, 0, sync, pc);
}

static void record_range(const char *pointer, size_t bytes, enum mem_op op, uintptr_t pc)
{
    unsigned log2_width = bytes % 4 == 0 ? 2 : bytes % 2 == 0 ? 1 : 0;
    unsigned part = 0;
    for (size_t at = 0; at < bytes; at += 1U << log2_width)
        record(pointer + at, log2_width, op, part++ & 0xff, false, pc);
}

void wl_next_load_read_only(const void *p)
{
    if (engine.current) {
        engine.current->mark = MARK_READ_ONLY;
        engine.current->marked = p;
    }
}

void wl_next_load_texture(const void *p)
{
    if (engine.current) {
        engine.current->mark = MARK_TEXTURE;
        engine.current->marked = p;
    }
}

/* ---- What the compiler calls ------------------------------------------------------------------ */

#define HOOKS(bytes, log2_width)                                                                   \
    void __tsan_read##bytes(void *p);                                                              \
    void __tsan_write##bytes(void *p);                                                             \
    void __tsan_unaligned_read##bytes(void *p);                                                    \
    void __tsan_unaligned_write##bytes(void *p);                                                   \
    void __tsan_volatile_read##bytes(void *p);                                                     \
    void __tsan_volatile_write##bytes(void *p);                                                    \
    void __tsan_read##bytes(void *p)                                                               \
    {                                                                                              \
        record(p, log2_width, OP_LOAD, 0, false, RETURN_ADDRESS);                                  \
    }                                                                                              \
    void __tsan_write##bytes(void *p)                                                              \
    {                                                                                              \
        record(p, log2_width, OP_STORE, 0, false, RETURN_ADDRESS);                                 \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void *p)                                                     \
    {                                                                                              \
        record_range(p, bytes, OP_LOAD, RETURN_ADDRESS);                                           \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *p)                                                    \
    {                                                                                              \
        record_range(p, bytes, OP_STORE, RETURN_ADDRESS);                                          \
    }                                                                                              \
    void __tsan_volatile_read##bytes(void *p)                                                      \
    {                                                                                              \
        record(p, log2_width, OP_LOAD, 0, true, RETURN_ADDRESS);                                   \
    }                                                                                              \
    void __tsan_volatile_write##bytes(void *p)                                                     \
    {                                                                                              \
        record(p, log2_width, OP_STORE, 0, true, RETURN_ADDRESS);                                  \
    }

HOOKS(1, 0)
HOOKS(2, 1)
HOOKS(4, 2)
HOOKS(8, 3)
HOOKS(16, 4)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *p, size_t bytes);
void __tsan_write_range(void *p, size_t bytes);
void __sanitizer_cov_trace_pc(void);

void __tsan_init(void)
{
}

/* A call is an event of its caller: lanes on their way to it are waited for. */
void __tsan_func_entry(void *caller)
{
    struct lane *lane = engine.current;
    if (lane == NULL)
        return;
    if (lane->depth++ > 0) {
        lane->depth--;
        hooks_push(lane, event_meta(lane, (uintptr_t)caller, EVENT_CALL), 0);
        lane->depth++;
    }
}

void __tsan_func_exit(void)
{
    if (engine.current)
        engine.current->depth--;
}

void __tsan_read_range(void *p, size_t bytes)
{
    record_range(p, bytes, OP_LOAD, RETURN_ADDRESS);
}

void __tsan_write_range(void *p, size_t bytes)
{
    record_range(p, bytes, OP_STORE, RETURN_ADDRESS);
}

void __sanitizer_cov_trace_pc(void)
{
    struct lane *lane = engine.current;
    if (lane)
        hooks_push(lane, event_meta(lane, RETURN_ADDRESS, EVENT_BLOCK), 0);
}
