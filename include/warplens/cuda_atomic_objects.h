/* cuda_atomic_objects.h - cuda::atomic and cuda::atomic_ref: each operation is one access, as nvcc makes one of it
 * (ld.relaxed, st.release, atom.add ...), of lanes in lockstep, at the program's own line; what stands in it as an operator is
 * at the line of this file.
 *
 * Orders make fences, which have no cost here. Operations that nvcc makes a loop of (fewer than 4 bytes, minima of
 * floating-point numbers) are refused, since the loop's accesses would be missing.
 */
#ifndef WARPLENS_CUDA_ATOMIC_OBJECTS_H
#define WARPLENS_CUDA_ATOMIC_OBJECTS_H
#pragma GCC system_header

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warplens/cuda.h"
#include "warplens/cuda_kernel.h"
#include "warplens/cuda_std.h"

extern "C" {
/* An access in lockstep at a line of the program's, and the value's bits: by value, since a variable whose address is taken is
 * memory of the thread's, and traced. */
uint64_t wl_atomic_load_at(const void *p, unsigned bytes, const char *file, int line);
void wl_atomic_store_at(void *p, uint64_t bits, unsigned bytes, const char *file, int line);
/* The value in front of an operation, and its end. */
uint64_t wl_atomic_begin_at(const void *p, unsigned bytes, const char *file, int line);
void wl_atomic_end(void *p, uint64_t bits, unsigned bytes);
}

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread = 10
};
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

WL_INLINE void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    if (order == memory_order_relaxed || scope == thread_scope_thread)
        return;
    if (scope == thread_scope_block)
        wl_threadfence_block();
    else if (scope == thread_scope_device)
        wl_threadfence();
    else
        wl_threadfence_system();
}

