/* copies.c - struct copies that clang makes calls of memcpy, and fills that it makes calls of
 * memset.
 *
 * clang's thread instrumentation leaves a copy of 12 bytes and more to memcpy: no hook announces
 * it. Kernel files therefore call the functions here instead (cuda.h redirects the names when clang
 * instruments a file; from clang 16 on it calls __tsan_memcpy by itself). gcc needs nothing of
 * this: it announces struct copies, and its calls of memcpy that carry them out are not redirected.
 *
 * A call knows no type, so alignment is judged by addresses: 16 bytes at multiples of 16 are a
 * vector and one access, anything else goes as ranges do (hooks.c). What is copied from the
 * program's own constants is the initial value of a local array, which costs no access.
 */
#include <string.h>

#include "trace/engine.h"

#define RETURN_ADDRESS ((uintptr_t)__builtin_return_address(0))

static bool is_vector(const void *p, size_t bytes)
{
    return bytes == 16 && (uintptr_t)p % 16 == 0;
}

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
    if (engine.current == NULL)
        return;
    if (!spaces_is_program_constant(from))
        record_part(from, bytes, OP_LOAD, pc);
    record_part(to, bytes, OP_STORE, pc);
}

#define COPIES(prefix)                                                                             \
    void *prefix##memcpy(void *to, const void *from, size_t bytes);                                \
    void *prefix##memmove(void *to, const void *from, size_t bytes);                               \
    void *prefix##memset(void *to, int value, size_t bytes);                                       \
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
