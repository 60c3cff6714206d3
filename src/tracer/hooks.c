/* hooks.c - the calls that -fsanitize=thread puts in front of loads and stores.
 *
 * A hook runs before the access it announces. It finds the space and the simulated address, checks
 * bounds, alignment and that loaded bytes were written, and adds an event to the lane's column.
 * Host code of the same file is instrumented too: without a current lane a hook only notes which
 * pages of managed memory the host touches, and stops it from touching device memory.
 *
 * A struct copy whose type is under-aligned arrives as a range; nvcc loads the largest words the
 * type's alignment allows, which the hook is not told. Ranges are split into 4-byte words (2- or
 * 1-byte ones when the size or the address is not a multiple), right for structs of floats and
 * ints.
 */
#include <string.h>

#include "tracer/engine.h"
#include "tracer/grid/cluster.h"
#include "tracer/shared_faults.h"
#include "tracer/widths/kept_loads.h"
#include "tracer/widths/widths.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

/* Nothing waits for it: an access out of lockstep, or a fence. */
static bool is_for_the_record(uint64_t meta)
{
    const enum event_kind kind = event_kind(meta);
    return (kind == EVENT_ACCESS && !(meta >> EVENT_SYNC_SHIFT & 1)) || kind >= EVENT_FENCE;
}

/* What the launch reads and writes, for those that may repeat it; an atomic does both. */
static inline void touch(uint64_t offset, enum mem_op op)
{
    device_arena.granules[offset >> GRANULE_LOG2] |= (uint8_t)(op + 1);
}
_Static_assert(OP_LOAD + 1 == GRANULE_READ && OP_STORE + 1 == GRANULE_WRITTEN &&
                   OP_ATOMIC + 1 == (GRANULE_READ | GRANULE_WRITTEN),
               "operations are bits");

/* The same when the column may be full: the lane waits until its events are merged. */
void hooks_push_event(uint64_t meta, uint64_t addr, uintptr_t pc)
{
    if (engine.stored)
        hooks_note_value();
    if (engine.is_muted && is_for_the_record(meta))
        return;
    if (engine_column_is_full())
        lane_stop(LANE_READY, pc);
    if (engine.wants_values)
        engine.cursor[EVENT_VALUE_OFFSET] = VALUE_UNKNOWN;
    engine_push(meta, addr);
}

/* 32 bits of what is stored: all of it up to 4 bytes. */
static uint32_t value_at(const void *stored, unsigned log2_width)
{
    uint64_t words[2] = {0};
    memcpy(words, stored, (size_t)1 << log2_width);
    if (log2_width <= 2)
        return (uint32_t)words[0];
    uint64_t hash = (words[0] ^ words[1] * 0xff51afd7ed558ccdULL) * 0x9e3779b97f4a7c15ULL;
    return (uint32_t)(hash >> 32);
}

void hooks_note_value(void)
{
    engine.cursor[EVENT_VALUE_OFFSET - WARP_LANES] =
        value_at(engine.stored, engine.stored_log2_width);
    engine.stored = NULL;
}

/* The latest event announces the store of one value. One in lockstep is merged before it is carried
 * out: what it stores stays unknown. */
static void note_store(const void *pointer, unsigned log2_width)
{
    engine.stored = pointer;
    engine.stored_log2_width = log2_width;
}

static inline uint64_t event_meta(uintptr_t pc, enum event_kind kind)
{
    return (uint32_t)(pc - engine.image_base) | (uint64_t)kind << EVENT_KIND_SHIFT |
           engine.depth_bits;
}

void hooks_push(enum event_kind kind, bool sync, uint64_t addr, uintptr_t pc)
{
    const uint64_t meta = event_meta(pc, kind) | (uint64_t)sync << EVENT_SYNC_SHIFT;
    if (engine_goes_short_way() && !is_for_the_record(meta))
        engine_push(meta, addr);
    else
        hooks_push_event(meta, addr, pc);
}

/* The states that every byte of an access must have: a load reads only what was written. */
static inline uint64_t state_load(const uint8_t *state, unsigned log2_width)
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

