/* atomics.c - atomic functions. Lanes take turns on one host thread, so the operation itself is
 * plain; lanes of a warp go in lane order, which hardware does not promise. */
#include "trace/engine.h"
#include "warplens/cuda.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

#define ATOMIC(type, op, suffix, expression)                                                       \
    WORK_COST_1 type wl_atomic##op##_##suffix(type *p, type value)                                 \
    {                                                                                              \
        hooks_record(p, sizeof(type) == 8 ? 3 : 2, OP_ATOMIC, RETURN_ADDRESS);                     \
        type old = *p;                                                                             \
        *p = (expression);                                                                         \
        return old;                                                                                \
    }

/* Unsigned arithmetic wraps, as the hardware's does; int goes through unsigned for that. */
#define ATOMICS_INTEGER(type, suffix, wide)                                                        \
    ATOMIC(type, Add, suffix, (type)((wide)old + (wide)value))                                     \
    ATOMIC(type, Sub, suffix, (type)((wide)old - (wide)value))                                     \
    ATOMIC(type, Min, suffix, old < value ? old : value)                                           \
    ATOMIC(type, Max, suffix, old > value ? old : value)                                           \
    ATOMIC(type, Exch, suffix, value)                                                              \
    ATOMIC(type, And, suffix, old &value)                                                          \
    ATOMIC(type, Or, suffix, old | value)                                                          \
    ATOMIC(type, Xor, suffix, old ^ value)

ATOMICS_INTEGER(int, i32, unsigned)
ATOMICS_INTEGER(unsigned, u32, unsigned)
ATOMICS_INTEGER(unsigned long long, u64, unsigned long long)
ATOMIC(float, Add, f32, old + value)
ATOMIC(float, Exch, f32, value)
ATOMIC(double, Add, f64, old + value)
ATOMIC(double, Exch, f64, value)

/* In lockstep: of the lanes that compare with the same old value one wins, and the others go round
 * their loop again, as often as on hardware. */
#define ATOMIC_CAS(type, suffix)                                                                   \
    WORK_COST_1 type wl_atomicCAS_##suffix(type *p, type compare, type value)                      \
    {                                                                                              \
        hooks_record_in_turn(p, sizeof(type) == 8 ? 3 : 2, OP_ATOMIC, RETURN_ADDRESS);             \
        type old = *p;                                                                             \
        if (old == compare)                                                                        \
            *p = value;                                                                            \
        return old;                                                                                \
    }

ATOMIC_CAS(int, i32)
ATOMIC_CAS(unsigned, u32)
ATOMIC_CAS(unsigned long long, u64)
