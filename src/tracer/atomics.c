/* atomics.c - atomic functions. Lanes take turns on one host thread, so the operation itself is
 * plain; lanes of a warp go in lane order, which hardware does not promise. */
#include <stdlib.h>

#include "tracer/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

#define ATOMIC_BY(record, type, op, suffix, expression)                                            \
    WORK_COST_1 type wl_atomic##op##_##suffix(type *p, type value)                                 \
    {                                                                                              \
        record(p, sizeof(type) == 8 ? 3 : 2, OP_ATOMIC, RETURN_ADDRESS);                           \
        type old = *p;                                                                             \
        *p = (expression);                                                                         \
        return old;                                                                                \
    }

/* What the lane has said of its next operation: once. */
struct said {
    bool is_one, wants_result;
};

static struct said take_said(uintptr_t pc)
{
    struct lane *lane = engine.current;
    if (lane == NULL)
        return (struct said){false, true};
    const struct said said = {lane->next_add_line < 0, lane->wants_result};
    if (lane->next_add_file)
        call_lines_say(pc, lane->next_add_file, (unsigned)abs(lane->next_add_line));
    lane->next_add_file = NULL;
    lane->next_add_line = 0;
    lane->wants_result = false;
    return said;
}

#define INCREMENT (UINT64_C(1) << EVENT_INCREMENT_SHIFT)
#define COMBINES (UINT64_C(1) << EVENT_COMBINES_SHIFT)
#define FLOATS (UINT64_C(1) << EVENT_FLOAT_SHIFT)

/* Of 4-byte integers: lanes combine what they add, and, where nobody uses the result, other operations (combine.h). */
static void record_add(const void *p, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    (void)op;
    const struct said said = take_said(pc);
    hooks_record_atomic(p, log2_width,
                        COMBINES | (said.is_one && !said.wants_result ? INCREMENT : 0), pc);
}

static void record_sub(const void *p, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    (void)op;
    take_said(pc);
    hooks_record_atomic(p, log2_width, COMBINES, pc);
}

static void record_combining(const void *p, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    (void)op;
    hooks_record_atomic(p, log2_width, take_said(pc).wants_result ? 0 : COMBINES, pc);
}

static void record_float(const void *p, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    (void)op;
    hooks_record_atomic(p, log2_width, FLOATS, pc);
}

WORK_COST_0 unsigned wl_result_wanted(void)
{
    if (engine.current)
        engine.current->wants_result = true;
    return 0;
}

WORK_COST_0 void wl_next_add(const char *file, int line)
{
    if (engine.current == NULL)
        return;
    engine.current->next_add_file = file;
    engine.current->next_add_line = line;
}

void wl_atomic_at(const void *p, unsigned bytes, const char *file, int line);
WORK_COST_1 void wl_atomic_at(const void *p, unsigned bytes, const char *file, int line)
{
    if (engine.current)
        call_lines_say(RETURN_ADDRESS, file, (unsigned)line);
    hooks_record(p, (unsigned)__builtin_ctz(bytes), OP_ATOMIC, RETURN_ADDRESS);
}

/* ---- cuda::atomic (cuda_atomic_objects.h): in lockstep ------------------------------------------ */

uint64_t wl_atomic_load_at(const void *p, unsigned bytes, const char *file, int line);
void wl_atomic_store_at(void *p, uint64_t bits, unsigned bytes, const char *file, int line);
uint64_t wl_atomic_begin_at(const void *p, unsigned bytes, const char *file, int line);
void wl_atomic_end(void *p, uint64_t bits, unsigned bytes);

static void in_turn_at(const void *p, unsigned bytes, enum mem_op op, const char *file, int line,
                       uintptr_t pc)
{
    if (engine.current)
        call_lines_say(pc, file, (unsigned)line);
    hooks_record_in_turn(p, (unsigned)__builtin_ctz(bytes), op, pc);
}

/* Of 1, 2, 4 or 8 bytes. */
static uint64_t bits_at(const void *p, unsigned bytes)
{
    return bytes == 8   ? *(const uint64_t *)p
           : bytes == 4 ? *(const uint32_t *)p
           : bytes == 2 ? *(const uint16_t *)p
                        : *(const uint8_t *)p;
}

void wl_atomic_end(void *p, uint64_t bits, unsigned bytes)
{
    if (bytes == 8)
        *(uint64_t *)p = bits;
    else if (bytes == 4)
        *(uint32_t *)p = (uint32_t)bits;
    else if (bytes == 2)
        *(uint16_t *)p = (uint16_t)bits;
    else
        *(uint8_t *)p = (uint8_t)bits;
}

WORK_COST_1 uint64_t wl_atomic_load_at(const void *p, unsigned bytes, const char *file, int line)
{
    in_turn_at(p, bytes, OP_LOAD, file, line, RETURN_ADDRESS);
    return bits_at(p, bytes);
}

WORK_COST_1 void wl_atomic_store_at(void *p, uint64_t bits, unsigned bytes, const char *file,
                                    int line)
{
    in_turn_at(p, bytes, OP_STORE, file, line, RETURN_ADDRESS);
    wl_atomic_end(p, bits, bytes);
}

WORK_COST_1 uint64_t wl_atomic_begin_at(const void *p, unsigned bytes, const char *file, int line)
{
    in_turn_at(p, bytes, OP_ATOMIC, file, line, RETURN_ADDRESS);
    return bits_at(p, bytes);
}

/* ---- CUDA's functions ---------------------------------------------------------------------------- */

#define ATOMIC(type, op, suffix, expression) ATOMIC_BY(hooks_record, type, op, suffix, expression)
/* In lockstep, as a compare and swap below: it takes a lock, or gives one back that others wait for. */
#define ATOMIC_EXCH(type, suffix) ATOMIC_BY(hooks_record_in_turn, type, Exch, suffix, value)