/* A store to bytes that are not all written marks them; anything else here is an error. State bits:
 * 3 is written, 2 unwritten, 0 and 1 (no array, freed) have bit 1 clear. */
static inline void check_global(uint64_t offset, unsigned log2_width, enum mem_op op, uintptr_t pc)
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
    if (!memory_tolerate(offset, width, op, pc))
        memory_fail((int64_t)offset, width, op, pc);
}

/* The mark that __ldg or a texture fetch left for this load, if it is this address. */
static enum load_mark take_mark(const void *pointer)
{
    enum load_mark mark = engine.marked == pointer ? engine.mark : MARK_NONE;
    engine.mark = MARK_NONE;
    return mark;
}

static uint64_t global_meta(const void *pointer, uint64_t offset, enum mem_op op)
{
    enum load_mark mark = MARK_NONE;
    if (op == OP_LOAD && engine.mark)
        mark = take_mark(pointer);
    if (mark == MARK_TEXTURE)
        return (uint64_t)SPACE_TEXTURE << EVENT_SPACE_SHIFT;
    if (op == OP_LOAD && mark == MARK_NONE && device_arena.read_only_arrays) {
        const struct device_array *array = memory_array_at(offset);
        mark = array && array->read_only ? MARK_READ_ONLY : MARK_NONE;
    }
    return (uint64_t)SPACE_GLOBAL << EVENT_SPACE_SHIFT | (uint64_t)(mark == MARK_READ_ONLY)
                                                             << EVENT_READ_ONLY_SHIFT;
}

#define SYNC (1ULL << EVENT_SYNC_SHIFT)

/* What instruction: everything in meta but the space. */
static inline uint64_t access_meta(unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    return event_meta(pc, EVENT_ACCESS) | (uint64_t)log2_width << EVENT_WIDTH_SHIFT |
           (uint64_t)op << EVENT_OP_SHIFT;
}

void hooks_check_aligned(const void *pointer, unsigned width, enum mem_op op, uintptr_t pc)
{
    if (((uintptr_t)pointer & (width - 1)) == 0)
        return;
    engine.error = cudaErrorMisalignedAddress;
    faults_stop_is(&(struct trace_fault){
        .kind = FAULT_MISALIGNED, .op = (uint8_t)op, .width = (uint8_t)width});
    engine_fail_lane(pc, "misaligned access: %u bytes at an address that is no multiple of %u",
                     width, width);
}

/* An access in full: any space, checks, marks, lockstep. */
static __attribute__((noinline)) void record_any(const void *pointer, unsigned log2_width,
                                                 enum mem_op op, uint64_t bits, uintptr_t pc)
{
    unsigned width = 1U << log2_width;
    bool sync = bits >> EVENT_SYNC_SHIFT & 1;
    uint64_t meta = access_meta(log2_width, op, pc) | bits;
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    if (engine.current == NULL) {
        if (offset < device_arena.bytes || engine.program)
            memory_check_host(pointer, width, op, pc);
        return;
    }
    if (engine.depth_bits == 0) /* arguments on their way to the kernel */
        return;
    hooks_check_aligned(pointer, width, op, pc);
    if (offset < device_arena.bytes) {
        touch(offset, op);
        hooks_push_event(meta | global_meta(pointer, offset, op), DEVICE_BASE_ADDRESS + offset, pc);
        if (sync) /* others may still write these bytes */
            lane_stop(LANE_TURN, pc);
        check_global(offset, log2_width, op, pc);
        if (engine.wants_values && op == OP_STORE && !sync)
            note_store(pointer, log2_width);
        return;
    }
    struct place place = spaces_place(pointer, width, op, pc);
    if (place.space == SPACE_PARAMETER ||
        (place.space == SPACE_LOCAL && widths_is_in_register((uint32_t)meta)))
        return;
    if (place.space == SPACE_GLOBAL && place.addr >= DEVICE_BASE_ADDRESS) /* before: a fault */
        touch(place.addr - DEVICE_BASE_ADDRESS, op);
    hooks_push_event(meta | (uint64_t)place.space << EVENT_SPACE_SHIFT, place.addr, pc);
    if (sync)
        lane_stop(LANE_TURN, pc);
    if (!sync && engine.wants_values && op == OP_STORE)
        note_store(pointer, log2_width);
    if (place.space == SPACE_SHARED)
        shared_check(pointer, width, op, pc);
    else if (cluster_holds(pointer))
        cluster_check(pointer, width, op, pc);
}

