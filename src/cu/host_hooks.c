/* host_hooks.c - what else -fsanitize=thread calls in C++ code: atomics of the standard library and
 * of the compiler, virtual tables.
 *
 * One host thread runs, so an atomic operation is a plain one. In a kernel it is recorded as one of
 * CUDA's is.
 */
#include <stdint.h>
#include <string.h>

#include "tracer/engine.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static inline void note(const volatile void *p, unsigned log2_width, enum mem_op op, uintptr_t pc)
{
    if (engine.current)
        hooks_record_in_turn((const void *)(uintptr_t)p, log2_width, op, pc);
}

/* clang-format off */
#define FETCH(bits, log2_width, name, expression)                                                  \
    WORK_COST_1 uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t value, int order); \
    uint##bits##_t __tsan_atomic##bits##_##name(volatile uint##bits##_t *p, uint##bits##_t value, int order) \
    {                                                                                              \
        (void)order;                                                                               \
        note(p, log2_width, OP_ATOMIC, RETURN_ADDRESS);                                            \
        uint##bits##_t old = *p;                                                                   \
        *p = (uint##bits##_t)(expression);                                                         \
        return old;                                                                                \
    }

/* Says whether it was the expected value. */
#define COMPARE(bits, log2_width, name)                                                            \
    WORK_COST_1 int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t value, int order, int otherwise); \
    int __tsan_atomic##bits##_compare_exchange_##name(volatile uint##bits##_t *p, uint##bits##_t *expected, uint##bits##_t value, int order, int otherwise) \
    {                                                                                              \
        (void)order;                                                                               \
        (void)otherwise;                                                                           \
        note(p, log2_width, OP_ATOMIC, RETURN_ADDRESS);                                            \
        bool same = *p == *expected;                                                               \
        if (same)                                                                                  \
            *p = value;                                                                            \
        else                                                                                       \
            *expected = *p;                                                                        \
        return same;                                                                               \
    }

#define ATOMICS(bits, log2_width)                                                                  \
    WORK_COST_1 uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order); \
    uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *p, int order)         \
    {                                                                                              \
        (void)order;                                                                               \
        note(p, log2_width, OP_LOAD, RETURN_ADDRESS);                                              \
        return *p;                                                                                 \
    }                                                                                              \
    WORK_COST_1 void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t value, int order); \
    void __tsan_atomic##bits##_store(volatile uint##bits##_t *p, uint##bits##_t value, int order)  \
    {                                                                                              \
        (void)order;                                                                               \
        note(p, log2_width, OP_STORE, RETURN_ADDRESS);                                             \
        *p = value;                                                                                \
    }                                                                                              \
    FETCH(bits, log2_width, exchange, value)                                                       \
    FETCH(bits, log2_width, fetch_add, old + value)                                                \
    FETCH(bits, log2_width, fetch_sub, old - value)                                                \
    FETCH(bits, log2_width, fetch_and, old & value)                                                \
    FETCH(bits, log2_width, fetch_or, old | value)                                                 \
    FETCH(bits, log2_width, fetch_xor, old ^ value)                                                \
    FETCH(bits, log2_width, fetch_nand, ~(old & value))                                            \
    COMPARE(bits, log2_width, strong)                                                              \
    COMPARE(bits, log2_width, weak)                                                                \
    WORK_COST_1 uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *p, uint##bits##_t expected, uint##bits##_t value, int order, int otherwise); \
    uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *p, uint##bits##_t expected, uint##bits##_t value, int order, int otherwise) \
    {                                                                                              \
        (void)order;                                                                               \
        (void)otherwise;                                                                           \
        note(p, log2_width, OP_ATOMIC, RETURN_ADDRESS);                                            \
        uint##bits##_t old = *p;                                                                   \
        if (old == expected)                                                                       \
            *p = value;                                                                            \
        return old;                                                                                \
    }
/* clang-format on */

ATOMICS(8, 0)
ATOMICS(16, 1)
ATOMICS(32, 2)
ATOMICS(64, 3)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);
void __tsan_vptr_update(void **pointer, void *value);
void __tsan_vptr_read(void **pointer);

void __tsan_atomic_thread_fence(int order)
{
    (void)order;
}

void __tsan_atomic_signal_fence(int order)
{
    (void)order;
}

void __tsan_vptr_update(void **pointer, void *value)
{
    (void)pointer;
    (void)value;
}

void __tsan_vptr_read(void **pointer)
{
    (void)pointer;
}