/* Unsigned arithmetic wraps, as the hardware's does; int goes through unsigned for that. */
#define ATOMIC_ADD(record, type, suffix, wide)                                                     \
    ATOMIC_BY(record, type, Add, suffix, (type)((wide)old + (wide)value))
#define ATOMICS_INTEGER(record_sub, record, type, suffix, wide)                                    \
    ATOMIC_BY(record_sub, type, Sub, suffix, (type)((wide)old - (wide)value))                      \
    ATOMIC_BY(record, type, Min, suffix, old < value ? old : value)                                \
    ATOMIC_BY(record, type, Max, suffix, old > value ? old : value)                                \
    ATOMIC_EXCH(type, suffix)                                                                      \
    ATOMIC_BY(record, type, And, suffix, old &value)                                               \
    ATOMIC_BY(record, type, Or, suffix, old | value)                                               \
    ATOMIC_BY(record, type, Xor, suffix, old ^ value)

ATOMIC_ADD(record_add, int, i32, unsigned)
ATOMIC_ADD(record_add, unsigned, u32, unsigned)
ATOMIC_ADD(hooks_record, unsigned long long, u64, unsigned long long)
ATOMICS_INTEGER(record_sub, record_combining, int, i32, unsigned)
ATOMICS_INTEGER(record_sub, record_combining, unsigned, u32, unsigned)
ATOMICS_INTEGER(hooks_record, hooks_record, unsigned long long, u64, unsigned long long)
ATOMIC_BY(record_float, float, Add, f32, old + value)
ATOMIC_EXCH(float, f32)
ATOMIC_BY(record_float, double, Add, f64, old + value)
ATOMIC_EXCH(double, f64)
ATOMIC(unsigned, Inc, u32, old >= value ? 0 : old + 1)
ATOMIC(unsigned, Dec, u32, old == 0 || old > value ? value : old - 1)
ATOMIC(long long, Min, i64, old < value ? old : value)
ATOMIC(long long, Max, i64, old > value ? old : value)

/* In lockstep: of the lanes that compare with the same old value one wins, and the others go round
 * their loop again, as often as on hardware. */
#define ATOMIC_CAS(type, suffix)                                                                   \
    WORK_COST_1 type wl_atomicCAS_##suffix(type *p, type compare, type value)                      \
    {                                                                                              \
        unsigned log2_width = (unsigned)__builtin_ctz((unsigned)sizeof(type));                     \
        hooks_record_in_turn(p, log2_width, OP_ATOMIC, RETURN_ADDRESS);                            \
        type old = *p;                                                                             \
        if (old == compare)                                                                        \
            *p = value;                                                                            \
        return old;                                                                                \
    }

ATOMIC_CAS(int, i32)
ATOMIC_CAS(unsigned, u32)
ATOMIC_CAS(unsigned long long, u64)
ATOMIC_CAS(unsigned short, u16)

/* ---- CUDA's names in C++ ----------------------------------------------------------------------- */

/* What cuda_atomics.h declares: "int atomicAdd<void>(int *, int)" is _Z9atomicAddIvEiPii. Fields: the
 * length of the name, the name, the letters of the type (Itanium C++ ABI, section 5.1.5). */
#define NAME_IN_CPP(symbol, length, name, letter, arguments)                                       \
    extern __typeof__(symbol) cpp_##symbol##_##name __asm__(                                       \
        "_Z" #length #name "IvE" #letter "P" #letter arguments) __attribute__((alias(#symbol)));

#define LENGTH_3(X, ...) X(9, 15, 16, __VA_ARGS__)
#define LENGTH_2(X, ...) X(8, 14, 15, __VA_ARGS__)
#define LENGTH_4(X, ...) X(10, 16, 17, __VA_ARGS__)
#define SCOPES(plain, block, system, op, suffix, letter)                                           \
    NAME_IN_CPP(wl_atomic##op##_##suffix, plain, atomic##op, letter, #letter)                      \
    NAME_IN_CPP(wl_atomic##op##_##suffix, block, atomic##op##_block, letter, #letter)              \
    NAME_IN_CPP(wl_atomic##op##_##suffix, system, atomic##op##_system, letter, #letter)
LENGTH_3(SCOPES, Add, u64, y)
LENGTH_3(SCOPES, Min, u64, y)
LENGTH_3(SCOPES, Max, u64, y)
LENGTH_3(SCOPES, And, u64, y)
LENGTH_2(SCOPES, Or, u64, y)
LENGTH_3(SCOPES, Xor, u64, y)
LENGTH_4(SCOPES, Exch, i32, i)
LENGTH_4(SCOPES, Exch, u32, j)
LENGTH_4(SCOPES, Exch, u64, y)
LENGTH_3(SCOPES, Add, f32, f)
LENGTH_3(SCOPES, Add, f64, d)
LENGTH_4(SCOPES, Exch, f32, f)
LENGTH_3(SCOPES, Inc, u32, j)
LENGTH_3(SCOPES, Dec, u32, j)
LENGTH_3(SCOPES, Min, i64, x)
LENGTH_3(SCOPES, Max, i64, x)

#define CAS_SCOPES(suffix, letter)                                                                 \
    NAME_IN_CPP(wl_atomicCAS_##suffix, 9, atomicCAS, letter, #letter #letter)                      \
    NAME_IN_CPP(wl_atomicCAS_##suffix, 15, atomicCAS_block, letter, #letter #letter)               \
    NAME_IN_CPP(wl_atomicCAS_##suffix, 16, atomicCAS_system, letter, #letter #letter)
CAS_SCOPES(i32, i)
CAS_SCOPES(u32, j)
CAS_SCOPES(u64, y)
CAS_SCOPES(u16, t)