/* Host code, which the tracer only looks at where it touches what kernels can: twice the rate of a
 * reference computed on the host. */
static inline bool host_is_elsewhere(const void *pointer)
{
    uintptr_t p = (uintptr_t)pointer;
    return p - device_arena.base >= device_arena.bytes &&
           p - device_arena.outside_begin >= device_arena.outside_bytes;
}

/* Where an access to a shared array that has its place goes: the byte's number in the thread-local block. False: it is
 * something else, or there is no room for an event. */
static inline bool is_shared(const void *pointer, unsigned log2_width, uint64_t *at)
{
    const uint64_t width = 1U << log2_width;
    *at = (uintptr_t)pointer - shared_window.base;
    return *at < shared_window.bytes &&
           *at + width <= shared_window.granules[*at / SHARED_GRANULE_BYTES].end &&
           (*at & (width - 1)) == 0 && engine_goes_short_way();
}

static inline void push_shared(uint64_t at, uint64_t meta)
{
    engine_push(meta | (uint64_t)SPACE_SHARED << EVENT_SPACE_SHIFT,
                at + shared_window.granules[at / SHARED_GRANULE_BYTES].ahead);
}

/* An access to a shared array that has its place: 1.2 times the rate of a traced product of matrices
 * through tiles; the bytes' states take 1 % of the time of that product or less. False: it is something else, or not all is well. */
static inline bool record_shared(const void *pointer, unsigned log2_width, enum mem_op op,
                                 uint64_t bits, uintptr_t pc)
{
    uint64_t at;
    if (!is_shared(pointer, log2_width, &at))
        return false;
    if (op == OP_STORE)
        __builtin_memset(shared_window.state + at, BYTE_WRITTEN, 1U << log2_width);
    else if (state_load(shared_window.state + at, log2_width) != ALL_WRITTEN)
        return false;
    if (!engine.is_muted)
        push_shared(at, access_meta(log2_width, op, pc) | bits);
    return true;
}

/* An access in lockstep: that of others may come first, so what is written is known behind it. */
static void record_in_turn(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    uint64_t at;
    if (engine.current == NULL || !is_shared(pointer, log2_width, &at)) {
        record_any(pointer, log2_width, op, SYNC, pc);
        return;
    }
    push_shared(at, access_meta(log2_width, op, pc) | SYNC);
    lane_stop(LANE_TURN, pc);
    if (state_load(shared_window.state + at, log2_width) != ALL_WRITTEN)
        shared_check(pointer, 1U << log2_width, op, pc);
}

/* A load that the compiler for the GPU has made before; its instruction was counted with its block's. */
static bool is_kept(const void *pointer, uintptr_t pc)
{
    const uint64_t one = (uint64_t)1 << EVENT_WORK_SHIFT;
    uint64_t offset;
    const bool is_constant = (uintptr_t)pointer - device_arena.base >= device_arena.bytes &&
                             (uintptr_t)pointer - shared_window.base >= shared_window.bytes;
    if ((is_constant && !variables_is_constant(pointer, &offset)) ||
        !kept_loads_has(pc, is_constant))
        return false;
    engine.work -= engine.work < one ? 0 : one;
    return true;
}

/* The common case without a call: a plain access to written device memory. Keeping the rest out of
 * line leaves the hook without a stack frame: 1.9 times the rate of a traced copy. */
static inline void record_made(const void *pointer, unsigned log2_width, enum mem_op op,
                               uint64_t bits, uintptr_t pc)
{
    uint64_t offset = (uintptr_t)pointer - device_arena.base;
    if (engine.current && offset < device_arena.bytes && engine_goes_short_way() &&
        ((uintptr_t)pointer & ((1U << log2_width) - 1)) == 0 &&
        state_load(device_arena.state + offset, log2_width) == ALL_WRITTEN &&
        (op != OP_LOAD || !engine.special_loads)) {
        touch(offset, op);
        if (!engine.is_muted)
            engine_push(access_meta(log2_width, op, pc) | bits, DEVICE_BASE_ADDRESS + offset);
        return;
    }
    if (engine.current && record_shared(pointer, log2_width, op, bits, pc))
        return;
    if (engine.current || !host_is_elsewhere(pointer))
        record_any(pointer, log2_width, op, bits, pc);
}