namespace wl_detail
{

WL_INLINE bool acquires(memory_order order)
{
    return order != memory_order_relaxed && order != memory_order_release;
}
WL_INLINE bool releases(memory_order order)
{
    return order == memory_order_release || order == memory_order_acq_rel ||
           order == memory_order_seq_cst;
}

template <size_t Bytes> struct word;
template <> struct word<1> {
    using type = uint8_t;
};
template <> struct word<2> {
    using type = uint16_t;
};
template <> struct word<4> {
    using type = uint32_t;
};
template <> struct word<8> {
    using type = uint64_t;
};
template <class T> WL_INLINE uint64_t bits_of(T value)
{
    return __builtin_bit_cast(typename word<sizeof(T)>::type, value);
}
template <class T> WL_INLINE T value_of(uint64_t bits)
{
    return __builtin_bit_cast(T, (typename word<sizeof(T)>::type)bits);
}

#define WL_PLACE int line = __builtin_LINE(), const char *file = __builtin_FILE()

/* What atomic and atomic_ref have in common; Self says where the value is. */
template <class T, thread_scope Scope, class Self> class atomic_operations
{
    static_assert(::std::is_trivially_copyable<T>::value,
                  "an atomic value is one that can be copied byte by byte");
    static_assert(
        sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, WL_REFUSED
        "an atomic object of this size cannot run under warplens: 1, 2, 4 or 8 bytes can");

    WL_INLINE_MEMBER T *at() const volatile
    {
        return const_cast<const Self *>(static_cast<const volatile Self *>(this))->wl_address();
    }
    template <class F>
    WL_INLINE_MEMBER T update(F change, memory_order order, int line, const char *file) const
        volatile
    {
        static_assert(sizeof(T) >= 4,
                      WL_REFUSED "an atomic operation on fewer than 4 bytes cannot run under "
                                 "warplens: nvcc makes a loop of it: use a type of 4 bytes");
        T *p = at();
        if (releases(order))
            atomic_thread_fence(order, Scope);
        const T old = value_of<T>(wl_atomic_begin_at(p, sizeof(T), file, line));
        wl_atomic_end(p, bits_of(change(old)), sizeof(T));
        if (acquires(order))
            atomic_thread_fence(order, Scope);
        return old;
    }
    template <class Number> static constexpr bool integer = ::std::is_integral<Number>::value;

  public:
    using value_type = T;
    static constexpr bool is_always_lock_free = true;

    WL_INLINE_MEMBER bool is_lock_free() const volatile
    {
        return true;
    }
    WL_INLINE_MEMBER T load(memory_order order = memory_order_seq_cst, WL_PLACE) const volatile
    {
        if (order == memory_order_seq_cst)
            atomic_thread_fence(order, Scope);
        const T value = value_of<T>(wl_atomic_load_at(at(), sizeof(T), file, line));
        if (acquires(order))
            atomic_thread_fence(order, Scope);
        return value;
    }
    WL_INLINE_MEMBER void store(T value, memory_order order = memory_order_seq_cst, WL_PLACE) const
        volatile
    {
        if (releases(order))
            atomic_thread_fence(order, Scope);
        wl_atomic_store_at(at(), bits_of(value), sizeof(T), file, line);
    }
    WL_INLINE_MEMBER T exchange(T value, memory_order order = memory_order_seq_cst, WL_PLACE) const
        volatile
    {
        return update([=](T) { return value; }, order, line, file);
    }
    WL_INLINE_MEMBER bool compare_exchange_strong(T &expected, T value,
                                                  memory_order order = memory_order_seq_cst,
                                                  WL_PLACE) const volatile
    {
        const uint64_t wanted = bits_of(expected);
        const T old =
            update([=](T now) { return bits_of(now) == wanted ? value : now; }, order, line, file);
        if (bits_of(old) != wanted)
            expected = old;
        return bits_of(old) == wanted;
    }
    WL_INLINE_MEMBER bool compare_exchange_strong(T &expected, T value, memory_order success,
                                                  memory_order, WL_PLACE) const volatile
    {
        return compare_exchange_strong(expected, value, success, line, file);
    }
    WL_INLINE_MEMBER bool compare_exchange_weak(T &expected, T value,
                                                memory_order order = memory_order_seq_cst,
                                                WL_PLACE) const volatile
    {
        return compare_exchange_strong(expected, value, order, line, file);
    }
    WL_INLINE_MEMBER bool compare_exchange_weak(T &expected, T value, memory_order success,
                                                memory_order, WL_PLACE) const volatile
    {
        return compare_exchange_strong(expected, value, success, line, file);
    }

    /* Integers wrap, as the hardware's do. */
    template <class V = T>
    WL_INLINE_MEMBER T fetch_add(V value, memory_order order = memory_order_seq_cst, WL_PLACE) const
        volatile
    {
        return update([=](T old) { return sum(old, (T)value); }, order, line, file);
    }
    template <class V = T>
    WL_INLINE_MEMBER T fetch_sub(V value, memory_order order = memory_order_seq_cst, WL_PLACE) const
        volatile
    {
        return update([=](T old) { return difference(old, (T)value); }, order, line, file);
    }
#define WL_FETCH(name, expression)                                                                 \
    template <class V = T>                                                                         \
    WL_INLINE_MEMBER T name(V with, memory_order order = memory_order_seq_cst, WL_PLACE)           \
        const volatile                                                                             \
    {                                                                                              \
        static_assert(integer<T>, WL_REFUSED                                                       \
                      "this atomic operation on a type that is no integer cannot run under "       \
                      "warplens: nvcc makes a loop of it: write the loop");                        \
        const T value = (T)with;                                                                   \
        return update([=](T old) { return (T)(expression); }, order, line, file);                  \
    }
    WL_FETCH(fetch_and, old &value)
    WL_FETCH(fetch_or, old | value)
    WL_FETCH(fetch_xor, old ^ value)
    WL_FETCH(fetch_min, old < value ? old : value)
    WL_FETCH(fetch_max, old > value ? old : value)
#undef WL_FETCH

    WL_INLINE_MEMBER operator T() const volatile
    {
        return load();
    }
    WL_INLINE_MEMBER T operator++() const volatile
    {
        return sum(fetch_add((T)1), (T)1);
    }
    WL_INLINE_MEMBER T operator++(int) const volatile
    {
        return fetch_add((T)1);
    }
    WL_INLINE_MEMBER T operator--() const volatile
    {
        return difference(fetch_sub((T)1), (T)1);
    }
    WL_INLINE_MEMBER T operator--(int) const volatile
    {
        return fetch_sub((T)1);
    }
    WL_INLINE_MEMBER T operator+=(T value) const volatile
    {
        return sum(fetch_add(value), value);
    }
    WL_INLINE_MEMBER T operator-=(T value) const volatile
    {
        return difference(fetch_sub(value), value);
    }
    WL_INLINE_MEMBER T operator&=(T value) const volatile
    {
        return fetch_and(value) & value;
    }
    WL_INLINE_MEMBER T operator|=(T value) const volatile
    {
        return fetch_or(value) | value;
    }
    WL_INLINE_MEMBER T operator^=(T value) const volatile
    {
        return fetch_xor(value) ^ value;
    }

  private:
    template <class N> WL_INLINE_MEMBER static N sum(N a, N b)
    {
        if constexpr (integer<N>)
            return (N)((::std::make_unsigned_t<N>)a + (::std::make_unsigned_t<N>)b);
        else
            return a + b;
    }
    template <class N> WL_INLINE_MEMBER static N difference(N a, N b)
    {
        if constexpr (integer<N>)
            return (N)((::std::make_unsigned_t<N>)a - (::std::make_unsigned_t<N>)b);
        else
            return a - b;
    }
};
#undef WL_PLACE

} // namespace wl_detail

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public wl_detail::atomic_operations<T, Scope, atomic<T, Scope>>
{
    alignas(sizeof(T)) T value_;

  public:
    atomic() = default;
    constexpr atomic(T value) : value_(value)
    {
    }
    atomic(const atomic &) = delete;
    atomic &operator=(const atomic &) = delete;
    WL_INLINE_MEMBER T operator=(T value)
    {
        this->store(value);
        return value;
    }
    WL_INLINE_MEMBER T operator=(T value) volatile
    {
        this->store(value);
        return value;
    }
    WL_INLINE_MEMBER T *wl_address() const
    {
        return const_cast<T *>(&value_);
    }
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public wl_detail::atomic_operations<T, Scope, atomic_ref<T, Scope>>
{
    T *place_;

  public:
    static constexpr size_t required_alignment = sizeof(T);

    WL_INLINE_MEMBER explicit atomic_ref(T &of) : place_(&of)
    {
    }
    atomic_ref(const atomic_ref &) = default;
    atomic_ref &operator=(const atomic_ref &) = delete;
    WL_INLINE_MEMBER T operator=(T value) const
    {
        this->store(value);
        return value;
    }
    WL_INLINE_MEMBER T *wl_address() const
    {
        return place_;
    }
};

namespace std
{
template <class T> using atomic = ::cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
using ::std::memory_order;
} // namespace std

} // namespace cuda
#endif