/* Out of line, for the same reason. */
static __attribute__((noinline)) void record_unless_kept(const void *pointer, unsigned log2_width,
                                                         uint64_t bits, uintptr_t pc)
{
    if (!is_kept(pointer, pc))
        record_made(pointer, log2_width, OP_LOAD, bits, pc);
}

static inline void record_with(const void *pointer, unsigned log2_width, enum mem_op op,
                               uint64_t bits, uintptr_t pc)
{
    if (op == OP_LOAD && engine.keeps_loads)
        record_unless_kept(pointer, log2_width, bits, pc);
    else
        record_made(pointer, log2_width, op, bits, pc);
}

static inline void record(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    record_with(pointer, log2_width, op, 0, pc);
}

void hooks_record(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    record(pointer, log2_width, op, pc);
}

void hooks_record_atomic(const void *pointer, unsigned log2_width, uint64_t bits, uintptr_t pc)
{
    record_with(pointer, log2_width, OP_ATOMIC, bits, pc);
}

void hooks_record_part(const void *pointer, unsigned log2_width, enum mem_op op, uint64_t part,
                       uintptr_t pc)
{
    record_any(pointer, log2_width, op, part << EVENT_PART_SHIFT, pc);
    engine.stored = NULL;
}

void hooks_record_in_turn(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    record_in_turn(pointer, log2_width, op, pc);
}

/* The largest words that the size and this address allow, up to 4 bytes. */
static unsigned range_log2_width(uintptr_t address, size_t bytes)
{
    uintptr_t bits = address | bytes;
    return bits % 4 == 0 ? 2 : bits % 2 == 0 ? 1 : 0;
}

enum { STRUCT_BYTES_MAX = 64 };

/* Words of a struct that lie between its members count as written once a member is. */
static void take_padding(const void *pointer, size_t bytes)
{
    const uint64_t global = (uintptr_t)pointer - device_arena.base;
    const uint64_t shared = (uintptr_t)pointer - shared_window.base;
    uint8_t *state = NULL;
    if (bytes > STRUCT_BYTES_MAX)
        return;
    if (global < device_arena.bytes && bytes <= device_arena.bytes - global)
        state = device_arena.state + global;
    else if (shared < shared_window.bytes && bytes <= shared_window.bytes - shared)
        state = shared_window.state + shared;
    else if (cluster_holds(pointer))
        state = cluster_states(pointer);
    if (state == NULL || !memchr(state, BYTE_WRITTEN, bytes))
        return;
    for (size_t i = 0; i < bytes; i++)
        if (state[i] == BYTE_UNWRITTEN || global >= device_arena.bytes)
            state[i] = BYTE_WRITTEN;
}

uint64_t hooks_meta(enum event_kind kind, uintptr_t pc)
{
    return event_meta(pc, kind);
}

uint64_t hooks_check_source(const void *pointer, unsigned bytes, uintptr_t pc)
{
    const uint64_t offset = (uintptr_t)pointer - device_arena.base;
    const unsigned piece = bytes >= 4 && bytes % 4 == 0 ? 2 : 0;
    if (offset >= device_arena.bytes) {
        const struct place place = spaces_place(pointer, 1, OP_LOAD, pc);
        return place.space == SPACE_GLOBAL ? place.addr : MEMORY_NOWHERE;
    }
    for (unsigned at = 0; at < bytes; at += 1U << piece)
        check_global(offset + at, piece, OP_LOAD, pc);
    touch(offset, OP_LOAD);
    return DEVICE_BASE_ADDRESS + offset;
}

uint64_t hooks_check_part(const void *pointer, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    const uint64_t offset = (uintptr_t)pointer - device_arena.base;
    if (offset >= device_arena.bytes) {
        const struct place place = spaces_place(pointer, 1U << log2_width, op, pc);
        return place.space == SPACE_GLOBAL ? place.addr : MEMORY_NOWHERE;
    }
    check_global(offset, log2_width, op, pc);
    touch(offset, op);
    return DEVICE_BASE_ADDRESS + offset;
}

void hooks_record_range(const void *pointer, size_t bytes, enum mem_op op, uint64_t first_part,
                        uintptr_t pc)
{
    if (op == OP_LOAD && engine.current)
        take_padding(pointer, bytes);
    unsigned log2_width = range_log2_width((uintptr_t)pointer, bytes);
    uint64_t part = first_part;
    for (size_t at = 0; at < bytes; at += (size_t)1 << log2_width) {
        record_any((const char *)pointer + at, log2_width, op, (part++ & 0xff) << EVENT_PART_SHIFT,
                   pc);
        engine.stored = NULL; /* announced in pieces, carried out in one */
    }
}

/* A load that may be the second half of a struct copy. */
static inline void record_wide_load(const void *pointer, unsigned log2_width, uintptr_t pc)
{
    if (engine.current && copies_may_end_at(pc, COPY_CALL_BYTES) &&
        copies_record_load(pointer, (size_t)1 << log2_width, false, pc))
        return;
    record(pointer, log2_width, OP_LOAD, pc);
}

/* Every load looks at the marks now. */
static void mark_load(enum load_mark mark, const void *p)
{
    engine.special_loads = true;
    engine.mark = mark;
    engine.marked = p;
}

WORK_COST_0 void wl_next_load_read_only(const void *p)
{
    if (engine.current)
        mark_load(MARK_READ_ONLY, p);
}

WORK_COST_0 void wl_next_load_texture(const void *p)
{
    if (engine.current)
        mark_load(MARK_TEXTURE, p);
}

/* ---- What the compiler calls ----------------------------------------------------------------- */

#define HOOKS(bytes, log2_width)                                                                   \
    WORK_COST_1 void __tsan_read##bytes(void *p);                                                  \
    WORK_COST_1 void __tsan_write##bytes(void *p);                                                 \
    WORK_COST_1 void __tsan_unaligned_read##bytes(void *p);                                        \
    WORK_COST_1 void __tsan_unaligned_write##bytes(void *p);                                       \
    WORK_COST_1 void __tsan_volatile_read##bytes(void *p);                                         \
    WORK_COST_1 void __tsan_volatile_write##bytes(void *p);                                        \
    void __tsan_read##bytes(void *p)                                                               \
    {                                                                                              \
        if (bytes >= 8)                                                                            \
            record_wide_load(p, log2_width, RETURN_ADDRESS);                                       \
        else                                                                                       \
            record(p, log2_width, OP_LOAD, RETURN_ADDRESS);                                        \
    }                                                                                              \
    void __tsan_write##bytes(void *p)                                                              \
    {                                                                                              \
        record(p, log2_width, OP_STORE, RETURN_ADDRESS);                                           \
    }                                                                                              \
    void __tsan_unaligned_read##bytes(void *p)                                                     \
    {                                                                                              \
        hooks_record_range(p, bytes, OP_LOAD, 0, RETURN_ADDRESS);                                  \
    }                                                                                              \
    void __tsan_unaligned_write##bytes(void *p)                                                    \
    {                                                                                              \
        hooks_record_range(p, bytes, OP_STORE, 0, RETURN_ADDRESS);                                 \
    }                                                                                              \
    void __tsan_volatile_read##bytes(void *p)                                                      \
    {                                                                                              \
        record_in_turn(p, log2_width, OP_LOAD, RETURN_ADDRESS);                                    \
    }                                                                                              \
    void __tsan_volatile_write##bytes(void *p)                                                     \
    {                                                                                              \
        record_in_turn(p, log2_width, OP_STORE, RETURN_ADDRESS);                                   \
    }

HOOKS(1, 0)
HOOKS(2, 1)
HOOKS(4, 2)
HOOKS(8, 3)
HOOKS(16, 4)
